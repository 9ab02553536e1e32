import type { UserMemory } from "../../core/memory.ts";

/** Whose memory a request is about, and how it may be used. */
export interface MemoryScope {
  /** Absent, empty or blank: nobody, which is answered with 401. */
  readonly user?: string | undefined;
  /** A memory of its own for one project of that user. */
  readonly project?: string | undefined;
  /** Who acts on the user's behalf; written into the metadata of every file. */
  readonly actor?: string | undefined;
  /** Refuse every command that would write. @default false */
  readonly readOnly?: boolean | undefined;
}

/** As much of a memory as a handler needs. */
export interface MemoryOfUsers {
  forUser(user: string, options?: Omit<MemoryScope, "user">): UserMemory;
}

/** `undefined` where there is no user. Throws what `forUser` throws where the scope makes no sense. */
export function memoryOf(memory: MemoryOfUsers, scope: MemoryScope | null | undefined): UserMemory | undefined {
  const { user, ...options } = scope ?? {};
  if (user === undefined || user === null || (typeof user === "string" && user.trim() === "")) return undefined;
  return memory.forUser(user, options);
}
