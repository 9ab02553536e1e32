/** The agent: `{ "question": … }` in, `{ "answer": … }` out; what it learns on the way stays in the user's memory. */
import Anthropic, { APIUserAbortError } from "@anthropic-ai/sdk";
import type { APIGatewayProxyEventV2WithJWTAuthorizer, APIGatewayProxyStructuredResultV2, Context } from "aws-lambda";
import { memoryTool } from "s3-memory-tool/anthropic";
import { beforeDeadline } from "s3-memory-tool/lambda";
import { memory, userOf } from "./memory.ts";

const anthropic = new Anthropic({ maxRetries: 1 }); // its key is in ANTHROPIC_API_KEY
const model = process.env["MODEL"] ?? "claude-sonnet-5-5";
const longestQuestion = 10_000;

export async function handler(
  event: APIGatewayProxyEventV2WithJWTAuthorizer,
  context: Context,
): Promise<APIGatewayProxyStructuredResultV2> {
  const user = userOf(event);
  if (user === undefined) return problem(401, "Unauthorized", "It is not known who asks.");
  const question = questionIn(event);
  if (question === undefined) return problem(400, "Bad Request", 'Expected JSON such as {"question": "…"}.');
  try {
    return json(200, { answer: await beforeDeadline(context, (signal) => ask(user, question, signal)) });
  } catch (error) {
    if (error instanceof APIUserAbortError) {
      return problem(504, "Gateway Timeout", "It took too long; what was noted meanwhile stays noted.");
    }
    console.error(error);
    return problem(502, "Bad Gateway", "Claude could not be asked.");
  }
}

/** One conversation. The signal ends it before Lambda would, with all that it has in flight. */
async function ask(user: string, question: string, signal: AbortSignal): Promise<string> {
  const message = await anthropic.beta.messages.toolRunner(
    {
      model,
      max_tokens: 2048,
      max_iterations: 20,
      tools: [memoryTool(memory.forUser(user))],
      messages: [{ role: "user", content: question }],
    },
    { signal },
  );
  return message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

function questionIn({ body = "", isBase64Encoded }: APIGatewayProxyEventV2WithJWTAuthorizer): string | undefined {
  try {
    const sent: unknown = JSON.parse(isBase64Encoded ? Buffer.from(body, "base64").toString() : body);
    const question = typeof sent === "object" && sent !== null && "question" in sent ? sent.question : undefined;
    return typeof question === "string" && question !== "" && question.length <= longestQuestion ? question : undefined;
  } catch {
    return undefined;
  }
}

function json(statusCode: number, value: unknown, contentType = "application/json"): APIGatewayProxyStructuredResultV2 {
  return { statusCode, headers: { "content-type": contentType }, body: JSON.stringify(value) };
}

function problem(status: number, title: string, detail: string): APIGatewayProxyStructuredResultV2 {
  return json(status, { type: "about:blank", title, status, detail }, "application/problem+json");
}
