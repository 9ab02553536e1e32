import type { S3Error } from "./s3-error.ts";
import { element, elements, xmlDocument, type Markup } from "./xml.ts";

/** What goes back to the client. */
export interface S3Answer {
  readonly status: number;
  /** The S3 error code, if it is an error; for the log. */
  readonly code?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

export const hostId = "ZmFrZSBTMw==";

/** A header that may be absent. */
type OptionalHeaders = Readonly<Record<string, string | undefined>>;

function present(headers: OptionalHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

export function answer(status: number, headers: OptionalHeaders = {}, body: string | Buffer = ""): S3Answer {
  return { status, headers: present(headers), body };
}

export function xmlAnswer(headers: OptionalHeaders, root: string, ...contents: readonly Markup[]): S3Answer {
  return answer(200, { "content-type": "application/xml", ...headers }, xmlDocument(root, ...contents));
}

/** The error as AWS writes it: code, message, what belongs to the code, ids. */
export function errorAnswer({ status, code, message, fields, headers }: S3Error, requestId: string): S3Answer {
  const body = xmlDocument(
    "Error",
    element("Code", code),
    element("Message", message),
    elements(fields),
    element("RequestId", requestId),
    element("HostId", hostId),
  );
  return { status, code, headers: { "content-type": "application/xml", ...headers }, body };
}
