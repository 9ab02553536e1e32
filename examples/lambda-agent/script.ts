import { memoryCall, resultText, type Script } from "../support/scripted-messages-api.ts";

export const path = "/memories/preferences.md";
export const remember = "Please remember that I like short answers.";
export const recall = "What do you remember of me?";
export const noted = "- likes short answers\n";

/** What Claude says, where no account is at hand. */
export const script: Script = {
  [remember]: [
    [memoryCall({ command: "view", path: "/memories" })],
    [memoryCall({ command: "create", path, file_text: noted })],
    ["Noted."],
  ],
  [recall]: [[memoryCall({ command: "view", path })], (results) => [results.map(resultText).join("\n")]],
};
