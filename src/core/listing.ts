import type { ListOptions, ListPage, ObjectStore } from "./object-store.ts";
import { exceedsBytes } from "./text/encoding.ts";

type Lister = Pick<ObjectStore, "list">;

/** Bytes. No key is longer, so nothing lies below a longer prefix, and S3 refuses to be asked. */
export const longestKey = 1_024;

/** Every page of a listing, one request each. A page may be short, or empty, and still have a next one. */
export async function* listPages(store: Lister, options: Omit<ListOptions, "token">): AsyncGenerator<ListPage> {
  if (exceedsBytes(options.prefix, longestKey)) return;
  const { startAfter, ...rest } = options;
  let position: Pick<ListOptions, "token" | "startAfter"> = startAfter === undefined ? {} : { startAfter };
  for (;;) {
    const page = await store.list({ ...rest, ...position });
    yield page;
    if (page.next === undefined) return;
    position = { token: page.next };
  }
}

/** Whether there is any key below the prefix: one request on the normal path. */
export async function hasKeys(store: Lister, options: Pick<ListOptions, "prefix" | "signal">): Promise<boolean> {
  for await (const page of listPages(store, { ...options, pageSize: 1 })) {
    if (page.objects.length > 0) return true;
  }
  return false;
}
