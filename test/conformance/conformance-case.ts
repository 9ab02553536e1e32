/** What Claude reads. An image is written out as `image/png base64 …`. */
export interface Answer {
  readonly isError: boolean;
  readonly text: string;
}

/** Name below `/memories` → content. A content that is not UTF-8 is written as bytes. A name that ends in `/` is an empty folder. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** The input of a `tool_use` block, our answer, and the answer of the SDK's tool where it is another. */
export type Call = readonly [input: unknown, ours: Answer, sdk?: Answer];

export interface ConformanceCase {
  readonly name: string;
  /** @default an empty memory */
  readonly files?: Files;
  readonly calls: readonly Call[];
  /** The calls of one turn, started all at once as the tool runner does; else one after the other. */
  readonly atOnce?: true;
  /** @default as they were before: nothing was changed */
  readonly after?: Files;
  /** The files that the SDK's tool leaves. @default as ours */
  readonly sdkAfter?: Files;
  /** The SDK's tool does this only when its calls overlap, so it is given a few tries to show it. */
  readonly sdkRaces?: true;
  /** Why we differ, in whole sentences; present just where an answer or the files do. */
  readonly why?: readonly string[];
}

export interface ConformanceGroup {
  readonly title: string;
  readonly cases: readonly ConformanceCase[];
}

/** What came of a case: every answer in the order of the calls, and the files afterwards, written as text. */
export interface Outcome {
  readonly answers: readonly Answer[];
  readonly files: Readonly<Record<string, string>>;
}

export function ok(text: string): Answer {
  return { isError: false, text };
}

export function failed(text: string): Answer {
  return { isError: true, text };
}

export function ourOutcome({ calls, files = {}, after = files }: ConformanceCase): Outcome {
  return { answers: calls.map(([, ours]) => ours), files: asTexts(after) };
}

export function sdkOutcome({ calls, files = {}, after = files, sdkAfter = after }: ConformanceCase): Outcome {
  return { answers: calls.map(([, ours, sdk]) => sdk ?? ours), files: asTexts(sdkAfter) };
}

export function differs(one: ConformanceCase): boolean {
  return one.sdkAfter !== undefined || one.calls.some(([, , sdk]) => sdk !== undefined);
}

export function asTexts(files: Files): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([name, content]) => [name, asText(content)]));
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function asText(content: string | Uint8Array): string {
  if (typeof content === "string") return content;
  try {
    return decoder.decode(content);
  } catch {
    return `base64 ${Buffer.from(content).toString("base64")}`;
  }
}
