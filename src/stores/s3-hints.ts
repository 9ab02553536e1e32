import { certificateRefused, neverConnected, timedOut, type Fault } from "./s3-fault.ts";
import type { S3Operation, S3Request, S3RequestState } from "./s3-request.ts";

/** One sentence for the operator: what is probably wrong and how to put it right. */
export function s3Hint(fault: Fault, request: S3Request, state: S3RequestState): string | undefined {
  if (state.stoppedBy === "caller") return undefined;
  if (state.stoppedBy === "time limit") return timeLimitHint(state);
  return (
    hintByName(fault, state.bucket) ??
    (fault.status === undefined ? connectionHint(fault) : hintByStatus(fault, request, state.bucket))
  );
}

function timeLimitHint({ limitMilliseconds, sent }: S3RequestState): string {
  const limit = `within ${limitMilliseconds} ms (timeouts.request)`;
  return sent
    ? `The store did not answer ${limit}; check the network, the endpoint and the client's number of sockets.`
    : `The request could not even be sent ${limit}; the credentials or the SDK took too long to load.`;
}

/** What an error's name alone says. It is asked first: stores differ in the status that goes with it. */
function hintByName({ name, message, region }: Fault, bucket: string): string | undefined {
  switch (name) {
    case "NoSuchBucket":
      return `There is no bucket ${bucket} at this endpoint; create it, or correct the option bucket.`;
    case "PermanentRedirect":
    case "AuthorizationHeaderMalformed":
    case "IllegalLocationConstraintException":
      return regionHint(bucket, region);
    case "CredentialsProviderError":
    case "TokenProviderError":
      return "No credentials were found; set them in the environment, or pass a client that has some.";
    case "ExpiredToken":
    case "ExpiredTokenException":
    case "TokenRefreshRequired":
      return "The credentials have expired; renew them, or pass a client whose credentials renew themselves.";
    case "InvalidAccessKeyId":
    case "InvalidToken":
    case "SignatureDoesNotMatch":
      return "The store does not know these credentials; check the access key, its secret and the endpoint.";
    case "RequestTimeTooSkewed":
      return "The clock of this machine is wrong by more than 15 minutes; set it.";
    case "SlowDown":
    case "ServiceUnavailable":
      return "The store asks to send fewer requests; spread them, or try again later.";
    default:
      return /region is missing/i.test(message)
        ? "No region was found; set AWS_REGION, or pass a client that has one."
        : undefined;
  }
}

function connectionHint(fault: Fault): string | undefined {
  if (fault.networkCode === "ERR_MODULE_NOT_FOUND")
    return "The peer dependency is missing: npm install @aws-sdk/client-s3.";
  if (fault.networkCode === "ERR_INVALID_URL") return "The client's endpoint is no URL; correct it.";
  if (certificateRefused(fault.networkCode)) return "The certificate of the endpoint was not accepted.";
  if (neverConnected(fault))
    return "No connection to the endpoint; check its address, the region, DNS and the network.";
  if (timedOut(fault)) return "The store did not answer in the time that the client allows.";
  return fault.networkCode === undefined ? undefined : "The connection broke before the answer.";
}

function hintByStatus(fault: Fault, request: S3Request, bucket: string): string | undefined {
  switch (fault.status) {
    case 301:
    case 307:
      return regionHint(bucket, fault.region);
    case 400:
      // A HEAD has no body, so a wrong region has no name there.
      return fault.region === undefined ? undefined : regionHint(bucket, fault.region);
    case 403:
      return permissionHint(request.operation, fault.message);
    case 404:
      return "The endpoint does not answer as S3 does; check its address and the client's forcePathStyle.";
    case 412:
    case 501:
      return conditionHint(request.operation);
    case undefined:
    default:
      return undefined;
  }
}

function conditionHint(operation: S3Operation): string {
  switch (operation) {
    case "DeleteObject":
    case "DeleteObjects":
      return "This store cannot delete on a condition; set s3Store({ conditionalDelete: false }) and read what that gives up.";
    case "CopyObject":
      return "This store cannot copy on a condition, or its bucket's policy keeps it from that; leave out s3Store({ serverSideCopy: true }).";
    case "GetObject":
    case "HeadObject":
    case "PutObject":
    case "ListObjectsV2":
      return "This store does not support the conditional writes (If-Match, If-None-Match) that this library depends on.";
  }
}

function regionHint(bucket: string, region: string | undefined): string {
  return region === undefined
    ? `The bucket ${bucket} is in another region than the client; set AWS_REGION, or pass a client for its region.`
    : `The bucket ${bucket} is in the region ${region}; set AWS_REGION=${region}, or pass a client for it.`;
}

function permissionHint(operation: S3Operation, message: string): string {
  if (/kms/i.test(message))
    return "Access to the bucket's KMS key is denied; allow kms:Decrypt and kms:GenerateDataKey.";
  return `Access is denied; allow ${neededPermission[operation]}, and see that no bucket policy denies it.`;
}

/** Writes on a condition read the present ETag, hence GetObject. */
const neededPermission: Readonly<Record<S3Operation, string>> = {
  GetObject: "s3:GetObject, and s3:ListBucket (without it S3 answers 403 for a missing object too)",
  HeadObject: "s3:GetObject, and s3:ListBucket (without it S3 answers 403 for a missing object too)",
  PutObject: "s3:PutObject and s3:GetObject",
  CopyObject: "s3:PutObject and s3:GetObject",
  DeleteObject: "s3:DeleteObject and s3:GetObject",
  DeleteObjects: "s3:DeleteObject and s3:GetObject",
  ListObjectsV2: "s3:ListBucket",
};
