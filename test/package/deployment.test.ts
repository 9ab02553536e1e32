import type { Context } from "aws-lambda";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startFakeS3, type FakeS3, type LoggedRequest } from "../../src/testing/index.ts";
import { read } from "./project.ts";
import {
  allows,
  readTemplate,
  resourceOf,
  resourcesOf,
  statementsOf,
  type Demand,
  type Statement,
} from "./template.ts";

const folder = "examples/lambda-agent";
const template = readTemplate(`${folder}/template.yaml`);
const bucket = resourceOf(template, "Bucket");
const role = resourceOf(template, "Role");
const functions = resourcesOf(template, "AWS::Serverless::Function");
const logGroups = resourcesOf(template, "AWS::Logs::LogGroup");

/** What the role may do, policy by policy. */
const policies = Object.fromEntries(
  (role.Properties["Policies"] as readonly { PolicyName: string; PolicyDocument: unknown }[]).map((policy) => [
    policy.PolicyName,
    statementsOf(policy.PolicyDocument),
  ]),
);
const memoryPolicy = policies["memory"] ?? [];

let s3: FakeS3;
let demands: readonly Demand[];

/** The functions' own memory, with every command, in every way that sends other requests. */
beforeAll(async () => {
  s3 = await startFakeS3({ buckets: ["agent-memory"] });
  vi.stubEnv("MEMORY_BUCKET", "agent-memory");
  vi.stubEnv("AWS_ENDPOINT_URL_S3", s3.endpoint);
  vi.stubEnv("AWS_REGION", "us-east-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "any");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "any");
  const { handler } = await import("../../examples/lambda-agent/memory-function.ts"); // warms up
  const { httpEvent, memoryUse } = await import("../../examples/lambda-agent/events.ts");
  const context = { getRemainingTimeInMillis: () => 60_000 } as Context;

  const answers: string[] = [];
  const call = async (input: object): Promise<void> => {
    const event = httpEvent("/memory", "dana", memoryUse(`toolu_${answers.length}`, input));
    const { body = "" } = await handler(event as unknown as Parameters<typeof handler>[0], context);
    answers.push(body);
  };
  const create = (path: string): Promise<void> => call({ command: "create", path, file_text: "one\n" });
  const lose = (operation: LoggedRequest["operation"]): void => {
    s3.faults.add({ operation, times: 1 }, { commit: "now", answer: "drop" });
  };
  await call({ command: "view", path: "/memories" });
  await call({ command: "view", path: "/memories/missing.md" });
  for (const name of ["a.md", "plans/b.md", "plans/deep/c.md", "old/d.md", "old/e.md"])
    await create(`/memories/${name}`);
  await create("/memories/a.md");
  await call({ command: "view", path: "/memories/a.md" });
  await call({ command: "view", path: "/memories/plans" });
  await call({ command: "str_replace", path: "/memories/a.md", old_str: "one", new_str: "two" });
  s3.put("agents/users/dana/memories/a.md", "changed by somebody else\n");
  await call({ command: "str_replace", path: "/memories/a.md", old_str: "changed", new_str: "written" });
  lose("PutObject");
  await call({ command: "insert", path: "/memories/a.md", insert_line: 0, insert_text: "zero\n" });
  await call({ command: "rename", old_path: "/memories/a.md", new_path: "/memories/z.md" });
  await call({ command: "rename", old_path: "/memories/plans", new_path: "/memories/archive" });
  lose("DeleteObjects");
  await call({ command: "delete", path: "/memories/old" });
  lose("DeleteObject");
  await call({ command: "delete", path: "/memories/z.md" });
  await call({ command: "delete", path: "/memories/archive" });

  expect(answers.filter((answer) => answer.includes("not available"))).toEqual([]);
  expect(s3.objects().size).toBe(0);
  demands = [...s3.requests].flatMap(demandsOf);
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await s3.close();
});

const on = (action: string, name: string): Demand => ({ action, resource: `Bucket.Arn/${name}`, context: {} });

/** The permissions that S3 asks for, by its documentation: for a request, for its conditions, and for an honest 404. */
function demandsOf({ operation, key, batch, query, conditions, status }: LoggedRequest): readonly Demand[] {
  const list: Demand = { action: "s3:ListBucket", resource: "Bucket.Arn", context: {} };
  const hasEtag = Object.values(conditions).some((etag) => etag !== "*");
  if (operation === "GetObject" || operation === "HeadObject") {
    return [on("s3:GetObject", key), ...(status === 404 ? [list] : [])];
  }
  if (operation === "PutObject" || operation === "DeleteObject") {
    return [on(`s3:${operation}`, key), ...(hasEtag ? [on("s3:GetObject", key)] : [])];
  }
  if (operation === "DeleteObjects") {
    return batch.flatMap((entry) => [on("s3:DeleteObject", entry.key), on("s3:GetObject", entry.key)]);
  }
  if (operation === "ListObjectsV2") return [{ ...list, context: { "s3:prefix": query["prefix"] ?? "" } }];
  throw new Error(`It is not said here what ${operation} needs.`);
}

describe("the role of the functions", () => {
  it("is exercised by every kind of request that the library sends", () => {
    expect(new Set(s3.requests.operations)).toEqual(
      new Set(["ListObjectsV2", "GetObject", "PutObject", "DeleteObject", "DeleteObjects"]),
    );
    expect(demands.some(({ action, context }) => action === "s3:ListBucket" && !("s3:prefix" in context))).toBe(true);
  });

  it("allows everything that the request log shows", () => {
    expect(demands.filter((demand) => !allows(memoryPolicy, demand))).toEqual([]);
  });

  it("allows no action that the request log does not show", () => {
    const allowed = memoryPolicy.flatMap(({ actions }) => actions).sort();
    expect(allowed).toEqual([...new Set(demands.map(({ action }) => action))].sort());
  });

  it.each([
    { what: "a file outside the prefix", action: "s3:GetObject", resource: "Bucket.Arn/secrets.env", context: {} },
    { what: "a file beside the users", action: "s3:PutObject", resource: "Bucket.Arn/agents/settings", context: {} },
    { what: "another bucket", action: "s3:GetObject", resource: "Other.Arn/agents/users/dana/memories/a", context: {} },
    { what: "the names outside", action: "s3:ListBucket", resource: "Bucket.Arn", context: { "s3:prefix": "" } },
    { what: "the names beside", action: "s3:ListBucket", resource: "Bucket.Arn", context: { "s3:prefix": "agents/x" } },
    { what: "old versions", action: "s3:GetObjectVersion", resource: "Bucket.Arn/agents/users/a", context: {} },
    { what: "the bucket's settings", action: "s3:PutBucketPolicy", resource: "Bucket.Arn", context: {} },
  ])("does not reach $what", ({ action, resource, context }) => {
    expect(allows(Object.values(policies).flat(), { action, resource, context })).toBe(false);
  });

  it("writes logs into the functions' own groups, and may do nothing else", () => {
    expect(Object.keys(policies)).toEqual(["memory", "logs"]);
    expect(policies["logs"]).toEqual<readonly Statement[]>([
      {
        effect: "Allow",
        actions: ["logs:CreateLogStream", "logs:PutLogEvents"],
        resources: logGroups.map(([name]) => `${name}.Arn`),
        conditions: {},
      },
    ]);
    expect(role.Properties).not.toHaveProperty("ManagedPolicyArns");
    expect(functions.filter(([, { Properties }]) => "Policies" in Properties)).toEqual([]);
  });
});

describe("the bucket", () => {
  const properties = bucket.Properties;

  it("keeps old versions, and outlives the stack", () => {
    expect(properties["VersioningConfiguration"]).toEqual({ Status: "Enabled" });
    expect(bucket.DeletionPolicy).toBe("Retain");
  });

  it("is encrypted, and nothing in it can be made public", () => {
    expect(JSON.stringify(properties["BucketEncryption"])).toContain('"SSEAlgorithm":"AES256"');
    expect(properties["PublicAccessBlockConfiguration"]).toEqual({
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    });
    expect(properties["OwnershipControls"]).toEqual({ Rules: [{ ObjectOwnership: "BucketOwnerEnforced" }] });
  });

  it("removes old versions, the markers of what is gone, and uploads that were never ended", () => {
    const { Rules: rules } = properties["LifecycleConfiguration"] as { Rules: readonly Record<string, unknown>[] };
    expect(rules).toEqual([
      {
        Id: "old-versions",
        Status: "Enabled",
        NoncurrentVersionExpiration: { NoncurrentDays: 30 },
        ExpiredObjectDeleteMarker: true,
      },
      { Id: "unfinished-uploads", Status: "Enabled", AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 } },
    ]);
  });

  it("answers nobody without TLS", () => {
    const { Properties: policy } = resourceOf(template, "BucketPolicy");
    expect(policy["Bucket"]).toBe("Bucket");
    expect(statementsOf(policy["PolicyDocument"])).toEqual<readonly Statement[]>([
      {
        effect: "Deny",
        actions: ["s3:*"],
        resources: ["Bucket.Arn", "Bucket.Arn/*"],
        conditions: { Bool: { "aws:SecureTransport": ["false"] } },
      },
    ]);
  });
});

describe("the functions", () => {
  it.each(functions)(
    "%s: bounded in number and in time, its logs kept for a while",
    (_, { Properties: properties }) => {
      expect(properties["Role"]).toBe("Role.Arn");
      expect(properties["ReservedConcurrentExecutions"]).toBe("Concurrency");
      expect(template.Parameters["Concurrency"]?.["Default"]).toEqual(expect.any(Number));
      const { LogGroup: group } = properties["LoggingConfig"] as { LogGroup: string };
      const [, logs] = logGroups.find(([name]) => name === group) ?? [];
      expect(logs?.Properties["RetentionInDays"]).toBe("LogDays");
      expect(template.Parameters["LogDays"]?.["Default"]).toBe(30);
      expect(template.Globals.Function["Timeout"]).toBeLessThan(30); // an HTTP API's own
    },
  );

  it.each(functions)("%s: is a file of the example, in the folder that the build fills", (_, { Properties }) => {
    const entry = String(Properties["Handler"]).replace(/\.handler$/, ".ts");
    expect(read(`${folder}/build.ts`)).toContain(`"${entry}"`);
    expect(read(`${folder}/${entry}`)).toMatch(/export (?:const|async function) handler\b/);
    expect(template.Globals.Function["CodeUri"]).toBe("dist/");
  });

  it("answer only who has a token", () => {
    const { DefaultAuthorizer: name, Authorizers: authorizers } = resourceOf(template, "Api").Properties["Auth"] as {
      DefaultAuthorizer: string;
      Authorizers: Record<string, unknown>;
    };
    expect(authorizers[name]).toHaveProperty("JwtConfiguration.issuer", "TokenIssuer");
    const events = functions.flatMap(([, { Properties }]) => Object.values(Properties["Events"] as object));
    expect(events).toHaveLength(functions.length);
    for (const event of events) {
      expect(event).toMatchObject({ Type: "HttpApi", Properties: { ApiId: "Api", Method: "POST" } });
      expect(event).toHaveProperty("Properties.PayloadFormatVersion", "2.0");
      expect(event).not.toHaveProperty("Properties.Auth");
    }
  });

  it("have their key from Secrets Manager, and nowhere in the template", () => {
    const keys = [...read(`${folder}/template.yaml`).matchAll(/ANTHROPIC_API_KEY: (.+)/g)].map(([, value]) => value);
    expect(keys).toEqual(['!Sub "{{resolve:secretsmanager:${AnthropicKeySecret}:SecretString}}"']);
  });
});
