import { describe, expect, it } from "vitest";
import type { Deed } from "./journal.ts";
import { judge } from "./judge.ts";
import type { Input } from "./operations.ts";

const file = "/memories/shared-1.md";
const scratch = "/memories/scratch/1.md";
const [here, there] = ["/memories/moving-1.md", "/memories/moving-1-moved.md"] as const;

let clock = 0;

/** An operation that was answered with success, after all before it. */
function told(input: Input, rest: Partial<Deed> & Pick<Deed["operation"], "adds" | "removes"> = {}): Deed {
  const { adds, removes, ...changes } = rest;
  clock += 10;
  return {
    operation: { id: `w1-${clock}`, input, ...(adds && { adds }), ...(removes && { removes }) },
    worker: 1,
    deliveries: 1,
    started: clock,
    ended: clock + 5,
    outcome: { content: "", puts: 1, gets: 1, races: 0 },
    ...changes,
  };
}

const insert = (line: string, path: string = file): Deed =>
  told({ command: "insert", path, insert_line: 1, insert_text: line }, { adds: line });
const replace = (removes: string, adds: string): Deed =>
  told({ command: "str_replace", path: file, old_str: removes, new_str: adds }, { adds, removes });
const remove = (path: string): Deed => told({ command: "delete", path });
const rename = (): Deed => told({ command: "rename", old_path: here, new_path: there });
const refused = (from: Deed, code: "conflict" | "not_found" | "no_match" | "storage", content = ""): Deed => ({
  ...from,
  outcome: { code, content, puts: 1, gets: 1, races: 1 },
});
const twice = (from: Deed): Deed => ({ ...from, deliveries: 2 });

const wrongWith = (deeds: readonly Deed[], files: Readonly<Record<string, string>>): readonly string[] => {
  const { lost, doubled, faults } = judge(deeds, new Map(Object.entries(files)));
  return [...lost.map(() => "lost"), ...doubled.map(() => "doubled"), ...faults.map(() => "fault")];
};

describe("the judge of a stress run", () => {
  it("finds nothing wrong where every acknowledged line is there once", () => {
    expect(wrongWith([insert("<a>"), insert("<b>")], { [file]: "# stress\n<b>\n<a>\n" })).toEqual([]);
  });

  it("finds a line that was acknowledged and is not there", () => {
    expect(wrongWith([insert("<a>"), twice(insert("<b>"))], { [file]: "# stress\n" })).toEqual(["lost", "lost"]);
  });

  it("finds a line that is there twice, acknowledged or not", () => {
    const deeds = [twice(insert("<a>")), refused(twice(insert("<b>", here)), "not_found")];
    expect(wrongWith(deeds, { [file]: "<a>\n<a>\n", [here]: "<b>\n<b>\n" })).toEqual(["doubled", "doubled"]);
  });

  it("finds a line that was refused, and allows it where its first delivery may have been carried out", () => {
    const deed = refused(insert("<a>", here), "not_found");
    expect(wrongWith([deed], { [here]: "<a>\n" })).toEqual(["fault"]);
    expect(wrongWith([twice(deed)], { [here]: "<a>\n" })).toEqual([]);
  });

  it("finds a line that was replaced and has come back", () => {
    const deeds = [insert("<a>"), replace("<a>", "<b>")];
    expect(wrongWith(deeds, { [file]: "<b>\n" })).toEqual([]);
    expect(wrongWith(deeds, { [file]: "<a>\n<b>\n" })).toEqual(["fault"]);
    expect(wrongWith(deeds, { [file]: "<a>\n" })).toEqual(["lost", "fault"]);
  });

  it("allows a line to be gone if a delete came after or meanwhile, and finds it if the delete had ended before", () => {
    const before = remove(scratch);
    const line = insert("<a>", scratch);
    expect(wrongWith([before, line], {})).toEqual(["lost"]);
    expect(wrongWith([{ ...before, ended: line.started + 1 }, line], {})).toEqual([]);
    expect(wrongWith([line, remove("/memories/scratch")], {})).toEqual([]);
  });

  it("finds a line that a later delete was to take along", () => {
    expect(wrongWith([insert("<a>", scratch), remove("/memories/scratch")], { [scratch]: "<a>\n" })).toEqual(["fault"]);
  });

  it("allows a line at both names of a file only where a rename says so or was cut off", () => {
    const both = { [here]: "<a>\n", [there]: "<a>\n" };
    const line = insert("<a>", here);
    expect(wrongWith([line, rename()], both)).toEqual(["doubled"]);
    expect(wrongWith([line, refused(rename(), "conflict", "both were kept")], both)).toEqual([]);
    expect(wrongWith([line, refused(twice(rename()), "not_found")], both)).toEqual([]);
    expect(
      wrongWith([line, refused(rename(), "conflict", "both were kept")], { ...both, [here]: "<a>\n<a>\n" }),
    ).toEqual(["doubled"]);
  });

  it("finds an answer that is not documented, an operation without one, and what nobody wrote", () => {
    expect(wrongWith([refused(insert("<a>"), "storage")], {})).toEqual(["fault"]);
    expect(wrongWith([refused(replace("<a>", "<b>"), "no_match")], {})).toEqual(["fault"]);
    expect(wrongWith([{ ...insert("<a>"), outcome: undefined }], {})).toEqual(["fault"]);
    expect(wrongWith([], { [file]: "# stress\nwho?\n" })).toEqual(["fault"]);
    expect(wrongWith([insert("<a>", here)], { [file]: "<a>\n" })).toEqual(["fault"]);
  });
});
