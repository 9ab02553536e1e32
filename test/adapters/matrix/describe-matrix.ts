import { describe, expect, it } from "vitest";
import { conversations, type Conversation } from "./conversations.ts";
import { adapters } from "./drivers.ts";
import { direct } from "./drivers/direct.ts";
import { latin1, play, type Outcome, type Stage } from "./stage.ts";

const bytesOf = ({ objects }: Outcome): unknown =>
  Object.fromEntries(Object.entries(objects).map(([path, { bytes }]) => [path, bytes]));

const expectedBytes = (files: Conversation["after"]): unknown =>
  Object.fromEntries(Object.entries(files).map(([path, body]) => [path, latin1(body)]));

/** Every conversation through every adapter: the same bytes in the bucket, and the same answers where the model reads them. */
export function describeMatrix(title: string, stage: () => Stage): void {
  describe.each(conversations)(`${title}: $name`, (conversation) => {
    it("leaves these bytes by execute", async () => {
      expect(bytesOf(await play(stage(), direct, conversation))).toEqual(expectedBytes(conversation.after));
    });

    it.each(adapters)("is the same by $name", async (driver) => {
      const outcome = await play(stage(), driver, conversation);
      const { afterWithoutIds } = conversation;
      if (!driver.passesIds && afterWithoutIds !== undefined) {
        expect(bytesOf(outcome)).toEqual(expectedBytes(afterWithoutIds));
      } else {
        expect(outcome).toEqual(await play(stage(), direct, conversation));
      }
    });
  });
}

/** That the table itself is whole. */
export function describeConversations(): void {
  it("are twenty, each with a name of its own", () => {
    expect(new Set(conversations.map(({ name }) => name)).size).toBe(20);
  });
}
