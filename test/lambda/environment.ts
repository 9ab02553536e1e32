import { freePort, startProcess } from "../../localstack/server-process.ts";
import type { LambdaTools } from "./tools.ts";

/** One function, and what Lambda would be told of it. */
export interface LambdaFunction {
  /** `agent-function` or `memory-function`. */
  readonly name: string;
  /** The bundle's folder. */
  readonly folder: string;
  readonly timeoutSeconds: number;
  readonly variables: Readonly<Record<string, string>>;
}

/** What an HTTP function answers. */
export interface HttpAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body, parsed. */
  readonly body: unknown;
  readonly milliseconds: number;
}

/** One environment of a function: a process that works on one event at a time, as Lambda starts them. */
export interface ExecutionEnvironment {
  /** Sends an event, and answers what Lambda would hand on, parsed. */
  invoke(event: unknown): Promise<{ readonly answer: unknown; readonly milliseconds: number }>;
  /** The same for an HTTP event; throws where the answer is none that API Gateway would take. */
  request(event: unknown): Promise<HttpAnswer>;
  stop(): Promise<void>;
}

/** Longer than any of the functions may take. */
const patienceMilliseconds = 60_000;

export async function startEnvironment(
  { emulator, client }: LambdaTools,
  { name, folder, timeoutSeconds, variables }: LambdaFunction,
): Promise<ExecutionEnvironment> {
  const runtimePort = await freePort();
  const server = await startProcess({
    executable: emulator,
    args: ({ port }) => [
      "--runtime-interface-emulator-address",
      `127.0.0.1:${port}`,
      "--runtime-api-address",
      `127.0.0.1:${runtimePort}`,
      process.execPath,
      client,
      `${name}.handler`,
    ],
    environment: () => ({
      ...variables,
      LAMBDA_TASK_ROOT: folder,
      AWS_LAMBDA_FUNCTION_NAME: name,
      AWS_LAMBDA_FUNCTION_TIMEOUT: String(timeoutSeconds),
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: "512",
    }),
    // Any answer: an invocation would be the first event already.
    health: async (endpoint) => {
      await fetch(endpoint, { signal: AbortSignal.timeout(5_000) });
    },
    via: "the Runtime Interface Emulator",
  });
  const invoke = async (event: unknown): Promise<{ answer: unknown; milliseconds: number }> => {
    const started = performance.now();
    const response = await fetch(`${server.endpoint}/2015-03-31/functions/function/invocations`, {
      method: "POST",
      body: JSON.stringify(event),
      signal: AbortSignal.timeout(patienceMilliseconds),
    });
    const text = await response.text();
    const milliseconds = performance.now() - started;
    return { answer: parsed(text), milliseconds };
  };
  return {
    invoke,
    async request(event) {
      const { answer, milliseconds } = await invoke(event);
      const { statusCode, headers, body } = answer as Partial<HttpAnswer>;
      if (typeof statusCode !== "number" || typeof body !== "string") {
        throw new Error(`${name} answered no HTTP: ${JSON.stringify(answer).slice(0, 1_000)}`);
      }
      return { statusCode, headers: headers ?? {}, body: parsed(body), milliseconds };
    },
    stop: () => server.stop(),
  };
}

/** What Lambda says of a time-out is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
