import { createS3Memory } from "../../src/index.ts";
import type { MemoryResult } from "../../src/index.ts";
import { startFakeS3 } from "../../src/testing/index.ts";
import { asTexts, type Answer, type ConformanceCase, type Outcome } from "./conformance-case.ts";
import { carryOut } from "./carry-out.ts";
import { testClient } from "../support/test-client.ts";

/** Our tool on a fake S3, asked through the real AWS SDK. Every case is a user of its own. */
export interface OurTool {
  run(one: ConformanceCase): Promise<Outcome>;
  close(): Promise<void>;
}

export async function startOurTool(): Promise<OurTool> {
  const server = await startFakeS3();
  const client = testClient(server.endpoint);
  const memory = createS3Memory({ bucket: "memory", client });
  let users = 0;
  return {
    async run(one) {
      users += 1;
      // Of one length, so that the room for a path is the same for all.
      const name = `user-${String(users).padStart(3, "0")}`;
      const home = `users/${name}/memories/`;
      for (const [file, content] of Object.entries(one.files ?? {})) server.put(home + file, content);
      const user = memory.forUser(name);
      const answers = await carryOut(one, async (input) => answerOf(await user.execute(input)));
      const files = [...server.objects()]
        .filter(([key]) => key.startsWith(home))
        .map(([key, { bytes }]) => [key.slice(home.length), bytes] as const);
      return { answers, files: asTexts(Object.fromEntries(files)) };
    },
    async close() {
      client.destroy();
      await server.close();
    },
  };
}

function answerOf({ isError, content }: MemoryResult): Answer {
  if (typeof content === "string") return { isError, text: content };
  const blocks = content.map((block) =>
    block.type === "text" ? block.text : `${block.source.media_type} base64 ${block.source.data}`,
  );
  return { isError, text: blocks.join("\n") };
}
