import type { Part } from "../part.ts";
import { filesSdk, filesSdkWithConditions } from "./files-sdk.ts";
import { answerTo, probes, type Answers } from "./guarantees.ts";
import { localDisk } from "./local-disk.ts";
import { mastra } from "./mastra.ts";
import { measureAll, type Contestant, type Rounds, type Row } from "./measure.ts";
import { ours, type OurOptions } from "./ours.ts";
import { diskPlace, fakePlace, localStackPlace, type S3Place } from "./place.ts";
import { plainHandler } from "./plain-handler.ts";
import { scenarios } from "./scenarios.ts";
import type { MakeSide } from "./side.ts";
import { findings, tables } from "./tables.ts";

type Log = (line: string) => void;

function sides(options: OurOptions): readonly MakeSide[] {
  const uncached = { ...options, cache: { bytes: 0 } };
  return [
    (address) => ours("s3-memory-tool", address, options),
    (address) => ours("s3-memory-tool, no cache", address, uncached),
    mastra,
    filesSdk,
    filesSdkWithConditions,
    plainHandler,
  ];
}

const quickRounds: Rounds = { warmUps: 0, samples: () => 1 };
const fullRounds: Rounds = { warmUps: 2, samples: () => 15 };
/** Its 100 files take a second to lay out, for each side and sample. */
const localStackRounds: Rounds = { warmUps: 1, samples: ({ files }) => (files.length === 100 ? 5 : 15) };

/** What needs conditional deletes cannot run on LocalStack. */
const conditionalDeletes = new Set(
  scenarios.map(({ name }) => name).filter((name) => name.startsWith("delete") || name.startsWith("rename")),
);

/** Requests, round trips and time of each command against what a user could take instead, and what each side guarantees. */
export const commands: Part = async ({ quick, log }) => {
  const delayed = await withPlace(await fakePlace({ delay: quick ? 2 : 20 }), async (place) => {
    log("commands on the fake S3");
    const contestants = sides({}).map((makeSide) => ({ side: makeSide(place), place }));
    return measureAll(contestants, scenarios, quick ? quickRounds : fullRounds, log);
  });
  log("what each side does when others interfere");
  const answers = await askAll();
  const local = await onLocalStack(quick, log);
  const disk = await withPlace(await diskPlace(), (place) => {
    log("the SDK's own tool on disk");
    const contestant = { side: localDisk(place.folderOf), place };
    return measureAll([contestant], scenarios, quick ? quickRounds : fullRounds, log);
  });
  const measured = { delayed, local, disk, answers };
  return { findings: findings(measured), tables: tables(measured), data: measured };
};

async function onLocalStack(quick: boolean, log: Log): Promise<readonly Row[]> {
  // A run that only looks whether all works needs no Python.
  const place = quick ? await fakePlace({ delay: 0, conditionalDelete: false }) : await localStackPlace(log);
  return withPlace(place, async () => {
    log("commands on LocalStack");
    const contestants = sides({ conditionalDelete: false }).map((makeSide): Contestant => {
      const side = makeSide(place);
      return makeSide === filesSdkWithConditions ? { side, place, cannot: conditionalDeletes } : { side, place };
    });
    return measureAll(contestants, scenarios, quick ? quickRounds : localStackRounds, log);
  });
}

async function askAll(): Promise<Answers> {
  return withPlace(await fakePlace({ delay: 0 }), async (place) => {
    const answers: Record<string, Record<string, string>> = {};
    for (const [index, probe] of probes.entries()) {
      const row: Record<string, string> = {};
      for (const makeSide of sides({})) {
        const worker = () => makeSide(place);
        const { name } = worker();
        row[name] = await answerTo(probe, worker, place.fake, `${index}-${Object.keys(row).length}`);
      }
      answers[probe.question] = row;
    }
    return answers;
  });
}

async function withPlace<Where extends Pick<S3Place, "close">, Result>(
  place: Where,
  run: (place: Where) => Promise<Result>,
): Promise<Result> {
  try {
    return await run(place);
  } finally {
    await place.close();
  }
}
