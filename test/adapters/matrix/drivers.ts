import type { Driver } from "./driver.ts";
import { aiSdkAny, aiSdkAnyStream } from "./drivers/ai-sdk-any.ts";
import { aiSdkClaude, aiSdkClaudeAgent, aiSdkClaudeStream } from "./drivers/ai-sdk-claude.ts";
import { lambdaDirect, lambdaHttp } from "./drivers/lambda.ts";
import { langchainAny } from "./drivers/langchain-any.ts";
import { langchainClaude, langchainClaudeStream } from "./drivers/langchain-claude.ts";
import { manualLoop, manualLoopStream } from "./drivers/manual-loop.ts";
import { mcpHttp } from "./drivers/mcp-http.ts";
import { mcpInMemory } from "./drivers/mcp-in-memory.ts";
import { toolRunner, toolRunnerEager, toolRunnerStream, toolRunnerWithoutThread } from "./drivers/tool-runner.ts";

/** Every way of bringing calls to a memory by an adapter of this package, with the real package of its framework. */
export const adapters: readonly Driver[] = [
  toolRunner,
  toolRunnerStream,
  toolRunnerEager,
  toolRunnerWithoutThread,
  manualLoop,
  manualLoopStream,
  lambdaHttp,
  lambdaDirect,
  aiSdkClaude,
  aiSdkClaudeStream,
  aiSdkClaudeAgent,
  aiSdkAny,
  aiSdkAnyStream,
  langchainClaude,
  langchainClaudeStream,
  langchainAny,
  mcpHttp,
  mcpInMemory,
];
