import { describe, expect, it } from "vitest";
import {
  carriesWrite,
  isNewestWrite,
  isSameFile,
  movedFromOf,
  seenFile,
  stampWrite,
  writesOf,
} from "../../src/core/write-record.ts";

const written = (metadata: Record<string, string>, version = '"etag"') => ({ metadata, version });
const stamp = (writeId: string) => ({ writeId, command: "create", actor: undefined });

describe("what a file's metadata says of its writes", () => {
  it("keeps the ids of the last 16 writes, newest first", () => {
    let metadata = stampWrite(undefined, stamp("id1"));
    for (let write = 2; write <= 20; write++) metadata = stampWrite(written(metadata), stamp(`id${write}`));
    expect(writesOf(written(metadata))).toHaveLength(16);
    expect(writesOf(written(metadata))[0]).toBe("id20");
    expect(carriesWrite(metadata, "id5")).toBe(true);
    expect(carriesWrite(metadata, "id4")).toBe(false);
    expect(isNewestWrite(metadata, "id19")).toBe(false);
  });

  it("names a write once, however often it is stamped", () => {
    const twice = stampWrite(written(stampWrite(undefined, stamp("a"))), stamp("a"));
    expect(writesOf(written(twice))).toEqual(["a"]);
  });

  it("carries the marker of a rename and other tools' metadata on", () => {
    const moved = stampWrite(written({ owner: "me" }), stamp("a"), "marker");
    const edited = stampWrite(written(moved), stamp("b"));
    expect(movedFromOf(edited)).toBe("marker");
    expect(edited).toMatchObject({ owner: "me", "write-ids": "b,a,x-etag", command: "create" });
  });

  it("drops other tools' metadata where S3 would refuse it, and stays below 2 KB with ids of 22 characters", () => {
    const foreign = { big: "x".repeat(2_000), odd: "ä" };
    let metadata = stampWrite(
      written(foreign),
      { ...stamp("0".padStart(22, "x")), actor: "a".repeat(200) },
      "m".repeat(22),
    );
    expect(metadata).not.toHaveProperty("big");
    expect(metadata).not.toHaveProperty("odd");
    for (let write = 1; write <= 16; write++)
      metadata = stampWrite(written(metadata), stamp(String(write).padStart(22, "x")));
    const bytes = Object.entries(metadata).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
    expect(bytes).toBeLessThan(1_024);
  });

  it("takes nothing for a history that another tool wrote under the same name", () => {
    const foreign = written({ "write-ids": `${"x".repeat(1_900)},not an id`, "moved-from": "y".repeat(300) });
    const metadata = stampWrite(foreign, stamp("a"));
    expect(writesOf(written(metadata))).toEqual(["a", "x-etag"]);
    expect(movedFromOf(metadata)).toBeUndefined();
  });

  it("tells a file that was edited from a new one in its place", () => {
    const file = written(stampWrite(undefined, stamp("a")));
    const edited = written(stampWrite(file, stamp("b")), '"edited"');
    const fresh = written(stampWrite(undefined, stamp("c")), '"fresh"');
    expect(isSameFile(edited, seenFile(file))).toBe(true);
    expect(isSameFile(fresh, seenFile(file))).toBe(false);
    const foreign = written({}, '"foreign"');
    expect(isSameFile(written(stampWrite(foreign, stamp("d")), '"edited"'), seenFile(foreign))).toBe(true);
    expect(isSameFile(written({}, '"another"'), seenFile(foreign))).toBe(false);
  });
});
