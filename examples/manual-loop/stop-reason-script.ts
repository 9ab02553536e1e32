import { memoryCall, type Script } from "../support/scripted-messages-api.ts";

export const path = "/memories/lima.md";

export const prompts = {
  several: `What time is it in Lima, and what is on there tonight? Search once. Write the time into ${path}, and below it the line "port: 8443".`,
  cutOff: `The port in ${path} is 9443. Put that right.`,
  refused: "Tell me something that you would rather not tell.",
};

const search = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "Lima" } } as const;
const replace = memoryCall({ command: "str_replace", path, old_str: "port: 8443", new_str: "port: 9443" });

/** What the scripted Claude does. The real one is given the same prompts and nothing else. */
export const script: Script = {
  [prompts.several]: [
    // A search that takes long: the turn is paused, and goes on when it comes back.
    ["I search.", search, { stop: "pause_turn" }],
    [
      { type: "web_search_tool_result", tool_use_id: search.id, content: [] },
      "Nothing is on. What do I know, and what time is it?",
      memoryCall({ command: "view", path: "/memories" }),
      { name: "clock", input: {} },
    ],
    [
      memoryCall({ command: "create", path, file_text: "09:30 in Lima.\n" }),
      memoryCall({ command: "insert", path, insert_line: 1, insert_text: "port: 8443\n" }),
    ],
    ["It is 09:30 in Lima, and nothing is on."],
  ],
  [prompts.cutOff]: [
    // Cut off in the middle of `new_str`. What is left says: delete the port.
    (_, { max_tokens: room }) =>
      room < 1000 ? ["I put it right.", { ...replace, cutAfter: 95 }, { stop: "max_tokens" }] : [replace],
    ["Done."],
  ],
  [prompts.refused]: [["I could", memoryCall({ command: "delete", path }), { stop: "refusal" }]],
};
