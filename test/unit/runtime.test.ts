import { expect, it } from "vitest";
import { systemRuntime } from "../../src/runtime.ts";

it("makes ids of 128 random bits, none of them twice", () => {
  const ids = Array.from({ length: 2_000 }, () => systemRuntime.randomId());
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^[\w-]{22}$/u.test(id))).toEqual([]);
  // Nearly every value at each place (of 256, with 2,000 draws): no byte is left as it was.
  const places = ids.map((id) => Buffer.from(id, "base64url"));
  for (let index = 0; index < 16; index += 1)
    expect(new Set(places.map((bytes) => bytes[index])).size).toBeGreaterThan(220);
});
