import { serveStdio as serveTransport } from "@modelcontextprotocol/server/stdio";
import { createMcpServer } from "../adapters/mcp.ts";
import type { Served } from "./mcp-command.ts";
import { PatientStdio } from "./patient-stdio.ts";
import type { Surroundings } from "./run.ts";

/** Serves one client over the process's own streams. Resolves when it has gone, or when the signal ended it. */
export async function serveStdio(
  { memory, userMemory, version, log, onError, graceMilliseconds }: Served,
  { stdin, stdout, signal }: Surroundings,
): Promise<void> {
  const transport = new PatientStdio({ stdin, stdout, signal, graceMilliseconds });
  serveTransport(() => createMcpServer(userMemory, { version, onError }), {
    transport,
    onerror: (error) => log(error.message),
  });
  void memory.warm({ signal });
  await transport.closed;
}
