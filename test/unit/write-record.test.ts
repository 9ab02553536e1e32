import { describe, expect, it } from "vitest";
import { carriesWrite, isNewestWrite, movedFromOf, stampWrite, writeIdsOf } from "../../src/core/write-record.ts";

const stamp = (writeId: string) => ({ writeId, command: "create", actor: undefined });

describe("what a file's metadata says of its writes", () => {
  it("keeps the ids of the last 16 writes, newest first", () => {
    let metadata = {};
    for (let write = 1; write <= 20; write++) metadata = stampWrite(metadata, stamp(`id${write}`));
    expect(writeIdsOf(metadata)).toHaveLength(16);
    expect(writeIdsOf(metadata)[0]).toBe("id20");
    expect(carriesWrite(metadata, "id5")).toBe(true);
    expect(carriesWrite(metadata, "id4")).toBe(false);
    expect(isNewestWrite(metadata, "id19")).toBe(false);
  });

  it("names a write once, however often it is stamped", () => {
    const twice = stampWrite(stampWrite({}, stamp("a")), stamp("a"));
    expect(writeIdsOf(twice)).toEqual(["a"]);
  });

  it("carries the marker of a rename and other tools' metadata on", () => {
    const moved = stampWrite({ owner: "me" }, stamp("a"), "marker");
    const edited = stampWrite(moved, stamp("b"));
    expect(movedFromOf(edited)).toBe("marker");
    expect(edited).toMatchObject({ owner: "me", "write-ids": "b,a", command: "create" });
  });

  it("drops other tools' metadata where S3 would refuse it, and stays below 2 KB with ids of 22 characters", () => {
    const foreign = { big: "x".repeat(2_000), odd: "ä" };
    let metadata = stampWrite(foreign, { ...stamp("0".padStart(22, "x")), actor: "a".repeat(200) }, "m".repeat(22));
    expect(metadata).not.toHaveProperty("big");
    expect(metadata).not.toHaveProperty("odd");
    for (let write = 1; write <= 16; write++) metadata = stampWrite(metadata, stamp(String(write).padStart(22, "x")));
    const bytes = Object.entries(metadata).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
    expect(bytes).toBeLessThan(1_024);
  });
});
