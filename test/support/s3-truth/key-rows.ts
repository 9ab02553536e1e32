import { CopyObjectCommand, HeadObjectCommand, ListObjectsV2Command } from "@aws-sdk/client-s3";
import { copySource, type Facts, type Probe } from "./probe.ts";
import type { TruthRow } from "./truth-row.ts";

async function metadataOf({ client, bucket }: Probe, key: string): Promise<unknown> {
  return (await client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }))).Metadata;
}

/** Stores each key with its own name as content, and reads all of them back. */
async function storeAndRead(s3: Probe, keys: readonly string[]): Promise<Facts> {
  for (const key of keys) await s3.store(key, `content of ${key}`);
  const texts = await Promise.all(keys.map(async (key) => (await s3.text(key)) === `content of ${key}`));
  const { keys: listed } = await s3.list();
  return { read: texts.filter(Boolean).length, listed: [listed].flat().length };
}

const awkwardNames = ["a+b", "a b", "Ö", "100%", "%20", "a?b", "a#b", "a&b=c", "a'b(c)*!~", 'a"b', "😀", "a/b/c"];

export const keyRows: readonly TruthRow[] = [
  {
    name: "a key of 1,024 bytes is taken",
    run: (s3) => s3.put("k".repeat(1021) + "€", "content"),
    expected: { status: 200 },
  },
  {
    name: "a key of 1,025 bytes is too long",
    run: async (s3) => {
      const { status, code } = await s3.put("k".repeat(1022) + "€", "content");
      return { status, code };
    },
    expected: { status: 400, code: "KeyTooLongError" },
  },
  {
    name: "upper and lower case are two keys",
    run: (s3) => storeAndRead(s3, ["a", "A"]),
    expected: { read: 2, listed: 2 },
  },
  {
    name: "NFC and NFD are two keys",
    run: (s3) => storeAndRead(s3, ["\u00e9", "e\u0301"]),
    expected: { read: 2, listed: 2 },
  },
  {
    name: "a and a/b exist side by side",
    run: (s3) => storeAndRead(s3, ["a", "a/b", "a/b/c"]),
    expected: { read: 3, listed: 3 },
  },
  {
    name: "doubled slashes and dots are parts of a key as any other",
    run: (s3) => storeAndRead(s3, ["a//b", "./x", "a/../b", "b", "a/b", "x"]),
    expected: { read: 6, listed: 6 },
  },
  {
    name: "awkward names are stored, read and listed as written",
    run: async (s3) => {
      for (const key of awkwardNames) await s3.store(key, key);
      const texts = await Promise.all(awkwardNames.map((key) => s3.text(key)));
      const { keys } = await s3.list();
      return { texts, keys: new Set([keys].flat()) };
    },
    expected: { texts: awkwardNames, keys: new Set(awkwardNames) },
  },
  {
    name: "awkward names are copied when the source is encoded once",
    run: async (s3) => {
      for (const key of awkwardNames) await s3.store(key, key);
      for (const key of awkwardNames) await s3.copy(key, `copy/${key}`);
      return { texts: await Promise.all(awkwardNames.map((key) => s3.text(`copy/${key}`))) };
    },
    expected: { texts: awkwardNames },
  },
  {
    name: "control characters in a key come through a listing with EncodingType url",
    run: async (s3) => {
      await s3.store("a\u0001b", "content");
      return { keys: (await s3.list())["keys"], text: await s3.text("a\u0001b") };
    },
    expected: { keys: ["a\u0001b"], text: "content" },
  },
  {
    name: "EncodingType url writes a space as +",
    run: async (s3) => {
      const { client, bucket } = s3;
      await s3.store("a b/c d", "content");
      const command = new ListObjectsV2Command({ Bucket: bucket, EncodingType: "url", Delimiter: "/" });
      return { prefix: (await client.send(command)).CommonPrefixes?.[0]?.Prefix };
    },
    expected: { prefix: "a+b/" },
  },
  {
    name: "metadata of 2 KB is kept, with lower-case names",
    run: async (s3) => {
      const value = "v".repeat(2048 - "first".length - "second".length);
      const { status } = await s3.put("a", "content", { Metadata: { First: value, SECOND: "" } });
      return { status, metadata: await metadataOf(s3, "a") };
    },
    expected: { status: 200, metadata: { first: "v".repeat(2037), second: "" } },
  },
  {
    name: "metadata over 2 KB is too large",
    run: async (s3) => {
      const { status, code } = await s3.put("a", "content", { Metadata: { first: "v".repeat(2044) } });
      return { status, code };
    },
    expected: { status: 400, code: "MetadataTooLarge" },
  },
  {
    name: "COPY keeps metadata and content type",
    run: async (s3) => {
      await s3.store("a", "content", { Metadata: { writer: "one" }, ContentType: "text/markdown" });
      await s3.copy("a", "b", { Metadata: { writer: "ignored" } });
      const head = await s3.client.send(new HeadObjectCommand({ Bucket: s3.bucket, Key: "b" }));
      return { metadata: head.Metadata, type: head.ContentType };
    },
    expected: { metadata: { writer: "one" }, type: "text/markdown" },
  },
  {
    name: "COPY with MetadataDirective REPLACE takes the new metadata",
    run: async (s3) => {
      await s3.store("a", "content", { Metadata: { writer: "one" } });
      const place = { Bucket: s3.bucket, Key: "b", CopySource: copySource(s3.bucket, "a") };
      await s3.client.send(
        new CopyObjectCommand({ ...place, MetadataDirective: "REPLACE", Metadata: { writer: "two" } }),
      );
      return { metadata: await metadataOf(s3, "b") };
    },
    expected: { metadata: { writer: "two" } },
  },
  {
    name: "a rewrite of metadata alone leaves the ETag",
    run: async (s3) => {
      const before = await s3.store("a", "content", { Metadata: { writer: "one" } });
      const after = await s3.store("a", "content", { Metadata: { writer: "two" } });
      return { same: before === after, metadata: await metadataOf(s3, "a") };
    },
    expected: { same: true, metadata: { writer: "two" } },
  },
];
