export { createMcpServer } from "./mcp/server.ts";
export type { McpServerOptions } from "./mcp/server.ts";
export { mcpHandler } from "./mcp/handler.ts";
export type { McpHandler, McpHandlerOptions } from "./mcp/handler.ts";
export type { MemoryOfUsers, MemoryScope } from "./tool/scope.ts";
