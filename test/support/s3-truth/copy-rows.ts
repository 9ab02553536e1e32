import type { CopyObjectCommandInput } from "@aws-sdk/client-s3";
import { otherEtag, type Facts, type Probe } from "./probe.ts";
import type { TruthRow } from "./truth-row.ts";

/** Copies `source` ("content") onto `target`, and looks at it. */
async function copyAndLook(s3: Probe, condition: Partial<CopyObjectCommandInput>): Promise<Facts> {
  await s3.store("source", "content");
  return { ...(await s3.copy("source", "target", condition)), after: await s3.text("target") };
}

const lost = { status: 412, code: "PreconditionFailed" } as const;
const unsupported = { status: 501, code: "NotImplemented", after: "old" } as const;

export const copyRows: readonly TruthRow[] = [
  {
    name: "COPY If-None-Match: * on a missing destination writes",
    run: (s3) => copyAndLook(s3, { IfNoneMatch: "*" }),
    expected: { status: 200, after: "content" },
  },
  {
    name: "COPY If-None-Match: * on an existing destination is refused",
    run: async (s3) => {
      await s3.store("target", "old");
      return copyAndLook(s3, { IfNoneMatch: "*" });
    },
    expected: { ...lost, Condition: "If-None-Match", after: "old" },
  },
  {
    name: "COPY If-None-Match: * on a deleted destination writes",
    run: async (s3) => {
      await s3.store("target", "old");
      await s3.erase("target");
      return copyAndLook(s3, { IfNoneMatch: "*" });
    },
    expected: { status: 200, after: "content" },
  },
  {
    name: "COPY If-None-Match: * over a delete marker writes",
    versioned: true,
    run: async (s3) => {
      await s3.store("target", "old");
      await s3.erase("target");
      return copyAndLook(s3, { IfNoneMatch: "*" });
    },
    expected: { status: 200, after: "content" },
  },
  {
    name: "COPY If-Match with the destination's ETag writes",
    run: async (s3) => copyAndLook(s3, { IfMatch: await s3.store("target", "old") }),
    expected: { status: 200, after: "content" },
  },
  {
    name: "COPY If-Match with another ETag is refused",
    run: async (s3) => {
      await s3.store("target", "old");
      return copyAndLook(s3, { IfMatch: otherEtag });
    },
    expected: { ...lost, Condition: "If-Match", after: "old" },
  },
  {
    name: "COPY If-Match on a missing destination is NoSuchKey of the destination",
    run: (s3) => copyAndLook(s3, { IfMatch: otherEtag }),
    expected: { status: 404, code: "NoSuchKey", Key: "target", after: "NoSuchKey" },
  },
  {
    name: "COPY If-Match over a delete marker is NoSuchKey of the destination",
    versioned: true,
    run: async (s3) => {
      const etag = await s3.store("target", "old");
      await s3.erase("target");
      return copyAndLook(s3, { IfMatch: etag });
    },
    expected: { status: 404, code: "NoSuchKey", Key: "target", after: "NoSuchKey" },
  },
  {
    name: "COPY If-Match: * is not implemented",
    run: async (s3) => {
      await s3.store("target", "old");
      return copyAndLook(s3, { IfMatch: "*" });
    },
    expected: unsupported,
  },
  {
    name: "COPY If-None-Match with an ETag is not implemented",
    run: async (s3) => {
      await s3.store("target", "old");
      return copyAndLook(s3, { IfNoneMatch: otherEtag });
    },
    expected: unsupported,
  },
  {
    name: "COPY with both destination conditions is not implemented",
    run: async (s3) => copyAndLook(s3, { IfMatch: await s3.store("target", "old"), IfNoneMatch: "*" }),
    expected: unsupported,
  },
  {
    name: "COPY with the source's ETag copies",
    run: async (s3) => copyAndLook(s3, { CopySourceIfMatch: await s3.store("source", "content") }),
    expected: { status: 200, after: "content" },
  },
  {
    name: "COPY with another ETag of the source is refused",
    run: (s3) => copyAndLook(s3, { CopySourceIfMatch: otherEtag }),
    expected: { ...lost, Condition: "x-amz-copy-source-If-Match", after: "NoSuchKey" },
  },
  {
    name: "COPY of a missing source is NoSuchKey of the source",
    run: (s3) => s3.copy("missing", "target", { IfNoneMatch: "*" }),
    expected: { status: 404, code: "NoSuchKey", Key: "missing" },
  },
  {
    name: "COPY of a source under a delete marker is NoSuchKey of the source",
    versioned: true,
    run: async (s3) => {
      await s3.store("source", "content");
      await s3.erase("source");
      return s3.copy("source", "target");
    },
    expected: { status: 404, code: "NoSuchKey", Key: "source" },
  },
  {
    name: "COPY onto itself without new metadata is an InvalidRequest",
    run: async (s3) => {
      await s3.store("source", "content");
      return s3.copy("source", "source");
    },
    expected: { status: 400, code: "InvalidRequest" },
  },
];
