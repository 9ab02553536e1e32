import { readFile } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { groups } from "./cases/index.ts";
import { differs, ourOutcome, sdkOutcome, type ConformanceCase, type Outcome } from "./conformance-case.ts";
import { renderPage } from "./page.ts";
import { startOurTool, type OurTool } from "./run-ours.ts";
import { runOnSdk } from "./run-sdk.ts";

const mostTries = 50;

/** A race may come out otherwise now and then; then the SDK's tool is given another try. */
async function runOnSdkAsStated(one: ConformanceCase, stated: Outcome): Promise<Outcome> {
  let outcome = await runOnSdk(one);
  for (let tries = 1; one.sdkRaces === true && tries < mostTries && !isDeepStrictEqual(outcome, stated); tries += 1) {
    outcome = await runOnSdk(one);
  }
  return outcome;
}

describe("next to the SDK's local memory tool", () => {
  let ours: OurTool;
  beforeAll(async () => {
    ours = await startOurTool();
  });
  afterAll(() => ours.close());

  for (const { title, cases } of groups) {
    describe(title, () => {
      for (const one of cases) {
        it(one.name, async () => {
          const stated = sdkOutcome(one);
          expect(await ours.run(one), "ours").toEqual(ourOutcome(one));
          expect(await runOnSdkAsStated(one, stated), "the SDK's tool").toEqual(stated);
        });
      }
    });
  }
});

describe("the cases", () => {
  const cases = groups.flatMap((group) => group.cases);

  it("have names of their own in their group", () => {
    for (const { title, cases: ofGroup } of groups) {
      expect(new Set(ofGroup.map(({ name }) => name)).size, title).toBe(ofGroup.length);
    }
  });

  it("give a reason just where the two tools differ", () => {
    const wrong = cases.filter((one) => differs(one) !== (one.why !== undefined));
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it("state no difference that is none", () => {
    const wrong = cases.filter(
      ({ calls, files = {}, after = files, sdkAfter }) =>
        calls.some(([, ours, sdk]) => isDeepStrictEqual(ours, sdk)) || isDeepStrictEqual(after, sdkAfter),
    );
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });
});

describe("docs/conformance.md", () => {
  it("is what scripts/conformance.ts makes of the cases", async () => {
    expect(await readFile(new URL("../../docs/conformance.md", import.meta.url), "utf8")).toBe(renderPage(groups));
  });
});
