import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { exportedNames, reach } from "./modules.ts";
import { absolute, entries, filesOf, manifest } from "./project.ts";

const words = (list: string): readonly string[] => list.trim().split(/\s+/);

/** Every public name. A change of this list is a change for users: it comes with a changeset. */
const values: Readonly<Record<string, readonly string[]>> = {
  ".": words("MemoryError createMemory createS3Memory isMemoryError s3Store"),
  "./anthropic": words("memoryTool toolResults"),
  "./lambda": words("beforeDeadline memoryHandler"),
  "./ai-sdk": words("anthropicMemoryTool memoryTool"),
  "./langchain": words("anthropicMemoryTool markToolErrors memoryTool"),
  "./mcp": words("createMcpServer mcpHandler"),
  "./context": words("contextManagement memoryPrompt"),
  "./testing": words("faultAnswers inMemoryStore roundTrips startFakeS3 storeContract"),
};

const types: Readonly<Record<string, readonly string[]>> = {
  ".": words(`
    BatchDeleteResult CopyOptions CopyResult CreateMemoryOptions CreateS3MemoryOptions DeleteCondition DeleteResult
    ExecuteOptions FileCondition FileInfo FileOptions GetResult HeadResult ImageBlock ListOptions ListPage ListedObject
    LostWrite Memory MemoryErrorCode MemoryErrorDetails MemoryFiles MemoryOptions MemoryResult Metadata ObjectHead
    ObjectStore PutOptions PutResult RequestEffect RequestOptions S3StoreOptions TextBlock UserMemory UserMemorySettings UserOptions
    WriteCondition`),
  "./anthropic": words("MemoryToolResult"),
  "./lambda": words(`
    DeadlineOptions MemoryAnswer MemoryHandler MemoryHandlerOptions MemoryOfUsers MemoryScope MemoryToolResult`),
  "./ai-sdk": words("AnthropicMemoryProvider MemoryTool MemoryToolOptions MemoryToolOutput MemoryToolParts"),
  "./langchain": words("MemoryTool MemoryToolOptions MemoryToolOutput"),
  "./mcp": words("McpHandler McpHandlerOptions McpServerOptions MemoryOfUsers MemoryScope"),
  "./context": words(`
    ClearThinkingOptions ClearToolUsesOptions CompactionOptions ContextManagement ContextManagementOptions
    MemoryPromptOptions`),
  "./testing": words(`
    DirectPutOptions FakeS3 FakeS3Options Fault FaultAnswer FaultHandle FaultMatcher Faults InMemoryObject InMemoryStore
    LoggedRequest Pause RequestLog S3Operation StoreCapability StoreContractCase StoredObject`),
};

describe("the package's entries", () => {
  it("are these", () => {
    expect(Object.keys(manifest.exports)).toEqual([...Object.keys(values), "./package.json"]);
  });

  it.each(entries())("export what is listed: %s", async (name, entry) => {
    const module: object = await import(absolute(entry.default));
    expect(Object.keys(module).sort()).toEqual(values[name]);
  });

  it("have types for exactly what is listed", () => {
    const names = exportedNames(entries().map(([, entry]) => entry.types));
    const exported = entries().map(([name, entry]) => [name, names.get(entry.types)]);
    const listed = entries().map(([name]) => [name, [...(values[name] ?? []), ...(types[name] ?? [])].sort()]);
    expect(Object.fromEntries(exported)).toEqual(Object.fromEntries(listed));
  });
});

describe("the packed files", () => {
  it("are the built sources and the texts that go with them, and nothing else", async () => {
    const pack = ["pack", "--dry-run", "--json", "--ignore-scripts"];
    const { stdout } = await promisify(execFile)("npm", pack, { cwd: absolute(".") });
    const [{ files }] = JSON.parse(stdout) as [{ files: readonly { path: string }[] }];
    const declarations = filesOf("src/**/*.ts").map((file) => file.replace(/^src/, "dist").replace(/\.ts$/, ".d.ts"));
    const started = [...entries().map(([, entry]) => entry.default), ...Object.values(manifest.bin)];
    const code = [...new Set(started.flatMap((file) => reach(file, { later: true }).files))];
    const texts = [...filesOf("docs/*.md"), "dist/THIRD-PARTY-LICENSES.txt", "CHANGELOG.md", "LICENSE", "README.md"];
    const expected = [...declarations, ...code, ...texts, "package.json"].sort();
    expect(files.map(({ path }) => path).sort()).toEqual(expected);
  });
});
