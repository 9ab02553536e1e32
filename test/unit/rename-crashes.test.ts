import { describe, expect, it } from "vitest";
import {
  before,
  bucketWith,
  failing,
  fates,
  killAt,
  requestsOf,
  seeded,
  shuffled,
  type Bucket,
  type Files,
  type Request,
} from "../support/crash.ts";
import { storeFailure } from "../support/test-memory.ts";

const path = (name: string): string => `/memories/${name}`;
const rename = (from: string, to: string): object => ({
  command: "rename",
  old_path: path(from),
  new_path: path(to),
});
const create = (name: string, file_text: string): object => ({ command: "create", path: path(name), file_text });
const edit = (name: string): object => ({
  command: "str_replace",
  path: path(name),
  old_str: "written",
  new_str: "edited",
});
const remove = (name: string): object => ({ command: "delete", path: path(name) });

const command = rename("d", "e");
const renamed = "Successfully renamed /memories/d to /memories/e";
const gone = "Error: The path /memories/d does not exist";
const taken = "Error: The destination /memories/e already exists";
const movedMeanwhile = "{k} of {n} files were moved by someone else meanwhile; view again";

/** What is renamed, always from `d` to `e`: a file is named as its path, a directory's files by what follows that. */
interface Subject {
  readonly title: string;
  readonly names: readonly string[];
  /** The file that others change. */
  readonly chosen: string;
  /** What a repeat may hear while a write of the first worker comes late. */
  readonly answers: readonly string[];
}

const file: Subject = { title: "a file", names: [""], chosen: "", answers: [renamed, gone] };
const directory: Subject = {
  title: "a directory of 6 files",
  names: ["/a.md", "/b.md", "/c.md", "/sub/d.md", "/sub/deeper/e.md", "/z"],
  chosen: "/c.md",
  answers: [renamed, gone, taken, movedMeanwhile],
};

const textOf = (name: string): string => `written as ${name}\r\nand more`;
const filesIn = (place: string, names: readonly string[]): Files =>
  Object.fromEntries(names.map((name) => [place + name, textOf(name)]));
/** What stands beside what is renamed, and must never change. */
const neighbours: Files = { "d.md": "beside the source", "e.md": "beside the destination", "sub/a.md": "elsewhere" };

const requestsToMove = (names: readonly string[]): Promise<readonly Request[]> => {
  const bucket = bucketWith({ ...neighbours, ...filesIn("d", names) });
  return requestsOf((gate) => bucket.say(command, gate));
};

async function boundariesOf({ names }: Subject): Promise<readonly { count: number; request: string }[]> {
  const requests = await requestsToMove(names);
  return requests.map(({ method, name }, index) => ({ count: index + 1, request: `${method} ${name}` }));
}

const fileBoundaries = await boundariesOf(file);
const directoryBoundaries = await boundariesOf(directory);
const subjects = [
  { subject: file, boundaries: fileBoundaries },
  { subject: directory, boundaries: directoryBoundaries },
] as const;

/** Every text at its old or its new name, or at both, and nothing else. */
function expectNothingLost(files: Files, names: readonly string[]): void {
  const places = (name: string): readonly (string | undefined)[] => [files[`d${name}`], files[`e${name}`]];
  expect(names.filter((name) => !places(name).includes(textOf(name)))).toEqual([]);
  const possible: Files = { ...neighbours, ...filesIn("d", names), ...filesIn("e", names) };
  expect(Object.keys(files).filter((name) => files[name] !== possible[name])).toEqual([]);
}

const below = (place: string, files: Files): readonly string[] =>
  Object.keys(files).filter((name) => name === place || name.startsWith(`${place}/`));

describe.each(subjects)(
  "a rename of $subject.title whose worker dies",
  ({ subject: { names, answers }, boundaries }) => {
    const cases = boundaries.flatMap((boundary) => fates.map((fate) => ({ ...boundary, fate })));

    it.each(cases)("loses nothing at request $count, $request, $fate, and a repeat finishes it", async (death) => {
      const bucket = bucketWith({ ...neighbours, ...filesIn("d", names) });
      const { arrive } = await killAt(death.count, death.fate, (gate) => bucket.say(command, gate));
      const left = bucket.files();
      expectNothingLost(left, names);

      const moved = { ...neighbours, ...filesIn("e", names) };
      const hears = await bucket.say(command);
      expect(hears).toBe(below("d", left).length > 0 ? renamed : gone);
      expect(bucket.files()).toEqual(moved);
      await arrive();
      expect(bucket.files()).toEqual(moved);
      expect(await bucket.say(command)).toBe(gone);
      expect(bucket.files()).toEqual(moved);
    });

    it.each(boundaries)(
      "loses nothing where request $count, $request, arrives while another repeats it",
      async (death) => {
        for (let moment = 1, isOver = false; !isOver; moment++) {
          const bucket = bucketWith({ ...neighbours, ...filesIn("d", names) });
          const { arrive } = await killAt(death.count, "late", (gate) => bucket.say(command, gate));
          isOver = true; // unless the repeat comes as far as this moment
          const repeating = before(moment, async () => {
            isOver = false;
            await arrive();
          });
          const hears = await bucket.say(command, repeating);
          await arrive();
          expect(answers).toContain(hears.replace(/^\d of \d /, "{k} of {n} "));
          expect(bucket.files()).toEqual({ ...neighbours, ...filesIn("e", names) });
        }
      },
    );
  },
);

/** Where the chosen file is when its worker has died. */
type State = "not copied" | "copied" | "moved";

/** The texts at the source, at the destination and at a third name after the repeat. */
type Left = readonly [source?: string | undefined, copy?: string | undefined, away?: string];

interface Interference {
  readonly title: string;
  readonly others: (source: string, copy: string) => readonly object[];
  readonly left: Readonly<Record<State, Left>>;
}

const [written, edited, anew] = ["written", "edited", "anew"];

const interferences: readonly Interference[] = [
  {
    title: "the source was edited",
    others: (source) => [edit(source)],
    left: { "not copied": [undefined, edited], copied: [edited, written], moved: [undefined, written] },
  },
  {
    title: "the source was deleted",
    others: (source) => [remove(source)],
    left: { "not copied": [], copied: [undefined, written], moved: [undefined, written] },
  },
  {
    title: "the source was deleted and created anew",
    others: (source) => [remove(source), create(source, anew)],
    left: { "not copied": [undefined, anew], copied: [anew, written], moved: [anew, written] },
  },
  {
    title: "the source was renamed to a third name",
    others: (source) => [rename(source, "away")],
    left: {
      "not copied": [undefined, undefined, written],
      copied: [undefined, written, written],
      moved: [undefined, written],
    },
  },
  {
    title: "the copy was edited",
    others: (_, copy) => [edit(copy)],
    left: { "not copied": [undefined, written], copied: [undefined, edited], moved: [undefined, edited] },
  },
  {
    title: "the copy was renamed to a third name",
    others: (_, copy) => [rename(copy, "away")],
    left: {
      "not copied": [undefined, written],
      copied: [undefined, written, written],
      moved: [undefined, undefined, written],
    },
  },
  {
    title: "the copy was deleted",
    others: (_, copy) => [remove(copy)],
    left: { "not copied": [undefined, written], copied: [undefined, written], moved: [] },
  },
];

function stateOf(files: Files, chosen: string): State {
  if (!(`d${chosen}` in files)) return "moved";
  return `e${chosen}` in files ? "copied" : "not copied";
}

/** Carries out what others do. What they were promised must be somewhere from then on. */
async function interfere(bucket: Bucket, chosen: string, { others }: Interference): Promise<readonly string[]> {
  const worker = bucket.worker();
  const text = textOf(chosen);
  let promised = [text];
  for (const other of others(`d${chosen}`, `e${chosen}`)) {
    if ((await worker.execute(other)).isError) continue;
    if ("file_text" in other) promised.push(anew);
    else if ("new_str" in other) promised = [text.replace(written, edited)];
    else if (!("new_path" in other)) promised = [];
  }
  return promised;
}

/** The first word of each text says what it is. */
const kindOf = (text: string | undefined): string | undefined => text?.split(" ")[0];

describe.each(subjects)("a rename of $subject.title, repeated after its worker's death", ({ subject, boundaries }) => {
  const { names, chosen } = subject;
  const others = names.filter((name) => name !== chosen);

  it.each(interferences)("answers by what it finds where $title", async (interference) => {
    for (const { count, request } of boundaries) {
      for (const fate of fates) {
        const bucket = bucketWith({ ...neighbours, ...filesIn("d", names) });
        const { arrive } = await killAt(count, fate, (gate) => bucket.say(command, gate));
        const state = stateOf(bucket.files(), chosen);
        await interfere(bucket, chosen, interference);
        const isThere = below("d", bucket.files()).length > 0;
        const hears = await bucket.say(command);

        const files = bucket.files();
        const left = interference.left[state];
        const at = `${state}, died at request ${count}, ${request}, ${fate}`;
        expect(hears, at).toBe(left[0] === undefined ? (isThere ? renamed : gone) : taken);
        const found = [files[`d${chosen}`], files[`e${chosen}`], files["away"]].map(kindOf);
        expect(found, at).toEqual([left[0], left[1], left[2]]);
        for (const name of others) expect([files[`d${name}`], files[`e${name}`]], at).toContain(textOf(name));
        if (hears === renamed) expect(below("d", files), at).toEqual([]);

        await arrive();
        const texts = new Set(Object.values(bucket.files()));
        expect(
          Object.values(files).filter((text) => !texts.has(text)),
          at,
        ).toEqual([]);
      }
    }
  });

  const writes = boundaries.filter(({ request }) => /^(put|delete)/.test(request));

  it.each(interferences)(
    "loses no promised text where $title and the dead worker's write arrives late",
    async (interference) => {
      for (const { count, request } of writes) {
        for (let moment = 0, isOver = false; !isOver; moment++) {
          const bucket = bucketWith({ ...neighbours, ...filesIn("d", names) });
          const { arrive } = await killAt(count, "late", (gate) => bucket.say(command, gate));
          const promised = await interfere(bucket, chosen, interference);
          isOver = moment > 0; // unless the repeat comes as far as this moment
          if (moment === 0) await arrive();
          const repeating = before(moment, async () => {
            isOver = false;
            await arrive();
          });
          const hears = await bucket.say(command, repeating);

          const files = bucket.files();
          const at = `${request} arrives before request ${moment} of the repeat`;
          const texts = new Set(Object.values(files));
          expect(
            promised.filter((text) => !texts.has(text)),
            at,
          ).toEqual([]);
          for (const name of others) expect([files[`d${name}`], files[`e${name}`]], at).toContain(textOf(name));
          if (hears === renamed) expect(below("d", files), at).toEqual([]);
        }
      }
    },
  );
});

const refusals = [
  gone,
  "Error: /memories/d was changed meanwhile: nothing was changed by this command, view it again",
  "1 of 6 files were moved by someone else meanwhile; view again",
  "1 files that were added or changed meanwhile stayed in /memories/d; view again",
];

describe.each(subjects)("a rename of $subject.title that others interfere with", ({ subject, boundaries }) => {
  const { names, chosen } = subject;
  const others = names.filter((name) => name !== chosen);

  it.each(interferences)("loses no promised text where $title, whenever that is", async (interference) => {
    for (const { count, request } of boundaries) {
      const bucket = bucketWith({ ...neighbours, ...filesIn("d", names) });
      let promised: readonly string[] = [];
      const interfering = before(count, async () => (promised = await interfere(bucket, chosen, interference)));
      const hears = await bucket.say(command, interfering);

      const files = bucket.files();
      const at = `before request ${count}, ${request}`;
      const texts = new Set(Object.values(files));
      expect(
        promised.filter((text) => !texts.has(text)),
        at,
      ).toEqual([]);
      for (const name of others) expect([files[`d${name}`], files[`e${name}`]], at).toContain(textOf(name));
      if (hears === renamed)
        expect(
          below("d", files).filter((name) => files[name] !== anew),
          at,
        ).toEqual([]);
      else expect(refusals, at).toContain(hears);
    }
  });
});

const failures = [
  { failure: storeFailure("unknown", 503), said: "answered with 503" },
  { failure: storeFailure("unknown"), said: "cut off" },
  { failure: storeFailure("unsettled"), said: "timed out" },
] as const;

describe.each(subjects)(
  "a rename of $subject.title one of whose requests fails",
  ({ subject: { names }, boundaries }) => {
    const cases = boundaries.flatMap(({ count, request }) =>
      failures.map(({ failure, said }) => ({ count, request, failure, said })),
    );

    it.each(cases)("loses nothing where request $count, $request, was $said", async ({ count, failure }) => {
      for (const isCarriedOut of [true, false]) {
        const bucket = bucketWith({ ...neighbours, ...filesIn("d", names) });
        const result = await bucket.worker(failing(count, failure, isCarriedOut)).execute(command);
        const left = bucket.files();
        expectNothingLost(left, names);
        if (result.isError) expect(["outcome_unknown", "storage"]).toContain(result.code);
        else expect(below("d", left)).toEqual([]);
        expect(await bucket.say(command)).toBe(below("d", left).length > 0 ? renamed : gone);
        expect(bucket.files()).toEqual({ ...neighbours, ...filesIn("e", names) });
      }
    });
  },
);

const manyNames = Array.from({ length: 1_000 }, (_, index) => `/${index % 7}/${index}.md`);
const manyRequests = (await requestsToMove(manyNames)).length;
const seeds = Array.from({ length: 50 }, (_, index) => ({ seed: 20_261_130 + index }));

describe("a rename of a directory of 1,000 files whose worker dies", () => {
  it.each(seeds)(
    "loses nothing, whatever order its requests had, and a repeat finishes it (seed $seed)",
    async ({ seed }) => {
      const pick = seeded(seed);
      const files = filesIn("d", manyNames);
      const bucket = bucketWith({ ...neighbours, ...files });
      const death = await killAt(1 + pick(manyRequests), fates[pick(fates.length)] ?? "late", (gate) => {
        const order = shuffled(pick);
        return bucket.say(command, (request, carryOut) => order(request, () => gate(request, carryOut)));
      });
      const left = bucket.files();
      expectNothingLost(left, manyNames);
      const hears = await bucket.say(command);
      expect(hears).toBe(below("d", left).length > 0 ? renamed : gone);
      await death.arrive();
      expect(bucket.files()).toEqual({ ...neighbours, ...filesIn("e", manyNames) });
      expect(await bucket.say(command)).toBe(gone);
    },
  );
});
