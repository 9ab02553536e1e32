import { expect } from "vitest";
import type { APIGatewayProxyEventV2WithJWTAuthorizer, APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { memoryHandler, type MemoryAnswer, type MemoryHandlerOptions } from "../../src/adapters/lambda.ts";
import { createMemory, type Memory } from "../../src/index.ts";
import { inMemoryStore } from "../../src/stores/in-memory-store.ts";
import { contextWith } from "./lambda-events.ts";

export type HttpEvent = APIGatewayProxyEventV2WithJWTAuthorizer;
export type HttpAnswer = APIGatewayProxyStructuredResultV2;

export const path = "/memories/notes.md";
export const use = (id: string, input: unknown): object => ({ type: "tool_use", id, name: "memory", input });
export const create = use("toolu_1", { command: "create", path, file_text: "one\n" });
export const view = use("toolu_2", { command: "view", path });

export const memoryOf = (): Memory => createMemory({ store: inMemoryStore() });

export function scope({ requestContext: { authorizer } }: HttpEvent): { user: string } | undefined {
  const { sub } = authorizer.jwt.claims;
  return typeof sub === "string" ? { user: sub } : undefined;
}

/** A handler of HTTP events, with a minute to go. */
export function handlerOn(memory: Memory, options: Partial<MemoryHandlerOptions<HttpEvent>> = {}) {
  const handler = memoryHandler({ memory, scope, ...options });
  return (event: HttpEvent): Promise<HttpAnswer> => handler(event, contextWith());
}

export function contentOf({ body = "" }: HttpAnswer): MemoryAnswer["content"] {
  return (JSON.parse(body) as MemoryAnswer).content;
}

/** What a problem looks like on the wire. */
export function problem(status: number, title: string, detail: string): unknown {
  return {
    statusCode: status,
    headers: expect.objectContaining({ "content-type": "application/problem+json", "cache-control": "no-store" }),
    body: JSON.stringify({ type: "about:blank", title, status, detail }),
  };
}
