import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { BetaLocalFilesystemMemoryTool } from "@anthropic-ai/sdk/tools/memory/node";
import { describe, expect, it } from "vitest";
import { script } from "../../examples/demo/story.ts";
import { startScriptedMessagesApi, type Script } from "../../examples/support/scripted-messages-api.ts";
import { faultAnswers, startFakeS3, type FakeS3 } from "../../src/testing/index.ts";
import { bucketVariables, examples, runExample, type Outcome } from "./run-example.ts";

const run = promisify(execFile);

/** As with an account: the client, the bucket and the story's prompts, but a server of ours behind each. */
async function runForReal(played: Script, environment: Record<string, string> = {}): Promise<Outcome & { s3: FakeS3 }> {
  const s3 = await startFakeS3();
  s3.put("somebody/else.md", "kept");
  const claude = await startScriptedMessagesApi(played);
  const account = { ANTHROPIC_API_KEY: "real", ANTHROPIC_BASE_URL: claude.url };
  try {
    const outcome = await runExample("demo/demo.ts", { ...bucketVariables(s3), ...account, ...environment });
    return { ...outcome, s3 };
  } finally {
    await Promise.all([s3.close(), claude.close()]);
  }
}

describe("the demo", () => {
  it("tells its story and finds everything as expected", async () => {
    const { code, stdout, stderr } = await runExample("demo/demo.ts", {});
    expect(stderr).toBe("");
    expect(stdout).toContain("Claude: You deploy on Tuesday, and staging is on port 9443.");
    expect(stdout).toContain("The path /memories/../../secrets.env does not exist. Please provide a valid path.");
    expect(stdout).toContain("s3-memory-demo/users/secrets.env there: two levels above the user's memories.");
    expect(stdout.match(/str_replace [^]*?Claude: Changed/gu)?.at(-1)).toMatch(/Wednesday[^]*7443/u);
    expect(stdout).toMatch(/PUT If-Match 412 → GET 200 → PUT If-Match 200/u);
    expect(stdout).toContain("B  s3-memory-demo/users/acme-corp/memories/project.md");
    expect(stdout).toMatch(/\n8 of 8 checks passed\n$/u);
    expect(stdout.split("\n").length).toBeLessThan(100);
    expect(stdout).not.toContain("\u001B[");
    expect(code).toBe(0);
  });

  it("does the same on a bucket and an account of one's own, and cleans up its prefix alone", async () => {
    const { code, stdout, s3 } = await runForReal(script);
    expect(stdout).toMatch(/bucket memory, prefix s3-memory-demo\/[0-9a-f-]{36}\n/u);
    expect(stdout).toMatch(/\n7 of 7 checks passed\n$/u);
    expect(code).toBe(0);
    expect([...s3.objects().keys()]).toEqual(["somebody/else.md"]);
  });

  it("keeps its prefix when told to", async () => {
    const { code, s3 } = await runForReal(script, { S3_MEMORY_KEEP: "1" });
    expect(code).toBe(0);
    expect([...s3.objects().keys()]).toContainEqual(
      expect.stringMatching(/\/users\/acme-corp\/memories\/project\.md$/u),
    );
  });

  it("ends quietly where nobody reads on", async () => {
    const { PATH = "", HOME = "" } = process.env;
    const line = 'set -o pipefail; "$0" "$1" | head -n 1';
    const { stdout, stderr } = await run("bash", ["-c", line, process.execPath, join(examples, "demo/demo.ts")], {
      env: { PATH, HOME },
    });
    expect(stdout).toMatch(/^s3-memory-tool[^\n]+\n$/u);
    expect(stderr).toBe("");
  });

  it("exits with 1, and cleans up, when Claude does something else", async () => {
    const idle = Object.fromEntries(Object.keys(script).map((prompt) => [prompt, [["No."]]]));
    const { code, stdout, s3 } = await runForReal(idle);
    expect(stdout).toContain("✗ not true: worker B knows what worker A was told");
    expect(stdout).toMatch(/\n2 of 7 checks passed; not true: [^\n]+\n$/u);
    expect(code).toBe(1);
    expect([...s3.objects().keys()]).toEqual(["somebody/else.md"]);
  });
});

describe("the set-up of an example", () => {
  it.each([
    { set: "S3_MEMORY_BUCKET", missing: "ANTHROPIC_API_KEY" },
    { set: "ANTHROPIC_API_KEY", missing: "S3_MEMORY_BUCKET" },
  ])("is said to be incomplete where only $set is set", async ({ set, missing }) => {
    const { code, stderr } = await runExample("tool-runner/tool-runner.ts", { [set]: "any" });
    expect(stderr).toBe(`${set} is set, ${missing} is not: this runs on embedded servers, not on your account.\n`);
    expect(code).toBe(0);
  });

  it.each([
    { what: "region", environment: {}, hint: /No region was found; set AWS_REGION/u },
    { what: "valid endpoint", environment: { S3_MEMORY_ENDPOINT: "nonsense" }, hint: /ERR_INVALID_URL failed/u },
  ])("is one line with a hint where it has no $what", async ({ environment, hint }) => {
    const account = { ANTHROPIC_API_KEY: "real", S3_MEMORY_BUCKET: "memory", AWS_CONFIG_FILE: "/dev/null" };
    const { code, stdout, stderr } = await runExample("demo/demo.ts", { ...account, ...environment });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^[^\n]+\n$/u);
    expect(stderr).toMatch(hint);
  });

  it("ends the demo at its first conversation where the key is not accepted, and is cleaned up", async () => {
    const s3 = await startFakeS3();
    const refusing = createServer((_, response) => response.writeHead(401).end('{"error":{"message":"no such key"}}'));
    await new Promise<void>((resolve) => {
      refusing.listen(0, "127.0.0.1", resolve);
    });
    const { port } = refusing.address() as AddressInfo;
    const account = { ANTHROPIC_API_KEY: "wrong", ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}` };
    const { code, stdout, stderr } = await runExample("demo/demo.ts", { ...bucketVariables(s3), ...account });
    refusing.close();
    await s3.close();
    expect(stderr).toMatch(/^The Messages API: 401 [^\n]*no such key[^\n]*\n$/u);
    expect(stdout).toContain("✗ not true: worker A, process");
    expect(stdout).not.toContain("worker B");
    expect(code).toBe(1);
    expect([...s3.objects().keys()]).toEqual([]);
  });

  it("shows the first error before one of the clean-up", async () => {
    const s3 = await startFakeS3();
    const noListing = { status: 403, code: "NoListing", message: "not any more" };
    s3.faults.add({ operation: "PutObject" }, { commit: "never", answer: faultAnswers.accessDenied });
    s3.faults.add({ operation: "ListObjectsV2", nth: 2 }, { commit: "never", answer: noListing });
    const account = { ANTHROPIC_API_KEY: "real", ...bucketVariables(s3) };
    const { code, stderr } = await runExample("demo/demo.ts", account);
    await s3.close();
    expect(stderr).toMatch(
      /^S3: AccessDenied: [^\n]+\ns3-memory-demo\/\S+ was not cleaned up. S3: NoListing: [^\n]+\n$/u,
    );
    expect(code).toBe(1);
  });
});

describe("the quick starts", () => {
  it.each([
    { file: "tool-runner/tool-runner.ts", line: "/memories/preferences.md: Dana likes short answers." },
    { file: "manual-loop/manual-loop.ts", line: "/memories/lima.md: It was 09:30 in Lima." },
    { file: "ai-sdk/ai-sdk.ts", line: "/memories/preferences.md: Dana likes short answers." },
    { file: "langchain/langchain.ts", line: "Dana likes short answers." },
    { file: "context/context.ts", line: "/memories/crm/decisions.md: Orders are numbered by day" },
    { file: "mcp/mcp.ts", line: "HTTP, Eli:" },
  ])("$file saves what Claude was told", async ({ file, line }) => {
    const { code, stdout, stderr } = await runExample(file, {});
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(line);
  });
});

describe("what the quick starts leave out", () => {
  it.each([
    {
      file: "tool-runner/streaming.ts",
      what: "shows text as it comes, and saves both edits of one reply",
      tells: "/memories/preferences.md:\nDana likes short answers.\nDana speaks German.\n",
    },
    {
      file: "tool-runner/several-tools.ts",
      what: "answers the memory's calls beside those of others",
      tells: "(a call of memory)\n(a call of clock)\n(a call of web_search, at Anthropic)\n",
    },
    {
      file: "tool-runner/stop-reasons.ts",
      what: "goes on after a reply that was cut off, and carries nothing out of one that was refused",
      tells: "(max_tokens)\nWritten.\n(end_turn)\nNothing is on.\n(end_turn)\n(refusal)\n",
    },
    {
      file: "manual-loop/every-stop-reason.ts",
      what: "has an answer to every reason",
      tells: "(max_tokens)\n (tool_use)\nDone. (end_turn)\n",
    },
    {
      file: "clouds/clouds.ts",
      what: "knows on one cloud what it learnt on another",
      tells: "Bedrock, InvokeModel: Noted.\nBedrock, Messages API: Corrected.\nVertex: On Wednesdays.\n",
    },
  ])("$file $what", async ({ file, tells }) => {
    const { code, stdout, stderr } = await runExample(file, {});
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(tells);
  });
});

describe("migrate-folder", () => {
  it("says how it is used where it is not told the bucket, the folder or the user", async () => {
    const outcomes = await Promise.all([
      runExample("migrate-folder/migrate-folder.ts", {}, ["./memory", "dana"]),
      runExample("migrate-folder/migrate-folder.ts", { S3_MEMORY_BUCKET: "memory" }, ["./memory"]),
    ]);
    for (const { code, stderr } of outcomes) {
      expect(stderr).toMatch(/^usage: S3_MEMORY_BUCKET=… npx node [^\n]+\n$/u);
      expect(code).toBe(2);
    }
  });

  it("moves what the SDK's local tool wrote, can be run again, and overwrites nothing", async () => {
    const folder = await mkdtemp(join(tmpdir(), "local-memory-"));
    const s3 = await startFakeS3();
    const migrate = (): Promise<Outcome> =>
      runExample("migrate-folder/migrate-folder.ts", bucketVariables(s3), [folder, "dana"]);
    const stored = (): Record<string, string> =>
      Object.fromEntries([...s3.objects()].map(([key, { text }]) => [key.replace("users/dana/memories/", ""), text]));
    try {
      const local = await BetaLocalFilesystemMemoryTool.init(folder);
      const files = { "notes.md": "\uFEFFÜber: eins\r\nzwei", "deep/er/plan b.md": "plan\n", ".hidden": "" };
      for (const [name, text] of Object.entries(files)) {
        await local.create({ command: "create", path: `/memories/${name}`, file_text: text });
      }
      expect(await migrate()).toMatchObject({ code: 0, stderr: "" });
      expect(stored()).toEqual(files);
      expect(await migrate()).toEqual({ code: 0, stdout: "", stderr: "" });

      s3.put("users/dana/memories/notes.md", "newer");
      s3.remove("users/dana/memories/.hidden");
      const third = await migrate();
      expect(third).toMatchObject({ code: 1, stdout: "/memories/.hidden\n" });
      expect(third.stderr).toBe("/memories/notes.md is in the bucket with another content: left alone\n");
      expect(stored()).toEqual({ ...files, "notes.md": "newer" });
    } finally {
      await Promise.all([rm(folder, { recursive: true }), s3.close()]);
    }
  });
});
