import { DeleteObjectCommand, paginateListObjectsV2 } from "@aws-sdk/client-s3";
import type { Clients } from "./surroundings.ts";

/** The keys below the prefix of an example, with their sizes. */
export async function keysOf({
  s3,
  bucket,
  prefix,
}: Clients): Promise<{ readonly key: string; readonly size: number }[]> {
  if (prefix === "") throw new Error("An example works below a prefix.");
  const keys = [];
  for await (const page of paginateListObjectsV2({ client: s3 }, { Bucket: bucket, Prefix: `${prefix}/` })) {
    keys.push(...(page.Contents ?? []).map(({ Key = "", Size = 0 }) => ({ key: Key, size: Size })));
  }
  return keys;
}

/** Deletes what an example wrote: everything below its prefix, nothing else. */
export async function cleanUp(clients: Clients): Promise<void> {
  for (const { key } of await keysOf(clients)) {
    await clients.s3.send(new DeleteObjectCommand({ Bucket: clients.bucket, Key: key }));
  }
}
