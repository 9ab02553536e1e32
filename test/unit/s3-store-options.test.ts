import { S3Client } from "@aws-sdk/client-s3";
import { describe, expect, it } from "vitest";
import { resolveS3StoreOptions } from "../../src/stores/s3-options.ts";
import { s3Store } from "../../src/stores/s3-store.ts";

describe("The options of s3Store", () => {
  it("have defaults, and are frozen", () => {
    const resolved = resolveS3StoreOptions({ bucket: "memory" });
    expect(resolved).toEqual({
      bucket: "memory",
      client: undefined,
      connectMilliseconds: 3000,
      requestMilliseconds: 10_000,
      conditionalDelete: true,
      serverSideCopy: false,
    });
    expect(Object.isFrozen(resolved)).toBe(true);
  });

  it("are taken as given", () => {
    const client = new S3Client({});
    const timeouts = { connect: 1, request: 2 };
    const switches = { conditionalDelete: false, serverSideCopy: true };
    expect(resolveS3StoreOptions({ bucket: "memory", client, timeouts, ...switches })).toEqual({
      bucket: "memory",
      client,
      connectMilliseconds: 1,
      requestMilliseconds: 2,
      ...switches,
    });
  });

  const nonsense: [string, unknown, RegExp][] = [
    ["no options", undefined, /options are undefined\. Expected an object/],
    ["no bucket", {}, /option bucket is undefined\. Expected the name of a bucket/],
    ["a blank bucket", { bucket: " " }, /option bucket is " "/],
    ["a number for a bucket", { bucket: 5 }, /option bucket is 5/],
    ["a client that sends nothing", { bucket: "bucket", client: {} }, /option client is .* Expected an S3Client/],
    ["a client that is null", { bucket: "bucket", client: null }, /option client is null/],
    ["time-outs that are a number", { bucket: "bucket", timeouts: 5 }, /option timeouts is 5/],
    ["no time to connect", { bucket: "bucket", timeouts: { connect: 0 } }, /timeouts\.connect is 0\. Expected a whole/],
    ["half a millisecond", { bucket: "bucket", timeouts: { request: 0.5 } }, /timeouts\.request is 0\.5/],
    ["endless requests", { bucket: "bucket", timeouts: { request: Infinity } }, /timeouts\.request is Infinity/],
    ["a time in words", { bucket: "bucket", timeouts: { request: "10s" } }, /timeouts\.request is "10s"/],
    [
      "a condition in words",
      { bucket: "bucket", conditionalDelete: "no" },
      /conditionalDelete is "no"\. Expected true or/,
    ],
    ["a copy in words", { bucket: "bucket", serverSideCopy: "yes" }, /serverSideCopy is "yes"\. Expected true or/],
    [
      "an unknown option",
      { bucket: "bucket", region: "eu-west-1" },
      /no option region\. Expected one of: bucket, client/,
    ],
    [
      "an unknown time-out",
      { bucket: "bucket", timeouts: { total: 1 } },
      /no option timeouts\.total\. Expected one of/,
    ],
  ];
  it.each(nonsense)("refuse %s", (_name, options, message) => {
    const make = (): unknown => Reflect.apply(s3Store, undefined, [options]);
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
  });
});
