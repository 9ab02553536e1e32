import type { Server } from "node:http";

export interface LocalServer {
  /** `http://127.0.0.1:{port}` */
  readonly url: string;
  /** Ends what is open, and takes no more. */
  readonly close: () => Promise<void>;
}

/** Lets a server listen on a free port of this machine. */
export async function listenLocally(server: Server): Promise<LocalServer> {
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
