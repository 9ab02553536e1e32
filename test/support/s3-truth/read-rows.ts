import { createHash } from "node:crypto";
import { GetObjectCommand, HeadObjectCommand, ListObjectsV2Command } from "@aws-sdk/client-s3";
import { otherEtag } from "./probe.ts";
import type { TruthRow } from "./truth-row.ts";

export const readRows: readonly TruthRow[] = [
  {
    name: "GET of a missing key is NoSuchKey",
    run: (s3) => s3.get("a"),
    expected: { status: 404, code: "NoSuchKey", Key: "a" },
  },
  {
    name: "an empty object is read back empty",
    run: async (s3) => {
      await s3.store("a", "");
      return s3.get("a");
    },
    expected: { status: 200, text: "" },
  },
  {
    name: "GET of a range answers that part",
    run: async (s3) => {
      await s3.store("a", "0123456789");
      return { middle: await s3.get("a", { Range: "bytes=2-4" }), end: await s3.get("a", { Range: "bytes=-3" }) };
    },
    expected: {
      middle: { status: 206, text: "234", range: "bytes 2-4/10" },
      end: { status: 206, text: "789", range: "bytes 7-9/10" },
    },
  },
  {
    name: "GET of a range behind the end is an InvalidRange",
    run: async (s3) => {
      await s3.store("a", "0123456789");
      return s3.get("a", { Range: "bytes=10-" });
    },
    expected: { status: 416, code: "InvalidRange" },
  },
  {
    name: "GET If-None-Match with the object's ETag is 304",
    run: async (s3) => ({ status: (await s3.get("a", { IfNoneMatch: await s3.store("a", "old") }))["status"] }),
    expected: { status: 304 },
  },
  {
    name: "GET If-Match with another ETag is refused",
    run: async (s3) => {
      await s3.store("a", "old");
      return s3.get("a", { IfMatch: otherEtag });
    },
    expected: { status: 412, code: "PreconditionFailed", Condition: "If-Match" },
  },
  {
    name: "the ETag is the quoted MD5, the same in every answer",
    run: async (s3) => {
      const put = await s3.store("a", "content");
      const place = { Bucket: s3.bucket, Key: "a" };
      const get = await s3.client.send(new GetObjectCommand(place));
      const head = await s3.client.send(new HeadObjectCommand(place));
      const list = await s3.client.send(new ListObjectsV2Command({ Bucket: s3.bucket }));
      await get.Body?.transformToByteArray();
      return { etags: [put, get.ETag, head.ETag, list.Contents?.[0]?.ETag] };
    },
    expected: { etags: Array.from({ length: 4 }, () => `"${createHash("md5").update("content").digest("hex")}"`) },
  },
  {
    name: "the content type and the time of the write are kept",
    run: async (s3) => {
      await s3.store("a", "content", { ContentType: "text/plain; charset=utf-8" });
      const head = await s3.client.send(new HeadObjectCommand({ Bucket: s3.bucket, Key: "a" }));
      const age = Date.now() - (head.LastModified?.getTime() ?? 0);
      return { type: head.ContentType, size: head.ContentLength, recent: age > -5000 && age < 60_000 };
    },
    expected: { type: "text/plain; charset=utf-8", size: 7, recent: true },
  },
];
