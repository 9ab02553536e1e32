import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { S3Error } from "./s3-error.ts";
import type { Headers } from "./s3-request.ts";

interface DecodedBody {
  readonly body: Buffer;
  /** The trailers of an `aws-chunked` body, lower-case names. */
  readonly trailers: Headers;
}

function incompleteBody(): S3Error {
  const message = "The request body terminated unexpectedly";
  return new S3Error(400, "IncompleteBody", message);
}

/** Takes `aws-chunked` apart: `{hex size}[;signature]\r\n{data}\r\n … 0\r\n{trailers}\r\n`. */
function decodeChunks(raw: Buffer): DecodedBody {
  const chunks: Buffer[] = [];
  let position = 0;
  for (;;) {
    const lineEnd = raw.indexOf("\r\n", position);
    const size = /^([0-9a-f]+)(?:;.*)?$/iu.exec(raw.toString("latin1", position, Math.max(lineEnd, position)))?.[1];
    if (lineEnd === -1 || size === undefined) throw incompleteBody();
    const start = lineEnd + 2;
    const end = start + Number.parseInt(size, 16);
    if (start === end) {
      const rest = raw.toString("latin1", start);
      if (rest !== "\r\n" && !rest.endsWith("\r\n\r\n")) throw incompleteBody();
      const lines = rest.split("\r\n");
      const trailers = lines.map((line) => line.split(/:\s*/u)).filter(([name]) => name !== "");
      return {
        body: Buffer.concat(chunks),
        trailers: Object.fromEntries(trailers.map(([name = "", value]) => [name.toLowerCase(), value])),
      };
    }
    if (raw.toString("latin1", end, end + 2) !== "\r\n") throw incompleteBody();
    chunks.push(raw.subarray(start, end));
    position = end + 2;
  }
}

const digests: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  "content-md5": (body) => createHash("md5").update(body).digest(),
  "x-amz-checksum-sha1": (body) => createHash("sha1").update(body).digest(),
  "x-amz-checksum-sha256": (body) => createHash("sha256").update(body).digest(),
  "x-amz-checksum-crc32": (body) => {
    const checksum = Buffer.alloc(4);
    checksum.writeUInt32BE(crc32(body));
    return checksum;
  },
};

/** `Content-Encoding` names it only if the client wrote it there; the signature of a streamed body always does. */
function isChunked(headers: Headers): boolean {
  const encodings = (headers["content-encoding"] ?? "").split(/,\s*/u);
  return encodings.includes("aws-chunked") || (headers["x-amz-content-sha256"] ?? "").startsWith("STREAMING-");
}

/** The bytes a client meant to send. Throws `IncompleteBody`, or `BadDigest` where a checksum it sent along differs. */
export function decodeBody(raw: Buffer, headers: Headers): Buffer {
  const { body, trailers } = isChunked(headers) ? decodeChunks(raw) : { body: raw, trailers: {} };
  const length = headers["x-amz-decoded-content-length"];
  if (length !== undefined && Number(length) !== body.length) throw incompleteBody();
  for (const [name, digest] of Object.entries(digests)) {
    const sent = headers[name] ?? trailers[name];
    if (sent !== undefined && sent !== digest(body).toString("base64")) {
      throw new S3Error(400, "BadDigest", `The ${name} you specified did not match the calculated checksum.`);
    }
  }
  return body;
}
