import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { errorAnswer, hostId, type S3Answer } from "./answer.ts";
import type { Fault, FaultAnswer, Pause } from "./faults.ts";
import { perform } from "./operations.ts";
import type { LoggedRequest } from "./request-log.ts";
import { S3Error } from "./s3-error.ts";
import type { S3Request } from "./s3-request.ts";
import type { Behaviour, Store } from "./store.ts";

/** What becomes of one request once its faults are known. */
interface Plan {
  readonly beforeCommit: readonly Pause[];
  readonly commit: "now" | "never" | "late";
  readonly afterCommit: readonly Pause[];
  readonly answer: FaultAnswer | "drop" | "hang" | undefined;
  readonly hidesMissing: boolean;
  readonly behaviour: Behaviour;
}

export function makePlan(faults: readonly Fault[], settings: Behaviour): Plan {
  const merged: Fault = Object.assign({}, ...faults);
  const { answer, pageSize, listingLag, etags, keyErrors } = merged;
  return {
    beforeCommit: faults.flatMap(({ beforeCommit }) => beforeCommit ?? []),
    commit: merged.commit ?? (answer === undefined ? "now" : "never"),
    afterCommit: faults.flatMap(({ afterCommit }) => afterCommit ?? []),
    answer,
    hidesMissing: merged.hidesMissing ?? false,
    behaviour: {
      ...settings,
      ...(pageSize === undefined ? {} : { pageSize }),
      ...(listingLag === undefined ? {} : { listingLag }),
      ...(etags === undefined ? {} : { etags }),
      ...(keyErrors === undefined ? {} : { keyErrors }),
    },
  };
}

async function pause(pauses: readonly Pause[], request: LoggedRequest): Promise<void> {
  for (const step of pauses) {
    // Without a reference a pause does not keep the process alive after the server was closed.
    if (typeof step === "number") await wait(step, undefined, { ref: false });
    else await step(request);
  }
}

function carryOut(request: S3Request, requestId: string, store: Store, plan: Plan): S3Answer {
  try {
    return perform(request, store, plan.behaviour);
  } catch (error) {
    if (!(error instanceof S3Error)) throw error;
    const isHidden = plan.hidesMissing && error.code === "NoSuchKey";
    return errorAnswer(isHidden ? new S3Error(403, "AccessDenied", "Access Denied") : error, requestId);
  }
}

function madeUp({ status, code, message = code, headers = {} }: FaultAnswer, requestId: string): S3Answer {
  return errorAnswer(new S3Error(status, code, message, {}, headers), requestId);
}

export type Outcome = S3Answer | "drop" | "hang";

/**
 * Carries one request out as its plan says. `late` is the work that goes on after the answer; it is
 * done even if the client has gone.
 */
export async function follow(
  plan: Plan,
  request: S3Request,
  logged: LoggedRequest,
  { store, requestId }: { readonly store: Store; readonly requestId: string },
): Promise<{ readonly outcome: Outcome; readonly late?: Promise<unknown> }> {
  const work = async (): Promise<S3Answer> => {
    await pause(plan.beforeCommit, logged);
    return carryOut(request, requestId, store, plan);
  };
  const instead = typeof plan.answer === "object" ? madeUp(plan.answer, requestId) : plan.answer;
  if (plan.commit === "late" && instead !== undefined) return { outcome: instead, late: work() };
  if (plan.commit === "never" && instead !== undefined) {
    await pause([...plan.beforeCommit, ...plan.afterCommit], logged);
    return { outcome: instead };
  }
  const truth = await work();
  await pause(plan.afterCommit, logged);
  return { outcome: instead ?? truth };
}

export function send({ status, headers, body }: S3Answer, requestId: string, response: ServerResponse): void {
  const length = status === 204 || status === 304 ? {} : { "content-length": Buffer.byteLength(body) };
  response.writeHead(status, {
    ...headers,
    ...length,
    "x-amz-request-id": requestId,
    "x-amz-id-2": hostId,
    server: "AmazonS3",
  });
  response.end(response.req.method === "HEAD" ? undefined : body);
}
