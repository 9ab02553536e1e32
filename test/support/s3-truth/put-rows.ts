import { otherEtag, type Probe } from "./probe.ts";
import type { TruthRow } from "./truth-row.ts";

async function putAndLook(s3: Probe, condition: { readonly IfMatch?: string; readonly IfNoneMatch?: string }) {
  return { ...(await s3.put("a", "new", condition)), after: await s3.text("a") };
}

const lost = { status: 412, code: "PreconditionFailed" } as const;
const gone = { status: 404, code: "NoSuchKey", Key: "a", after: "NoSuchKey" } as const;
const unsupported = { status: 501, code: "NotImplemented", after: "old" } as const;

export const putRows: readonly TruthRow[] = [
  {
    name: "PUT If-None-Match: * on a missing key writes",
    run: (s3) => putAndLook(s3, { IfNoneMatch: "*" }),
    expected: { status: 200, after: "new" },
  },
  {
    name: "PUT If-None-Match: * on an existing key is refused",
    run: async (s3) => {
      await s3.store("a", "old");
      return putAndLook(s3, { IfNoneMatch: "*" });
    },
    expected: { ...lost, Condition: "If-None-Match", after: "old" },
  },
  {
    name: "PUT If-None-Match: * on a deleted key writes",
    run: async (s3) => {
      await s3.store("a", "old");
      await s3.erase("a");
      return putAndLook(s3, { IfNoneMatch: "*" });
    },
    expected: { status: 200, after: "new" },
  },
  {
    name: "PUT If-None-Match: * over a delete marker writes",
    versioned: true,
    run: async (s3) => {
      await s3.store("a", "old");
      await s3.erase("a");
      return putAndLook(s3, { IfNoneMatch: "*" });
    },
    expected: { status: 200, after: "new" },
  },
  {
    name: "PUT If-Match with the object's ETag writes",
    run: async (s3) => putAndLook(s3, { IfMatch: await s3.store("a", "old") }),
    expected: { status: 200, after: "new" },
  },
  {
    name: "PUT If-Match with the object's ETag without quotes writes",
    run: async (s3) => putAndLook(s3, { IfMatch: (await s3.store("a", "old")).replaceAll('"', "") }),
    expected: { status: 200, after: "new" },
  },
  {
    name: "PUT If-Match with another ETag is refused",
    run: async (s3) => {
      await s3.store("a", "old");
      return putAndLook(s3, { IfMatch: otherEtag });
    },
    expected: { ...lost, Condition: "If-Match", after: "old" },
  },
  {
    name: "PUT If-Match on a missing key is NoSuchKey",
    run: (s3) => putAndLook(s3, { IfMatch: otherEtag }),
    expected: gone,
  },
  {
    name: "PUT If-Match over a delete marker is NoSuchKey",
    versioned: true,
    run: async (s3) => {
      const etag = await s3.store("a", "old");
      await s3.erase("a");
      return putAndLook(s3, { IfMatch: etag });
    },
    expected: gone,
  },
  {
    name: "PUT If-Match: * is not implemented",
    run: async (s3) => {
      await s3.store("a", "old");
      return putAndLook(s3, { IfMatch: "*" });
    },
    expected: unsupported,
  },
  {
    name: "PUT If-None-Match with an ETag is not implemented",
    run: async (s3) => {
      await s3.store("a", "old");
      return putAndLook(s3, { IfNoneMatch: otherEtag });
    },
    expected: unsupported,
  },
  {
    name: "PUT with both conditions is not implemented",
    run: async (s3) => putAndLook(s3, { IfMatch: await s3.store("a", "old"), IfNoneMatch: "*" }),
    expected: unsupported,
  },
  {
    name: "PUT If-Match does not see that the bytes changed and came back",
    run: async (s3) => {
      const etag = await s3.store("a", "old");
      await s3.store("a", "meanwhile");
      await s3.store("a", "old", { Metadata: { writer: "another" } });
      return putAndLook(s3, { IfMatch: etag });
    },
    expected: { status: 200, after: "new" },
  },
  {
    name: "of 16 writers that demand a missing key exactly one wins",
    run: async (s3) => {
      const writers = Array.from({ length: 16 }, (_, writer) => s3.put("a", `${writer}`, { IfNoneMatch: "*" }));
      const statuses = (await Promise.all(writers)).map(({ status }) => status);
      return {
        written: statuses.filter((status) => status === 200).length,
        refused: statuses.filter((status) => status === 412 || status === 409).length,
      };
    },
    expected: { written: 1, refused: 15 },
  },
  {
    name: "of 16 writers that demand one ETag exactly one wins",
    run: async (s3) => {
      const etag = await s3.store("a", "old");
      const writers = Array.from({ length: 16 }, (_, writer) => s3.put("a", `${writer}`, { IfMatch: etag }));
      const statuses = (await Promise.all(writers)).map(({ status }) => status);
      return {
        written: statuses.filter((status) => status === 200).length,
        refused: statuses.filter((status) => status === 412 || status === 409).length,
      };
    },
    expected: { written: 1, refused: 15 },
  },
];
