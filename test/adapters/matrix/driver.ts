import type { UserMemory } from "../../../src/index.ts";

/** One call of the memory tool, as a model makes it. */
export interface Call {
  readonly id: string;
  readonly input: unknown;
}

/** What the model sends in one reply: all its calls, which a framework may start at once. */
export type Turn = readonly Call[];

export type Block =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly mediaType: string; readonly data: string };

/** What the model reads of a call, taken from where it reaches the model; never from what the adapter returned on its way. */
export interface Answer {
  readonly isError: boolean;
  /** Blocks are told from text only where there is an image. */
  readonly content: string | readonly Block[];
}

/** One way of bringing a model's calls to a memory and the answers back, with the real package of the framework. */
export interface Driver {
  /** Such as `AI SDK, Claude, generateText`. */
  readonly name: string;
  /** Whether the ids of the calls reach the memory, so that a repeated delivery is recognised. */
  readonly passesIds: boolean;
  /** Plays the turns in one run of the framework's own loop; one list of answers for each turn, in the order of its calls. */
  play(userMemory: UserMemory, turns: readonly Turn[]): Promise<readonly (readonly Answer[])[]>;
}
