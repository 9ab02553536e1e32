import { describe, expect, it } from "vitest";
import { createMemory } from "../../src/index.ts";
import { inMemoryStore } from "../../src/stores/in-memory-store.ts";
import type { Driver } from "./matrix/driver.ts";
import { direct } from "./matrix/drivers/direct.ts";
import { lambdaDirect, lambdaHttp } from "./matrix/drivers/lambda.ts";

const path = "/memories/notes.md";
const turns = [
  [
    { id: "toolu_1", input: { command: "create", path, file_text: "one\n" } },
    { id: "toolu_2", input: { command: "str_replace", path, old_str: "two" } },
  ],
  [
    { id: "toolu_3", input: { command: "insert", path, insert_line: "1" } },
    { id: "toolu_4", input: null },
    { id: "toolu_5", input: { command: "view", path: "/memories/map.png" } },
  ],
];

describe.each([lambdaHttp, lambdaDirect])("the driver $name", (driver) => {
  it("lets the model read what execute answers", async () => {
    const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0);
    const play = async (way: Driver): Promise<unknown> => {
      const store = inMemoryStore();
      store.plant("users/dana/memories/map.png", png);
      return way.play(createMemory({ store }).forUser("dana"), turns);
    };
    const answers = await play(driver);
    expect(answers).toEqual(await play(direct));
    expect(answers).toHaveLength(2);
  });
});
