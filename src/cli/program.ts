import { readFileSync } from "node:fs";
import { Command, Option } from "commander";
import { serve } from "./mcp-command.ts";
import { mcpSettings, UsageError } from "./mcp-settings.ts";
import type { Surroundings } from "./run.ts";

/** The commands of `s3-memory-tool`. Each tells its exit code; what was said wrongly is thrown as a `CommanderError`. */
export function createProgram(surroundings: Surroundings, exitWith: (code: number) => void): Command {
  const program = new Command("s3-memory-tool")
    .description("Claude's memory tool on your own S3 bucket.")
    .version(version())
    .exitOverride()
    .configureOutput({
      writeOut: (text) => surroundings.stdout.write(text),
      writeErr: (text) => surroundings.stderr.write(text),
    })
    .showHelpAfterError();

  program
    .command("mcp") // takes over what is configured above
    .description("Serves one user's memory by the Model Context Protocol, over stdio unless --http is given.")
    .option("--bucket <name>", "the bucket, or the ARN of an access point (S3_MEMORY_BUCKET)")
    .option("--user <id>", "whose memory it is (S3_MEMORY_USER)")
    .option("--project <id>", "a memory of its own for one project of that user (S3_MEMORY_PROJECT)")
    .option("--actor <id>", "who acts for the user; written into each file's metadata (S3_MEMORY_ACTOR)")
    .option("--prefix <prefix>", "put before every key (S3_MEMORY_PREFIX)")
    .option("--region <region>", "of the bucket (AWS_REGION)")
    .option("--endpoint <url>", "a store that speaks S3, path style (S3_MEMORY_ENDPOINT)")
    .option("--read-only", "refuse every command that would write (S3_MEMORY_READ_ONLY=1)")
    .addOption(
      new Option(
        "--on-existing <what>",
        "what create does with a file that exists (S3_MEMORY_ON_EXISTING; default error)",
      ).choices(["error", "overwrite"]),
    )
    .option(
      "--no-conditional-delete",
      "for a store that lacks conditional deletes, such as LocalStack (S3_MEMORY_CONDITIONAL_DELETE=0)",
    )
    .option("--http <[host:]port>", "serve http://HOST:PORT/mcp, on 127.0.0.1 unless told otherwise (S3_MEMORY_HTTP)")
    .addHelpText(
      "after",
      "\nCredentials are those that the AWS SDK finds. With S3_MEMORY_TOKEN set, requests over HTTP must carry it as a" +
        "\nbearer token; on any address but a loopback one it must be set. What an option says goes before the environment.",
    )
    .action(async (options: object, command: Command) => {
      try {
        exitWith(await serve(mcpSettings(options, surroundings.env), surroundings, version()));
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        command.error(`error: ${error.message}`, { exitCode: 2 });
      }
    });
  return program;
}

/** From the package's own manifest, which is as far from here before and after the build. */
function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  const found: unknown =
    typeof manifest === "object" && manifest !== null ? Reflect.get(manifest, "version") : undefined;
  return typeof found === "string" ? found : "unknown";
}
