/**
 * The real S3 servers that the integration tests talk to, and how a test reaches them.
 *
 * Global setup (`global-setup.ts`) starts each of them once per run and hands their addresses on;
 * a test asks for a bucket of its own: `const { client, bucket } = await freshBucket("localstack")`
 * (`fresh-bucket.ts`), in `beforeAll` or in a test, not at the top level of a file.
 *
 * Where no server can be had, `freshBucket` throws a `ServerMissingError`; `runner.ts` then reports
 * the tests as not run. With `CI` set it never comes to that: global setup fails the whole run.
 */
export const serverNames = ["localstack", "ministack", "seaweedfs"] as const;

export type ServerName = (typeof serverNames)[number];

/** What global setup says of one server. */
export type ServerReport =
  | {
      readonly state: "running";
      readonly endpoint: string;
      /** How it was had, for people: `host mode (Python 3.13.0 virtual environment)`. */
      readonly via: string;
      /** A file with what the server printed; absent for a server that somebody else started. */
      readonly log?: string;
    }
  | { readonly state: "missing"; readonly reason: string };

export type ServerReports = Readonly<Record<ServerName, ServerReport>>;

export const serverTitles: Readonly<Record<ServerName, string>> = {
  localstack: "LocalStack",
  ministack: "MiniStack",
  seaweedfs: "SeaweedFS",
};

declare module "vitest" {
  interface ProvidedContext {
    readonly servers: ServerReports;
  }
}

/** No such server on this machine: the test is reported as not run. */
export class ServerMissingError extends Error {
  override readonly name = "ServerMissingError";
}
