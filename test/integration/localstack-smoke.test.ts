import { GetObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { beforeAll, describe, expect, it } from "vitest";
import { freshBucket, type Place } from "../support/fresh-bucket.ts";

describe("LocalStack", () => {
  let place: Place;

  beforeAll(async () => {
    place = await freshBucket("localstack");
  });

  it("is version 4.14.0 and runs S3", async () => {
    const health: unknown = await (await fetch(`${place.endpoint}/_localstack/health`)).json();
    expect(health).toMatchObject({ version: "4.14.0", services: { s3: "running" } });
  });

  it("gives an object back as it was put", async () => {
    const { client, bucket } = place;
    const text = "Grüße, 世界 🦊\r\nno final newline";
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: "a/b c+d.md", Body: text }));
    const answer = await client.send(new GetObjectCommand({ Bucket: bucket, Key: "a/b c+d.md" }));
    expect(await answer.Body?.transformToString()).toBe(text);
  });

  it("enforces If-None-Match: the second creator of a key is refused and changes nothing", async () => {
    const { client, bucket } = place;
    const target = { Bucket: bucket, Key: "only-once.md" };
    await client.send(new PutObjectCommand({ ...target, Body: "first", IfNoneMatch: "*" }));
    const second = client.send(new PutObjectCommand({ ...target, Body: "second", IfNoneMatch: "*" }));
    await expect(second).rejects.toMatchObject({
      name: "PreconditionFailed",
      $metadata: { httpStatusCode: 412 },
    });
    const answer = await client.send(new GetObjectCommand(target));
    expect(await answer.Body?.transformToString()).toBe("first");
  });
});
