export { createMcpServer } from "./mcp/server.ts";
export type { McpServerOptions } from "./mcp/server.ts";
export { mcpHandler } from "./mcp/handler.ts";
export type { McpHandler, McpHandlerOptions } from "./mcp/handler.ts";
export type { MemoryScope } from "./mcp/scope.ts";
