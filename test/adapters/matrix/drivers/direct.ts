import type { MemoryResult } from "../../../../src/index.ts";
import type { Answer, Driver } from "../driver.ts";

/** What every adapter is compared with: the library without one. */
export const direct: Driver = {
  name: "execute",
  passesIds: true,
  async play(userMemory, turns) {
    const answers: Answer[][] = [];
    for (const turn of turns) {
      const results = turn.map(({ id, input }) => userMemory.execute(input, { toolUseId: id }));
      answers.push((await Promise.all(results)).map(answerOf));
    }
    return answers;
  },
};

function answerOf({ isError, content }: MemoryResult): Answer {
  if (typeof content === "string") return { isError, content };
  const blocks = content.map((block) =>
    block.type === "text"
      ? block
      : ({ type: "image", mediaType: block.source.media_type, data: block.source.data } as const),
  );
  return { isError, content: blocks };
}
