import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { mcpSettings, UsageError } from "../../src/cli/mcp-settings.ts";
import { read } from "../package/project.ts";
import { bin, environment, start } from "./bin.ts";

const { version, engines } = JSON.parse(read("package.json")) as { version: string; engines: { node: string } };
const given = { bucket: "agent-memory", user: "dana", conditionalDelete: true };

describe("the command line", () => {
  it("tells its version and its help, and that is all", async () => {
    expect(await start(["--version"]).ended).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
    const help = await start(["mcp", "--help"]).ended;
    expect(help).toMatchObject({ code: 0, stderr: "" });
    for (const name of ["--bucket", "S3_MEMORY_BUCKET", "--user", "--read-only", "--http", "S3_MEMORY_TOKEN"]) {
      expect(help.stdout).toContain(name);
    }
  });

  it.each(["20.20.2", "22.11.0"])("says in one line that Node %s is too old", async (node) => {
    const older = `data:text/javascript,Object.defineProperty(process, "versions", { value: { node: "${node}" } })`;
    const { ended } = start(["mcp", "--bucket", "agent-memory", "--user", "dana"], {}, ["--import", older]);
    const needed = engines.node.replace(">=", "");
    const stderr = `[s3-memory-tool] Node ${needed} or newer is needed; this is ${node}.\n`;
    expect(await ended).toEqual({ code: 1, stdout: "", stderr });
  });

  it("ends where nobody takes what it writes", async () => {
    const flood = "data:text/javascript,process.stdout.write('x'.repeat(2_000_000))";
    const child = spawn(process.execPath, ["--import", flood, bin, "--version"], { env: environment() });
    const killing = setTimeout(() => child.kill("SIGKILL"), 5_000);
    expect(await once(child, "exit")).toEqual([0, null]);
    clearTimeout(killing);
  });

  it.each([
    { values: [], says: "Usage: s3-memory-tool" },
    { values: ["serve"], says: "error: unknown command 'serve'" },
    { values: ["mcp", "--user", "dana"], says: "error: --bucket is missing, and S3_MEMORY_BUCKET is not set." },
    { values: ["mcp", "--bucket", "b-b"], says: "error: --user is missing, and S3_MEMORY_USER is not set." },
    { values: ["mcp", "--bucket", "b-b", "--user", " "], says: "error: user must be a string that is not blank" },
    {
      values: ["mcp", "--bucket", "b b", "--user", "d"],
      says: 'option bucket is "b b". Expected the name of a bucket',
    },
    { values: ["mcp", "--bucket", "b-b", "--user", "d", "--prefix", "a*"], says: "error: prefix" },
    { values: ["mcp", "--bucket", "b-b", "--user", "d", "--token", "s3cret"], says: "error: unknown option '--token'" },
    {
      values: ["mcp", "--bucket", "b-b", "--user", "d", "--on-existing", "x"],
      says: "Allowed choices are error, overwrite",
    },
    {
      values: ["mcp", "--bucket", "b-b", "--user", "d", "--http", "nonsense"],
      says: "--http is nonsense; it should be a port",
    },
    {
      values: ["mcp", "--bucket", "b-b", "--user", "--read-only"],
      says: "--user has no value: --read-only is an option.",
    },
    {
      values: ["mcp", "--bucket", "b-b", "--user", "d", "--endpoint", "nonsense"],
      says: 'the endpoint is "nonsense"; it should be a URL such as http://127.0.0.1:9000.',
    },
    {
      values: ["mcp", "--bucket", "b-b", "--user", "d", "--http", "0.0.0.0:0"],
      says: "set S3_MEMORY_TOKEN to a secret",
    },
  ])("says how it is used, and ends with 2: $values", async ({ values, says }) => {
    const { code, stdout, stderr } = await start(values).ended;
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(says);
    expect(stderr).toContain("Usage: s3-memory-tool");
  });

  it.each([
    { name: "@modelcontextprotocol/server", values: [] },
    { name: "@modelcontextprotocol/node", values: ["--http", "0"] },
  ])("says in one line what to install where $name is missing", async ({ name, values }) => {
    // As Node itself says it where there is no such folder.
    const refuse = `import { registerHooks } from "node:module"; registerHooks({ resolve(specifier, context, next) {
      return next(specifier.startsWith("${name}") ? specifier.replace("${name}", "${name}-that-is-missing") : specifier, context);
    } })`;
    const hook = ["--import", `data:text/javascript,${encodeURIComponent(refuse)}`];
    const memory = ["mcp", "--bucket", "agent-memory", "--user", "dana"];
    const { code, stdout, stderr } = await start([...memory, ...values], {}, hook).ended;
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(
      /^\[s3-memory-tool\] @modelcontextprotocol\/\S+ is not installed. Install it: npm install [^\n]+\n$/,
    );
    expect(stderr).toContain(`npm install ${name}`);
  });
});

describe("what is to be served", () => {
  const variables = {
    S3_MEMORY_BUCKET: "from-env",
    S3_MEMORY_USER: "eli",
    S3_MEMORY_PROJECT: "crm",
    S3_MEMORY_ACTOR: "agent",
    S3_MEMORY_PREFIX: "agents",
    S3_MEMORY_ENDPOINT: "http://127.0.0.1:9000",
    S3_MEMORY_READ_ONLY: "1",
    S3_MEMORY_ON_EXISTING: "overwrite",
    S3_MEMORY_CONDITIONAL_DELETE: "0",
    S3_MEMORY_HTTP: "8080",
    S3_MEMORY_TOKEN: "secret",
    AWS_REGION: "eu-central-1",
  };

  it("can all be told by the environment", () => {
    expect(mcpSettings({ conditionalDelete: true }, variables)).toEqual({
      bucket: "from-env",
      user: "eli",
      project: "crm",
      actor: "agent",
      prefix: "agents",
      region: "eu-central-1",
      endpoint: "http://127.0.0.1:9000",
      readOnly: true,
      onExisting: "overwrite",
      conditionalDelete: false,
      http: { host: "127.0.0.1", port: 8080 },
      token: "secret",
    });
  });

  it("is first of all what the options say", () => {
    const options = {
      project: "a",
      actor: "b",
      prefix: "c",
      region: "d",
      endpoint: "https://e",
      onExisting: "error",
      http: "1",
    };
    expect(mcpSettings({ ...given, ...options }, variables)).toMatchObject({
      ...given,
      ...options,
      conditionalDelete: false, // the flag can only take it away
      http: { host: "127.0.0.1", port: 1 },
    });
  });

  it("is nothing where a variable is empty", () => {
    const empty = Object.fromEntries(Object.keys(variables).map((name) => [name, ""]));
    const { bucket, user, readOnly, conditionalDelete, ...others } = mcpSettings(given, empty);
    expect({ bucket, user, readOnly, conditionalDelete }).toEqual({ ...given, readOnly: false });
    expect(Object.values(others).filter((value) => value !== undefined)).toEqual([]);
  });

  it.each(["yes", "2", "TRUE", " "])("is never written to by a slip: S3_MEMORY_READ_ONLY=%j is refused", (value) => {
    expect(() => mcpSettings(given, { S3_MEMORY_READ_ONLY: value })).toThrow(UsageError);
  });

  it.each(["", "127.0.0.1:9000", "s3.example.com", "ftp://s3.example.com", "http://"])(
    "is stored at no such endpoint: %j",
    (endpoint) => {
      expect(() => mcpSettings({ ...given, endpoint }, {})).toThrow(UsageError);
    },
  );

  it.each([" ", "abc ", " abc", "a\nb", "é"])(
    "cannot be asked for with a token that no header carries: %j",
    (token) => {
      const ask = (): unknown => mcpSettings(given, { S3_MEMORY_TOKEN: token });
      expect(ask).toThrow(UsageError);
      expect(ask).toThrow(/^S3_MEMORY_TOKEN cannot be sent as a bearer token: [^"]+$/); // and is not said
    },
  );

  it.each([
    ["8080", { host: "127.0.0.1", port: 8080 }],
    ["0.0.0.0:80", { host: "0.0.0.0", port: 80 }],
    ["localhost:0", { host: "localhost", port: 0 }],
    ["[::1]:8080", { host: "::1", port: 8080 }],
    ["memory.internal:65535", { host: "memory.internal", port: 65_535 }],
  ])("is served at %s", (http, address) => {
    expect(mcpSettings({ ...given, http }, { S3_MEMORY_TOKEN: "secret" }).http).toEqual(address);
  });

  it.each(["", "65536", ":8080", "host:", "::1:8080", "[x]:1", "a:b", "http://a:1", "1.5", "-1"])(
    "is served at no such address: %j",
    (http) => {
      expect(() => mcpSettings({ ...given, http }, { S3_MEMORY_TOKEN: "secret" })).toThrow(/it should be a port/);
    },
  );

  it.each(["0.0.0.0:1", "[::]:1", "192.168.1.5:1", "127.0.0.1.evil.example:1", "memory.internal:1"])(
    "is served to nobody else without a token: %s",
    (http) => {
      expect(() => mcpSettings({ ...given, http }, {})).toThrow(/set S3_MEMORY_TOKEN/);
    },
  );

  it.each(["1", "127.0.0.1:1", "127.8.9.1:1", "localhost:1", "[::1]:1"])(
    "may be served to this machine without one: %s",
    (http) => {
      expect(mcpSettings({ ...given, http }, {}).token).toBeUndefined();
    },
  );
});
