import type { ServerName } from "../servers.ts";
import type { Facts } from "./probe.ts";

/** What a server answers in place of AWS's answer, and why that is so. */
export interface Difference {
  readonly reason: string;
  readonly answers: Facts;
}

/** One reason, and what it makes of each row, by the name of the row. */
function because(reason: string, rows: Readonly<Record<string, Facts>>): Record<string, Difference> {
  return Object.fromEntries(Object.entries(rows).map(([name, answers]) => [name, { reason, answers }]));
}

const notImplemented = { status: 501, code: "NotImplemented" } as const;
const preconditionFailed = { status: 412, code: "PreconditionFailed" } as const;
const noSuchKey = { status: 404, code: "NoSuchKey" } as const;
const overwritten = { status: 200, after: "content" } as const;

const localstack: Readonly<Record<string, Difference>> = {
  ...because("LocalStack 4.14.0 refuses every condition of DeleteObject; the object stays", {
    "DELETE If-Match with the object's ETag removes": { ...notImplemented, after: "old" },
    "DELETE If-Match with another ETag is refused": { ...notImplemented, after: "old" },
    "DELETE If-Match on a missing key is NoSuchKey": { ...notImplemented, after: "NoSuchKey" },
    "DELETE If-Match over a delete marker is NoSuchKey": { ...notImplemented, after: "NoSuchKey" },
    "DELETE If-Match: * on an existing key removes": { ...notImplemented, after: "old" },
    "DELETE If-Match: * on a missing key is NoSuchKey": { ...notImplemented, after: "NoSuchKey" },
    "DELETE If-Match: * over a delete marker is NoSuchKey": { ...notImplemented, after: "NoSuchKey" },
    "of 8 deleters that demand the object exactly one hears that it was there": { deleted: 0, refused: 0 },
  }),
  ...because("LocalStack 4.14.0 ignores the ETags of DeleteObjects and removes the key whatever it holds", {
    "DeleteObjects judges the ETag of each key and says so in the body": {
      status: 200,
      deleted: ["right", "wrong", "missing"],
      errors: [],
      right: "NoSuchKey",
      wrong: "NoSuchKey",
    },
    "DeleteObjects that is quiet names only the failures": { status: 200, deleted: [], errors: [], after: "NoSuchKey" },
  }),
  ...because("LocalStack 4.14.0 writes the copy before it checks the destination: a refused copy damages the bytes", {
    "COPY If-None-Match: * on an existing destination is refused": {
      ...preconditionFailed,
      Condition: "If-None-Match",
      after: "damaged",
    },
    "COPY If-Match with another ETag is refused": { ...preconditionFailed, Condition: "If-Match", after: "damaged" },
  }),
  ...because("LocalStack 4.14.0 enforces none of these limits", {
    "DeleteObjects refuses 1,001 keys": { status: 200, code: undefined },
    "metadata over 2 KB is too large": { status: 200, code: undefined },
    "a page holds 1,000 keys at most": { sizes: [1001] },
  }),
  ...because("LocalStack 4.14.0 fails to write a continuation token for a key beyond Latin-1", {
    "a page may end on an emoji": { pages: [["a"], "InternalError"] },
  }),
  ...because("LocalStack 4.14.0 fails to read a continuation token that is not its own", {
    "a made-up continuation token is an InvalidArgument": { status: 500, code: "InternalError" },
  }),
  ...because("LocalStack 4.14.0 encodes listed keys as a path, not as a form", {
    "EncodingType url writes a space as +": { prefix: "a%20b/" },
  }),
};

const ministack: Readonly<Record<string, Difference>> = {
  ...because("MiniStack 1.5.33 does not name the condition that failed", {
    "PUT If-None-Match: * on an existing key is refused": { ...preconditionFailed, after: "old" },
    "PUT If-Match with another ETag is refused": { ...preconditionFailed, after: "old" },
    "COPY with another ETag of the source is refused": { ...preconditionFailed, after: "NoSuchKey" },
    "DELETE If-Match with another ETag is refused": { ...preconditionFailed, after: "old" },
    "GET If-Match with another ETag is refused": preconditionFailed,
  }),
  ...because("MiniStack 1.5.33 does not name the key that is missing", {
    "PUT If-Match on a missing key is NoSuchKey": { ...noSuchKey, after: "NoSuchKey" },
    "PUT If-Match over a delete marker is NoSuchKey": { ...noSuchKey, after: "NoSuchKey" },
    "COPY of a missing source is NoSuchKey of the source": noSuchKey,
    "COPY of a source under a delete marker is NoSuchKey of the source": noSuchKey,
    "DELETE If-Match on a missing key is NoSuchKey": { ...noSuchKey, after: "NoSuchKey" },
    "DELETE If-Match over a delete marker is NoSuchKey": { ...noSuchKey, after: "NoSuchKey" },
    "DELETE If-Match: * on a missing key is NoSuchKey": { ...noSuchKey, after: "NoSuchKey" },
    "DELETE If-Match: * over a delete marker is NoSuchKey": { ...noSuchKey, after: "NoSuchKey" },
  }),
  ...because("MiniStack 1.5.33 takes conditions that AWS does not implement", {
    "PUT If-Match: * is not implemented": { status: 200, after: "new" },
    "PUT If-None-Match with an ETag is not implemented": { status: 200, after: "new" },
    "PUT with both conditions is not implemented": { ...preconditionFailed, after: "old" },
    "DELETE of a version with If-Match is not implemented": { status: 204, after: "NoSuchKey" },
  }),
  ...because("MiniStack 1.5.33 ignores the destination conditions of CopyObject and overwrites", {
    "COPY If-None-Match: * on an existing destination is refused": overwritten,
    "COPY If-Match with another ETag is refused": overwritten,
    "COPY If-Match on a missing destination is NoSuchKey of the destination": overwritten,
    "COPY If-Match over a delete marker is NoSuchKey of the destination": overwritten,
    "COPY If-Match: * is not implemented": overwritten,
    "COPY If-None-Match with an ETag is not implemented": overwritten,
    "COPY with both destination conditions is not implemented": overwritten,
  }),
  ...because("MiniStack 1.5.33 lets an object be copied onto itself unchanged", {
    "COPY onto itself without new metadata is an InvalidRequest": { status: 200 },
  }),
  ...because("MiniStack 1.5.33 enforces none of these limits", {
    "DeleteObjects refuses 1,001 keys": { status: 200, code: undefined },
    "a key of 1,025 bytes is too long": { status: 200, code: undefined },
    "metadata over 2 KB is too large": { status: 200, code: undefined },
    "a page holds 1,000 keys at most": { sizes: [1001] },
  }),
  ...because("MiniStack 1.5.33 takes any text for a continuation token", {
    "a made-up continuation token is an InvalidArgument": { status: 200, code: undefined },
  }),
  ...because("MiniStack 1.5.33 encodes listed keys as a path, not as a form", {
    "EncodingType url writes a space as +": { prefix: "a%20b/" },
  }),
};

/** Every row that is not here is answered as AWS answers it. SeaweedFS has no room for a bucket a row. */
export const differences: Readonly<Record<Exclude<ServerName, "seaweedfs">, Readonly<Record<string, Difference>>>> = {
  localstack,
  ministack,
};
