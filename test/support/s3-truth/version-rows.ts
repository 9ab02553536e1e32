import {
  DeleteObjectCommand,
  GetBucketVersioningCommand,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import type { Probe } from "./probe.ts";
import type { TruthRow } from "./truth-row.ts";

/** Stores a version and answers its id. */
async function storeVersion({ client, bucket }: Probe, text: string): Promise<string> {
  const { VersionId: id } = await client.send(new PutObjectCommand({ Bucket: bucket, Key: "a", Body: text }));
  return id ?? "none";
}

/** Puts a delete marker on top and answers its id. */
async function mark({ client, bucket }: Probe): Promise<string> {
  const { VersionId: id } = await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: "a" }));
  return id ?? "none";
}

export const versionRows: readonly TruthRow[] = [
  {
    name: "an overwritten version stays readable by its id",
    versioned: true,
    run: async (s3) => {
      const id = await storeVersion(s3, "one");
      await storeVersion(s3, "two");
      return { first: await s3.text("a", { VersionId: id }), current: await s3.text("a") };
    },
    expected: { first: "one", current: "two" },
  },
  {
    name: "an unversioned bucket answers no version id",
    run: async (s3) => ({ id: await storeVersion(s3, "one") }),
    expected: { id: "none" },
  },
  {
    name: "GET of a delete marker by its id is MethodNotAllowed",
    versioned: true,
    run: async (s3) => {
      await storeVersion(s3, "one");
      const { status, code } = await s3.get("a", { VersionId: await mark(s3) });
      return { status, code };
    },
    expected: { status: 405, code: "MethodNotAllowed" },
  },
  {
    name: "removing the delete marker brings the object back",
    versioned: true,
    run: async (s3) => {
      await storeVersion(s3, "one");
      const answer = await s3.delete("a", { VersionId: await mark(s3) });
      return { ...answer, after: await s3.text("a") };
    },
    expected: { status: 204, after: "one" },
  },
  {
    name: "ListObjectVersions names versions and delete markers, the newest first",
    versioned: true,
    run: async (s3) => {
      const ids = [await storeVersion(s3, "one"), await storeVersion(s3, "two")];
      const marker = await mark(s3);
      const list = await s3.client.send(new ListObjectVersionsCommand({ Bucket: s3.bucket, Prefix: "a" }));
      return {
        versions: list.Versions?.map(({ VersionId: id = "", IsLatest: latest }) => `${ids.indexOf(id)} ${latest}`),
        markers: list.DeleteMarkers?.map(({ VersionId: id, IsLatest: latest }) => `${id === marker} ${latest}`),
      };
    },
    expected: { versions: ["1 false", "0 false"], markers: ["true true"] },
  },
  {
    name: "ListObjectVersions goes on where the page before ended",
    versioned: true,
    run: async (s3) => {
      for (const text of ["one", "two", "three"]) await storeVersion(s3, text);
      await s3.store("b", "one");
      const sizes: number[] = [];
      let next: { KeyMarker?: string; VersionIdMarker?: string } | undefined = {};
      while (next !== undefined && sizes.length < 9) {
        const command: ListObjectVersionsCommand = new ListObjectVersionsCommand({
          Bucket: s3.bucket,
          MaxKeys: 2,
          ...next,
        });
        const page = await s3.client.send(command);
        sizes.push(page.Versions?.length ?? 0);
        const markers = { KeyMarker: page.NextKeyMarker ?? "", VersionIdMarker: page.NextVersionIdMarker ?? "" };
        next = page.IsTruncated ? markers : undefined;
      }
      return { sizes };
    },
    expected: { sizes: [2, 2] },
  },
  {
    name: "a listing does not show what lies under a delete marker",
    versioned: true,
    run: async (s3) => {
      await storeVersion(s3, "one");
      await mark(s3);
      await s3.store("b", "one");
      return { keys: (await s3.list())["keys"] };
    },
    expected: { keys: ["b"] },
  },
  {
    name: "versioning is off, then enabled, then suspended; suspended writes replace the null version",
    run: async (s3) => {
      const { client, bucket } = s3;
      const status = async () =>
        (await client.send(new GetBucketVersioningCommand({ Bucket: bucket }))).Status ?? "off";
      const set = (next: "Enabled" | "Suspended") =>
        client.send(new PutBucketVersioningCommand({ Bucket: bucket, VersioningConfiguration: { Status: next } }));
      const states = [await status()];
      await s3.store("a", "null");
      await set("Enabled");
      states.push(await status());
      await s3.store("a", "version");
      await set("Suspended");
      states.push(await status());
      await s3.store("a", "null again");
      const list = await client.send(new ListObjectVersionsCommand({ Bucket: bucket }));
      return { states, versions: list.Versions?.length, current: await s3.text("a", { VersionId: "null" }) };
    },
    expected: { states: ["off", "Enabled", "Suspended"], versions: 2, current: "null again" },
  },
];
