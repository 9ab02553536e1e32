import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { betaMemoryTool } from "@anthropic-ai/sdk/helpers/beta/memory";
import { runRunnableTool, type BetaRunnableTool } from "@anthropic-ai/sdk/lib/tools/BetaRunnableTool";
import { BetaLocalFilesystemMemoryTool } from "@anthropic-ai/sdk/tools/memory/node";
import { carryOut } from "./carry-out.ts";
import { asTexts, type Answer, type ConformanceCase, type Files, type Outcome } from "./conformance-case.ts";

/** The SDK's own memory tool on a folder of its own, run by the code of the SDK's own tool runner. */
export async function runOnSdk(one: ConformanceCase): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), "conformance-"));
  try {
    const tool = betaMemoryTool(await BetaLocalFilesystemMemoryTool.init(folder));
    const root = join(folder, "memories");
    for (const [name, content] of Object.entries(one.files ?? {})) {
      await mkdir(dirname(join(root, name)), { recursive: true });
      await writeFile(join(root, name), content);
    }
    const answers = await carryOut(one, async (input) => normalised(await execute(tool, input), folder));
    return { answers, files: asTexts(await filesIn(root)) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function execute(tool: BetaRunnableTool, input: unknown): Promise<Answer> {
  const toolUse = { type: "tool_use", id: "toolu_1", name: "memory", input } as const;
  const { content, isError } = await runRunnableTool(tool, input, { toolUse, toolUseBlock: toolUse });
  return { isError, text: typeof content === "string" ? content : JSON.stringify(content) };
}

/** Without what differs from machine to machine: the folder's own path, and what a file system calls the size of a folder. */
function normalised({ isError, text }: Answer, folder: string): Answer {
  const portable = text.replaceAll(folder, "<folder>");
  if (!portable.startsWith("Here're the files")) return { isError, text: portable };
  const [header = "", first = "", ...rows] = portable.split("\n").map((row) => row.split("\t"));
  const sizeless = rows.map(([size = "", path = ""]) => (path.endsWith("/") ? `<inode>\t${path}` : `${size}\t${path}`));
  return { isError, text: [header, `<inode>\t${first[1] ?? ""}`, ...sizeless].join("\n") };
}

async function filesIn(root: string, below = ""): Promise<Files> {
  const found: Record<string, Uint8Array> = {};
  for (const entry of await readdir(join(root, below), { withFileTypes: true })) {
    const name = below + entry.name;
    if (!entry.isDirectory()) {
      found[name] = await readFile(join(root, name));
      continue;
    }
    const inside = await filesIn(root, `${name}/`);
    Object.assign(found, Object.keys(inside).length === 0 ? { [`${name}/`]: "" } : inside);
  }
  return found;
}
