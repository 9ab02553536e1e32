import { DeleteObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { otherEtag, type Facts, type Probe } from "./probe.ts";
import type { TruthRow } from "./truth-row.ts";

async function deleteAndLook(
  s3: Probe,
  condition: { readonly IfMatch?: string; readonly VersionId?: string },
): Promise<Facts> {
  return { ...(await s3.delete("a", condition)), after: await s3.text("a") };
}

/** The current object is gone and a delete marker lies on top. Answers the ETag it had. */
async function underMarker(s3: Probe): Promise<string> {
  const etag = await s3.store("a", "old");
  await s3.erase("a");
  return etag;
}

const gone = { status: 404, code: "NoSuchKey", Key: "a", after: "NoSuchKey" } as const;

const singleRows: readonly TruthRow[] = [
  {
    name: "DELETE removes",
    run: async (s3) => {
      await s3.store("a", "old");
      return deleteAndLook(s3, {});
    },
    expected: { status: 204, after: "NoSuchKey" },
  },
  {
    name: "DELETE of a missing key succeeds",
    run: (s3) => deleteAndLook(s3, {}),
    expected: { status: 204, after: "NoSuchKey" },
  },
  {
    name: "DELETE If-Match with the object's ETag removes",
    run: async (s3) => deleteAndLook(s3, { IfMatch: await s3.store("a", "old") }),
    expected: { status: 204, after: "NoSuchKey" },
  },
  {
    name: "DELETE If-Match with another ETag is refused",
    run: async (s3) => {
      await s3.store("a", "old");
      return deleteAndLook(s3, { IfMatch: otherEtag });
    },
    expected: { status: 412, code: "PreconditionFailed", Condition: "If-Match", after: "old" },
  },
  {
    name: "DELETE If-Match on a missing key is NoSuchKey",
    run: (s3) => deleteAndLook(s3, { IfMatch: otherEtag }),
    expected: gone,
  },
  {
    name: "DELETE If-Match over a delete marker is NoSuchKey",
    versioned: true,
    run: async (s3) => deleteAndLook(s3, { IfMatch: await underMarker(s3) }),
    expected: gone,
  },
  {
    name: "DELETE If-Match: * on an existing key removes",
    run: async (s3) => {
      await s3.store("a", "old");
      return deleteAndLook(s3, { IfMatch: "*" });
    },
    expected: { status: 204, after: "NoSuchKey" },
  },
  {
    name: "DELETE If-Match: * on a missing key is NoSuchKey",
    run: (s3) => deleteAndLook(s3, { IfMatch: "*" }),
    expected: gone,
  },
  {
    name: "DELETE If-Match: * over a delete marker is NoSuchKey",
    versioned: true,
    run: async (s3) => {
      await underMarker(s3);
      return deleteAndLook(s3, { IfMatch: "*" });
    },
    expected: gone,
  },
  {
    name: "DELETE of a version with If-Match is not implemented",
    versioned: true,
    run: async (s3) => {
      const place = { Bucket: s3.bucket, Key: "a" };
      const put = await s3.client.send(new PutObjectCommand({ ...place, Body: "old" }));
      return deleteAndLook(s3, { IfMatch: put.ETag ?? "", VersionId: put.VersionId ?? "" });
    },
    expected: { status: 501, code: "NotImplemented", after: "old" },
  },
  {
    name: "of 8 deleters that demand the object exactly one hears that it was there",
    run: async (s3) => {
      await s3.store("a", "old");
      const deleters = Array.from({ length: 8 }, () => s3.delete("a", { IfMatch: "*" }));
      const statuses = (await Promise.all(deleters)).map(({ status }) => status);
      return {
        deleted: statuses.filter((status) => status === 204).length,
        refused: statuses.filter((status) => status === 404 || status === 409).length,
      };
    },
    expected: { deleted: 1, refused: 7 },
  },
  {
    name: "DELETE in a versioned bucket puts a marker on top",
    versioned: true,
    run: async (s3) => {
      await s3.store("a", "old");
      const answer = await s3.client.send(new DeleteObjectCommand({ Bucket: s3.bucket, Key: "a" }));
      return { marker: answer.DeleteMarker, named: answer.VersionId !== undefined, after: await s3.text("a") };
    },
    expected: { marker: true, named: true, after: "NoSuchKey" },
  },
];

const batchRows: readonly TruthRow[] = [
  {
    name: "DeleteObjects removes what is there and what is not",
    run: async (s3) => {
      await s3.store("a", "old");
      return { ...(await s3.deleteMany([{ Key: "a" }, { Key: "missing" }])), after: await s3.text("a") };
    },
    expected: { status: 200, deleted: ["a", "missing"], errors: [], after: "NoSuchKey" },
  },
  {
    name: "DeleteObjects judges the ETag of each key and says so in the body",
    run: async (s3) => {
      const etag = await s3.store("right", "old");
      await s3.store("wrong", "old");
      const answer = await s3.deleteMany([
        { Key: "right", ETag: etag },
        { Key: "wrong", ETag: otherEtag },
        { Key: "missing", ETag: otherEtag },
      ]);
      return { ...answer, right: await s3.text("right"), wrong: await s3.text("wrong") };
    },
    expected: {
      status: 200,
      deleted: ["right"],
      errors: ["wrong: PreconditionFailed", "missing: NoSuchKey"],
      right: "NoSuchKey",
      wrong: "old",
    },
  },
  {
    name: "DeleteObjects that is quiet names only the failures",
    run: async (s3) => {
      await s3.store("a", "old");
      await s3.store("wrong", "old");
      const answer = await s3.deleteMany([{ Key: "a" }, { Key: "wrong", ETag: otherEtag }], { quiet: true });
      return { ...answer, after: await s3.text("a") };
    },
    expected: { status: 200, deleted: [], errors: ["wrong: PreconditionFailed"], after: "NoSuchKey" },
  },
  {
    name: "DeleteObjects takes names that XML must escape",
    run: async (s3) => {
      const keys = ["<&>\"'", "a\rb", "tab\there", "Ö€😀"];
      for (const key of keys) await s3.store(key, "old");
      const { status, errors } = await s3.deleteMany(keys.map((key) => ({ Key: key })));
      const { keys: left } = await s3.list();
      return { status, errors, left };
    },
    expected: { status: 200, errors: [], left: [] },
  },
  {
    name: "DeleteObjects takes 1,000 keys",
    run: async (s3) => {
      const keys = Array.from({ length: 1000 }, (_, index) => ({ Key: `key-${index}` }));
      const { status, errors } = await s3.deleteMany(keys);
      return { status, errors };
    },
    expected: { status: 200, errors: [] },
  },
  {
    name: "DeleteObjects refuses 1,001 keys",
    run: async (s3) => {
      const { status, code } = await s3.deleteMany(
        Array.from({ length: 1001 }, (_, index) => ({ Key: `key-${index}` })),
      );
      return { status, code };
    },
    expected: { status: 400, code: "MalformedXML" },
  },
];

export const deleteRows: readonly TruthRow[] = [...singleRows, ...batchRows];
