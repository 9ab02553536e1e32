import { describe, expect, it } from "vitest";
import { conversations, type Conversation } from "./conversations.ts";
import type { Driver } from "./driver.ts";
import { adapters, drivers } from "./drivers.ts";
import { direct } from "./drivers/direct.ts";
import { latin1, play, type Outcome, type Stage } from "./stage.ts";

const bytesOf = ({ objects }: Outcome): unknown =>
  Object.fromEntries(Object.entries(objects).map(([path, { bytes }]) => [path, bytes]));

const expectedBytes = (files: Conversation["after"]): unknown =>
  Object.fromEntries(Object.entries(files).map(([path, body]) => [path, latin1(body)]));

/** Every conversation through every adapter: the same bytes in the bucket, and the same answers where the model reads them. */
export function describeMatrix(title: string, stage: () => Stage): void {
  describe.each(conversations)(`${title}: $name`, (conversation) => {
    const excuse = ({ cannotSay = {} }: Driver): string | undefined => cannotSay[conversation.name];

    it("leaves these bytes by execute", async () => {
      expect(bytesOf(await play(stage(), direct, conversation))).toEqual(expectedBytes(conversation.after));
    });

    it.each(adapters.filter((driver) => excuse(driver) === undefined))("is the same by $name", async (driver) => {
      const outcome = await play(stage(), driver, conversation);
      const { afterWithoutIds } = conversation;
      if (!driver.passesIds && afterWithoutIds !== undefined) {
        expect(bytesOf(outcome)).toEqual(expectedBytes(afterWithoutIds));
      } else {
        expect(outcome).toEqual(await play(stage(), direct, conversation));
      }
    });

    it.each(adapters.filter((driver) => excuse(driver) !== undefined))("is not for $name, with a reason", (driver) => {
      expect(excuse(driver)).toMatch(/^[A-Z].+\.$/);
    });
  });
}

/** That the table itself is whole. */
export function describeConversations(): void {
  it("are twenty, each with a name of its own", () => {
    expect(new Set(conversations.map(({ name }) => name)).size).toBe(20);
  });

  it("are the only ones that a way may be excused from", () => {
    const excused = drivers.flatMap(({ cannotSay = {} }) => Object.keys(cannotSay));
    expect(conversations.map(({ name }) => name)).toEqual(expect.arrayContaining(excused));
  });
}
