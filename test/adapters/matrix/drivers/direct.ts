import type { Answer, Driver } from "../driver.ts";
import { contentOf } from "./sent-results.ts";

/** What every adapter is compared with: the library without one. */
export const direct: Driver = {
  name: "execute",
  passesIds: true,
  async play(userMemory, turns) {
    const answers: Answer[][] = [];
    for (const turn of turns) {
      const results = turn.map(({ id, input }) => userMemory.execute(input, { toolUseId: id }));
      answers.push(
        (await Promise.all(results)).map(({ isError, content }) => ({ isError, content: contentOf(content) })),
      );
    }
    return answers;
  },
};
