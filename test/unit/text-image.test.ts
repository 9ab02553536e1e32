import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeBase64, imageMediaType } from "../../src/core/text/image.ts";

const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1);
const jpeg = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0);

describe("imageMediaType", () => {
  it.each([
    ["/memories/a.png", png, "image/png"],
    ["/memories/a.PNG", png, "image/png"],
    ["/memories/a.jpg", jpeg, "image/jpeg"],
    ["/memories/a.JpEg", jpeg, "image/jpeg"],
    ["/memories/a.png", jpeg, undefined],
    ["/memories/a.jpg", png, undefined],
    ["/memories/a.png", png.subarray(0, 7), undefined],
    ["/memories/a.png", new Uint8Array(), undefined],
    ["/memories/a.gif", png, undefined],
    ["/memories/png", png, undefined],
    ["/memories/a.png.txt", png, undefined],
  ])("says what %s is only where its first bytes say the same (%#)", (path, bytes, mediaType) => {
    expect(imageMediaType(path, bytes)).toBe(mediaType);
  });
});

describe("encodeBase64", () => {
  it("agrees with Node's own encoding", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 50 }), (bytes) => {
        expect(encodeBase64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
      }),
      { numRuns: 1_000 },
    );
  });

  it("encodes 5 MB in well under a second", () => {
    const bytes = new Uint8Array(5 * 1024 * 1024).map((_, index) => index * 7);
    const started = performance.now();
    const encoded = encodeBase64(bytes);
    expect(performance.now() - started).toBeLessThan(1_000);
    expect(encoded).toBe(Buffer.from(bytes).toString("base64"));
  });
});
