import { createServer, request as send, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** A road to an HTTP server that can be closed: what then arrives is never answered. */
export interface Gate {
  readonly endpoint: string;
  /** Whether a request is held from now on. */
  hold(isHeld: (request: IncomingMessage) => boolean): void;
  close(): Promise<void>;
}

const letThrough: (request: IncomingMessage) => boolean = () => false;

export async function openGate(target: string): Promise<Gate> {
  let isHeld = letThrough;
  const server = createServer((incoming, outgoing) => {
    if (isHeld(incoming)) return;
    const { method, url = "/", headers } = incoming;
    const onward = send(new URL(url, target), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold(judge) {
      isHeld = judge;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
