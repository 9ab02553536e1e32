import { describe, expect, it } from "vitest";
import { commandTools, memoryTool, purposeOf } from "../../src/adapters/tool/definition.ts";
import { commandNames, fieldTexts } from "../../src/core/command-fields.ts";
import { parseCommand } from "../../src/core/command-input.ts";
import { isMemoryError } from "../../src/errors.ts";

const settings = { readOnly: false, onExisting: "error" } as const;
const readOnly = { ...settings, readOnly: true };

const samples: Readonly<Record<string, unknown>> = {
  path: "/memories/a.md",
  view_range: [1, -1],
  file_text: "a",
  old_str: "a",
  new_str: "b",
  insert_line: 0,
  insert_text: "a",
  old_path: "/memories/a.md",
  new_path: "/memories/b.md",
};

/** The complaint about an input, or nothing where it is a command. */
function complaint(input: unknown): string {
  try {
    parseCommand(input);
    return "";
  } catch (error) {
    if (isMemoryError(error)) return error.message;
    throw error;
  }
}

const sampleOf = (fields: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(fields.map((field) => [field, samples[field]]));

const wrong = (field: string): unknown => (typeof samples[field] === "number" ? "1" : 1);

describe("a tool for each command", () => {
  it("is there for all of them, or for view alone where nothing may be written", () => {
    expect(commandTools(settings).map(({ name }) => name)).toEqual(commandNames.map((name) => `memory_${name}`));
    expect(commandTools(readOnly).map(({ name }) => name)).toEqual(["memory_view"]);
  });

  it.each(commandTools(settings))(
    "demands what the command demands, and no more: $name",
    ({ command, inputSchema }) => {
      const fields = Object.keys(inputSchema.properties);
      expect(complaint({ command, ...sampleOf(fields) })).toBe("");
      for (const left of fields) {
        const input = { command, ...sampleOf(fields.filter((field) => field !== left)) };
        const demanded = inputSchema.required.includes(left);
        expect(complaint(input)).toEqual(demanded ? expect.stringContaining(`\`${left}\``) : "");
      }
    },
  );

  it.each(commandTools(settings))("names the type that the command takes: $name", ({ command, inputSchema }) => {
    const fields = Object.keys(inputSchema.properties);
    const types = Object.entries(inputSchema.properties).map(([field, { type }]) => [field, type]);
    const sampled = fields.map((field) => [
      field,
      { string: "string", number: "integer", object: "array" }[typeof samples[field] as "string"],
    ]);
    expect(types).toEqual(sampled);
    for (const field of fields) {
      const input = { command, ...sampleOf(fields), [field]: wrong(field) };
      expect(complaint(input)).toContain(`\`${field}\``);
    }
  });

  it("says of create whether it overwrites", () => {
    const [, refusing] = commandTools(settings);
    const [, overwriting] = commandTools({ ...settings, onExisting: "overwrite" });
    expect(refusing).toMatchObject({ description: expect.stringMatching(/Refused/), hints: { destructive: false } });
    expect(overwriting).toMatchObject({ description: expect.stringMatching(/replaces/), hints: { destructive: true } });
  });

  it("is said to be what it is", () => {
    const hints = commandTools(settings).map(({ command, hints: { readOnly: reads, destructive, idempotent } }) => [
      command,
      [reads && "reads", destructive && "destroys", idempotent && "repeatable"].filter(Boolean).join(" "),
    ]);
    expect(Object.fromEntries(hints)).toEqual({
      view: "reads repeatable",
      create: "repeatable",
      str_replace: "destroys",
      insert: "",
      delete: "destroys repeatable",
      rename: "destroys repeatable",
    });
  });
});

describe("the one tool", () => {
  const { name, description, inputSchema } = memoryTool(settings);

  it("has every field, and demands the command alone", () => {
    expect(name).toBe("memory");
    expect(Object.keys(inputSchema.properties).sort()).toEqual(Object.keys(fieldTexts).sort());
    expect(inputSchema.required).toEqual(["command"]);
    expect(inputSchema.properties["command"]).toMatchObject({ enum: commandNames });
  });

  it.each([settings, readOnly, { ...settings, onExisting: "overwrite" as const }])(
    "is described in what every vendor takes, 1,024 characters: %o",
    (told) => expect(memoryTool(told).description.length).toBeLessThanOrEqual(1_024),
  );

  it("names each field in the description of its command", () => {
    for (const { description: text, inputSchema: schema } of commandTools(settings)) {
      for (const field of Object.keys(schema.properties)) expect(text).toContain(`\`${field}\``);
    }
  });

  it("says what it is for, and of each command what it does", () => {
    expect(description.startsWith(purposeOf(settings))).toBe(true);
    for (const tool of commandTools(settings)) {
      expect(description).toContain(`\n- ${tool.command}: ${tool.description}`);
    }
  });

  it("offers view alone where nothing may be written", () => {
    const { description: text, inputSchema: schema } = memoryTool(readOnly);
    expect(Object.keys(schema.properties)).toEqual(["command", "path", "view_range"]);
    expect(schema.properties["command"]).toMatchObject({ enum: ["view"] });
    expect(text).not.toMatch(/create|delete:|Note while|Keep the files/);
  });
});
