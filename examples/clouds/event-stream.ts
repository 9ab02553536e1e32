import { crc32 } from "node:zlib";

/**
 * Server-sent events in the frames in which Bedrock streams them: lengths, headers and payload, with two checksums.
 *
 * @see https://smithy.io/2.0/aws/amazon-eventstream.html
 */
export function asEventStream(events: string): Buffer {
  const data = events.match(/(?<=^data: ).+$/gmu) ?? [];
  return Buffer.concat(data.map((event) => frame({ bytes: Buffer.from(event).toString("base64") })));
}

const headers = Buffer.concat([
  header(":event-type", "chunk"),
  header(":content-type", "application/json"),
  header(":message-type", "event"),
]);

function header(name: string, value: string): Buffer {
  const string = 7; // the type of the value
  return Buffer.concat([
    Buffer.of(name.length),
    Buffer.from(name),
    Buffer.of(string),
    bigEndian(value.length, 2),
    Buffer.from(value),
  ]);
}

function frame(payload: unknown): Buffer {
  const body = Buffer.from(JSON.stringify(payload));
  const prelude = Buffer.concat([bigEndian(16 + headers.length + body.length, 4), bigEndian(headers.length, 4)]);
  const message = Buffer.concat([prelude, bigEndian(crc32(prelude), 4), headers, body]);
  return Buffer.concat([message, bigEndian(crc32(message), 4)]);
}

function bigEndian(value: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
}
