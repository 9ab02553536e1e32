import assert from "node:assert/strict";
import { httpEvent, memoryUse } from "../../examples/lambda-agent/events.ts";
import { noted, path, recall, remember } from "../../examples/lambda-agent/script.ts";
import type { MemoryAnswer } from "../../src/adapters/lambda.ts";
import type { ExecutionEnvironment, HttpAnswer } from "./environment.ts";
import type { Stage } from "./stage.ts";

/** Plays one thing that happens to a function; answers it in a few words, and throws where it is not as expected. */
export type Scenario = (stage: Stage) => Promise<string>;

const notes = "/memories/notes.md";
const timeoutSeconds = 3;
/** Whose function ends itself has answered before Lambda would have ended it; a slow machine takes nothing of that away. */
const answeredInTime = (milliseconds: number): string => {
  assert.ok(milliseconds < timeoutSeconds * 1000, `it took ${milliseconds} ms of ${timeoutSeconds} s`);
  return `${(milliseconds / 1000).toFixed(1)} of ${timeoutSeconds} s`;
};

/** A turn of Claude's with these calls, of somebody who has a token. */
const turn = (user: string | undefined, ...content: readonly unknown[]): unknown =>
  httpEvent("/memory", user, { content });
const resultsOf = ({ statusCode, body }: HttpAnswer): MemoryAnswer["content"] => {
  assert.equal(statusCode, 200, JSON.stringify(body));
  return (body as MemoryAnswer).content;
};
const ask = (question: string): unknown => httpEvent("/ask", "sam", { question });
const textOf = (result: MemoryAnswer["content"][number] | undefined): string => JSON.stringify(result?.content);
const view = (id: string): unknown => memoryUse(id, { command: "view", path: "/memories" });

/** The environments that several scenarios use, one after the other. */
export function scenarios(): Readonly<Record<string, Scenario>> {
  const environments: ExecutionEnvironment[] = [];
  const warmed = (): ExecutionEnvironment => {
    const [first] = environments;
    assert.ok(first, "no environment was started");
    return first;
  };

  return {
    async cold(stage) {
      const environment = await stage.start("memory-function");
      environments.push(environment);
      const answer = await environment.request(turn("dana", view("toolu_cold")));
      assert.match(textOf(resultsOf(answer)[0]), /^"Here're the files and directories/u);
      return `cold ${answer.milliseconds.toFixed(0)} ms`;
    },

    async warm() {
      const times: number[] = [];
      for (let event = 0; event < 20; event++) {
        const answer = await warmed().request(turn("dana", view(`toolu_warm_${event}`)));
        assert.equal(resultsOf(answer)[0]?.is_error, undefined);
        times.push(answer.milliseconds);
      }
      const median = times.sort((one, other) => one - other)[times.length / 2] ?? Number.NaN;
      return `warm ${median.toFixed(0)} ms`;
    },

    async concurrent(stage) {
      const others = await Promise.all([1, 2, 3].map(() => stage.start("memory-function")));
      environments.push(...others);
      await warmed().request(turn("team", memoryUse("toolu_team", { command: "create", path: notes, file_text: "" })));
      const writers = environments.flatMap((environment, index) =>
        [1, 2].map((event) => ({ environment, line: `- ${index}.${event}` })),
      );
      // An environment works on one event at a time: Lambda would start another one for the second.
      const write = async (environment: ExecutionEnvironment): Promise<void> => {
        for (const { line } of writers.filter((writer) => writer.environment === environment)) {
          const insert = { command: "insert", path: notes, insert_line: 0, insert_text: `${line}\n` };
          const [result] = resultsOf(await environment.request(turn("team", memoryUse(`toolu_${line}`, insert))));
          assert.equal(result?.content, `The file ${notes} has been edited.`);
        }
      };
      await Promise.all(environments.map(write));
      const lines = (await stage.textOf("team", notes)).trimEnd().split("\n").sort();
      assert.deepEqual(lines, writers.map(({ line }) => line).sort());
      return `${writers.length} concurrent in ${environments.length} environments 0 lost`;
    },

    async redelivered(stage) {
      const create = memoryUse("toolu_create", { command: "create", path: notes, file_text: "one\n" });
      const insert = { command: "insert", path: notes, insert_line: 1, insert_text: "two\n" };
      const event = turn("robin", create, memoryUse("toolu_insert", insert));
      const answers = [];
      // The same environment again, and another one.
      for (const environment of [warmed(), warmed(), environments.at(-1) ?? warmed()]) {
        answers.push(resultsOf(await environment.request(event)));
      }
      assert.deepEqual(answers[1], answers[0]);
      assert.deepEqual(answers[2], answers[0]);
      assert.equal(await stage.textOf("robin", notes), "one\ntwo\n");
      return "redelivered once";
    },

    async deadline(stage) {
      const { s3Gate } = stage;
      const environment = await stage.start("memory-function", { timeoutSeconds, s3Endpoint: s3Gate.endpoint });
      const create = (id: string): unknown => memoryUse(id, { command: "create", path: notes, file_text: "late\n" });
      assert.equal(resultsOf(await environment.request(turn("kim", view("toolu_init")))).length, 1);
      s3Gate.hold(({ method }) => method === "PUT");
      const answer = await environment.request(turn("kim", view("toolu_quick"), create("toolu_held")));
      const [quick, held] = resultsOf(answer);
      assert.equal(quick?.is_error, undefined);
      assert.match(textOf(held), /may or may not have taken effect/u);
      s3Gate.hold(() => false);
      const [again] = resultsOf(await environment.request(turn("kim", create("toolu_held"))));
      assert.equal(again?.content, `File created successfully at: ${notes}`);
      assert.equal(await stage.textOf("kim", notes), "late\n");
      return `deadline answered in ${answeredInTime(answer.milliseconds)}`;
    },

    async "bad body"() {
      for (const json of ["{", "[]", { content: [memoryUse("", {})] }, { hello: "there" }]) {
        const { statusCode, headers, body } = await warmed().request(httpEvent("/memory", "dana", json));
        assert.equal(statusCode, 400);
        assert.equal(headers["content-type"], "application/problem+json");
        assert.deepEqual(
          { ...(body as object), detail: "" },
          {
            type: "about:blank",
            title: "Bad Request",
            status: 400,
            detail: "",
          },
        );
      }
      return "bad body 400";
    },

    async nobody() {
      const { statusCode } = await warmed().request(turn(undefined, view("toolu_nobody")));
      assert.equal(statusCode, 401);
      return "nobody 401";
    },

    async oversized() {
      const create = memoryUse("toolu_large", { command: "create", path: notes, file_text: "x".repeat(1024 * 1024) });
      const { statusCode } = await warmed().request(turn("dana", create));
      assert.equal(statusCode, 413);
      return "oversized 413";
    },

    async "large image"(stage) {
      const png = new Uint8Array(4_900_000);
      png.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
      await stage.put("dana", "/memories/map.png", png);
      const image = memoryUse("toolu_image", { command: "view", path: "/memories/map.png" });
      const [shown, other] = resultsOf(await warmed().request(turn("dana", image, view("toolu_beside"))));
      assert.match(textOf(shown), /too large to be sent/u);
      assert.equal(other?.is_error, undefined);
      return "large image refused alone";
    },

    async "no HTTP"() {
      const { answer } = await warmed().invoke({ user: "dana", content: [view("toolu_direct")] });
      assert.deepEqual(
        { ...(answer as object), trace: [] },
        {
          errorType: "InternalServerError",
          errorMessage: "Internal Server Error: The function could not carry this out.",
          trace: [],
        },
      );
      assert.doesNotMatch(JSON.stringify(answer), /\.mjs|authorizer/u);
      return "no HTTP refused";
    },

    async agent(stage) {
      const [one, other] = await Promise.all([stage.start("agent-function"), stage.start("agent-function")]);
      const first = await one.request(ask(remember));
      assert.deepEqual([first.statusCode, first.body], [200, { answer: "Noted." }]);
      assert.equal(await stage.textOf("sam", path), noted);
      const second = await other.request(ask(recall));
      assert.match(JSON.stringify(second.body), /likes short answers/u);
      return `agent remembered in ${second.milliseconds.toFixed(0)} ms`;
    },

    async "late agent"(stage) {
      const { claudeGate } = stage;
      claudeGate.hold(() => true);
      const environment = await stage.start("agent-function", { timeoutSeconds, claudeEndpoint: claudeGate.endpoint });
      const answer = await environment.request(ask(recall));
      assert.equal(answer.statusCode, 504);
      return `silent Claude 504 in ${answeredInTime(answer.milliseconds)}`;
    },
  };
}
