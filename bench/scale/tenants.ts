/** How a tenant's files lie: the path of each, below `/memories/`. */
export const shapes = {
  flat: (index: number): string => `note-${number(index)}.md`,
  "100 directories": (index: number): string =>
    `topic-${number(index % 100)}/note-${number(Math.floor(index / 100))}.md`,
  "three levels": (index: number): string =>
    `area-${index % 10}/topic-${Math.floor(index / 10) % 10}/part-${Math.floor(index / 100) % 10}/note-${number(Math.floor(index / 1_000))}.md`,
} as const;

export type Shape = keyof typeof shapes;

export interface Tenant {
  readonly shape: Shape;
  readonly files: number;
  /** All of its files lie below this directory, such as `all/`. @default "" */
  readonly below?: string;
}

/** Whose memory it is. */
export const user = "tenant";

/** Keys in the order of a bucket. */
export function keysOf({ shape, files, below = "" }: Tenant): readonly string[] {
  const keys = Array.from({ length: files }, (_, index) => `users/${user}/memories/${below}${shapes[shape](index)}`);
  return keys.sort();
}

function number(index: number): string {
  return String(index).padStart(5, "0");
}
