import { TestRunner } from "vitest";

type Suite = Parameters<NonNullable<TestRunner["onAfterRunSuite"]>>[0];
type Test = Parameters<NonNullable<TestRunner["onAfterRunTask"]>>[0];

/**
 * Reports what a missing server kept from running as skipped, not as failed and never as passed.
 * `server-reporter.ts` then says so in large letters.
 */
// oxlint-disable-next-line import/no-default-export -- vitest loads a runner by its default export
export default class ServerAwareRunner extends TestRunner {
  override async onAfterRunSuite(suite: Suite): Promise<void> {
    forgiveMissingServer(suite);
    await super.onAfterRunSuite(suite);
  }

  override onAfterRunTask(test: Test): void {
    forgiveMissingServer(test);
    super.onAfterRunTask(test);
  }
}

function forgiveMissingServer({ result }: Suite | Test): void {
  const errors = result?.errors ?? [];
  if (!result || errors.length === 0 || errors.some((error) => error.name !== "ServerMissingError")) return;
  result.state = "skip";
  delete result.errors;
}
