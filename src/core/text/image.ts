/** Bytes. A larger image is too large to view. */
export const maximumImageBytes = 5 * 1024 * 1024;

type ImageMediaType = "image/png" | "image/jpeg";

const kinds: readonly {
  readonly mediaType: ImageMediaType;
  readonly ending: RegExp;
  readonly firstBytes: readonly number[];
}[] = [
  { mediaType: "image/png", ending: /\.png$/i, firstBytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { mediaType: "image/jpeg", ending: /\.jpe?g$/i, firstBytes: [0xff, 0xd8, 0xff] },
];

/** The kind of image that both the path's ending and the first bytes say; `undefined` where they don't agree. */
export function imageMediaType(path: string, bytes: Uint8Array): ImageMediaType | undefined {
  return kinds.find(
    ({ ending, firstBytes }) => firstBytes.every((byte, index) => bytes[index] === byte) && ending.test(path),
  )?.mediaType;
}

const digits = new TextEncoder().encode("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
const padding = "=".charCodeAt(0);

/** Base64 with padding. By a table and in one piece: `btoa` takes seven times as long for 5 MB. */
export function encodeBase64(bytes: Uint8Array): string {
  const output = new Uint8Array(Math.ceil(bytes.length / 3) * 4);
  const digit = (value: number): number => digits[value & 63] ?? padding;
  for (let from = 0, to = 0; from < bytes.length; from += 3, to += 4) {
    const group = ((bytes[from] ?? 0) << 16) | ((bytes[from + 1] ?? 0) << 8) | (bytes[from + 2] ?? 0);
    output[to] = digit(group >> 18);
    output[to + 1] = digit(group >> 12);
    output[to + 2] = digit(group >> 6);
    output[to + 3] = digit(group);
  }
  const unused = (3 - (bytes.length % 3)) % 3;
  output.fill(padding, output.length - unused);
  return new TextDecoder().decode(output);
}
