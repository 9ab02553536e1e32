/** The parts of an SDK's or a network's error that decide something. */
export interface Fault {
  /** The HTTP status; absent if nothing was answered. */
  readonly status?: number | undefined;
  /** The S3 error code, or the class of another error. */
  readonly name: string;
  readonly message: string;
  /** The code of a network error, such as `ECONNRESET`. */
  readonly networkCode?: string | undefined;
  readonly systemCall?: string | undefined;
  readonly requestId?: string | undefined;
  /** The region that the store says the bucket is in. */
  readonly region?: string | undefined;
}

interface SdkError {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly Region?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: unknown; readonly requestId?: unknown };
  readonly $response?: { readonly statusCode?: unknown; readonly headers?: Readonly<Record<string, unknown>> };
}

/** Reads an error of which nothing is certain. */
export function readFault(error: unknown): Fault {
  const { name, message, Region, $metadata, $response } = asSdkError(error);
  const network = networkError(error);
  return {
    status: number($metadata?.httpStatusCode) ?? number($response?.statusCode),
    name: text(name) ?? "Error",
    message: text(message) ?? "",
    networkCode: text(network.code),
    systemCall: text(network.syscall),
    requestId: text($metadata?.requestId),
    region: text($response?.headers?.["x-amz-bucket-region"]) ?? text(Region),
  };
}

/** The network's error: itself, the cause (of `fetch failed`) or the first of several addresses' errors. */
function networkError(error: unknown): SdkError {
  const { cause, errors } = asSdkError(error);
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
  const candidates = [asSdkError(error), asSdkError(first), asSdkError(cause)];
  return candidates.find(({ code }) => text(code) !== undefined) ?? {};
}

function asSdkError(error: unknown): SdkError {
  return typeof error === "object" && error !== null ? error : { message: String(error) };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function number(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** A missing bucket or access point is a 404 too, and is never a missing object. */
export function isMissing({ status, name }: Fault): boolean {
  return status === 404 && (name === "NoSuchKey" || name === "NotFound");
}

const connectionCodes = new Set(["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "EHOSTDOWN", "ENOTFOUND", "EAI_AGAIN"]);

/** No connection was made, so nothing was sent. */
export function neverConnected({ name, message, networkCode, systemCall }: Fault): boolean {
  if (networkCode === undefined) {
    // The handler's own connection time-out; both ends of the SDK's range speak of establishing it.
    return name === "TimeoutError" && message.includes("establish");
  }
  if (connectionCodes.has(networkCode) || systemCall === "connect" || systemCall === "getaddrinfo") return true;
  return certificateRefused(networkCode);
}

/** The TLS handshake failed on the certificate. */
export function certificateRefused(networkCode: string | undefined): boolean {
  return /^(CERT_|ERR_TLS_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(GET|VERIFY)_)/.test(networkCode ?? "");
}

/** The request was given up on while it may still be on its way. */
export function timedOut({ name, networkCode }: Fault): boolean {
  // The SDK calls a reset connection a TimeoutError too; its code tells them apart.
  if (networkCode === undefined) return name === "TimeoutError" || name === "AbortError";
  return networkCode === "ETIMEDOUT" || networkCode === "ABORT_ERR";
}
