import { createS3Memory } from "../../dist/index.js";
import { testClient } from "../../test/support/test-client.ts";
import type { Address, Side } from "./side.ts";

export type OurOptions = Omit<Parameters<typeof createS3Memory>[0], "bucket" | "client">;

/** This library, on a client of its own with the SDK's settings. */
export function ours(name: string, { endpoint, bucket }: Address, options: OurOptions): Side {
  // Whatever goes wrong is thrown below; failures made on purpose belong on no console.
  const memory = createS3Memory({ bucket, client: testClient(endpoint), onError: () => undefined, ...options });
  return {
    name,
    forUser(user) {
      const userMemory = memory.forUser(user);
      return {
        async execute(command) {
          const result = await userMemory.execute(command);
          if (result.isError) throw result.error;
          return result.content;
        },
      };
    },
  };
}
