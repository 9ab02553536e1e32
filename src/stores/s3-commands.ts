import type {
  GetResult,
  HeadResult,
  ListOptions,
  ListPage,
  ObjectStore,
  PutOptions,
  PutResult,
} from "../core/object-store.ts";
import { copyOnServer } from "./copy-on-server.ts";
import { copyThroughWorker } from "./copy-through-worker.ts";
import { discardBody, headOf, pageOf, readBody, versionOf } from "./s3-answers.ts";
import { conditionalDeletes } from "./s3-conditional-deletes.ts";
import { checkedDeletes } from "./s3-checked-deletes.ts";
import { isMissing } from "./s3-fault.ts";
import type { ResolvedS3StoreOptions } from "./s3-options.ts";
import { S3Requests, type S3Sdk } from "./s3-requests.ts";

/**
 * What talks to S3: loaded together with the SDK, at the first request, so that importing the package costs
 * neither.
 */
export function s3Commands(loadSdk: () => Promise<S3Sdk>, options: ResolvedS3StoreOptions): ObjectStore {
  const requests = new S3Requests(options, loadSdk);
  const reads = { get: getter(requests), head: header(requests) };
  const put = putter(requests);
  const copy: ObjectStore["copy"] = (...values) => copyThroughWorker({ get: reads.get, put }, ...values);
  return {
    ...reads,
    put,
    copy: options.serverSideCopy ? copyOnServer(requests, reads) : copy,
    list: lister(requests),
    ...(options.conditionalDelete ? conditionalDeletes(requests, reads.head) : checkedDeletes(requests, reads)),
  };
}

function getter(requests: S3Requests): ObjectStore["get"] {
  return (key, { maximumBytes, signal }) => {
    const request = { operation: "GetObject", key, writes: false } as const;
    return requests.run<GetResult>({
      ...request,
      signal,
      work: async ({ sdk, client, options, prepare, cancel }) => {
        const command = prepare(new sdk.GetObjectCommand({ Bucket: requests.bucket, Key: key }));
        const answer = await client.send(command, options);
        let body: Uint8Array | undefined;
        try {
          const head = headOf(answer, request);
          // Without a Content-Length the bytes are counted as they come.
          body = head.size > maximumBytes ? undefined : await readBody(answer.Body, maximumBytes);
          if (body !== undefined) return { outcome: "found", ...head, size: body.byteLength, body };
          return { outcome: "too_large", ...head, size: Math.max(head.size, maximumBytes + 1) };
        } finally {
          if (body === undefined) {
            discardBody(answer.Body);
            // Some releases of the SDK wrap the body in a stream that keeps its end to itself.
            cancel();
          }
        }
      },
      outcome: (fault) => (isMissing(fault) ? { outcome: "missing" } : undefined),
    });
  };
}

function header(requests: S3Requests): ObjectStore["head"] {
  return (key, { signal }) => {
    const request = { operation: "HeadObject", key, writes: false } as const;
    return requests.run<HeadResult>({
      ...request,
      signal,
      work: async ({ sdk, client, options, prepare }) => {
        const command = prepare(new sdk.HeadObjectCommand({ Bucket: requests.bucket, Key: key }));
        return { outcome: "found", ...headOf(await client.send(command, options), request) };
      },
      outcome: (fault) => (fault.status === 404 ? { outcome: "missing" } : undefined),
    });
  };
}

function putter(requests: S3Requests): ObjectStore["put"] {
  return (key, body, { condition, metadata, contentType, signal }: PutOptions) => {
    const request = { operation: "PutObject", key, writes: true } as const;
    return requests.run<PutResult>({
      ...request,
      signal,
      work: async ({ sdk, client, options, prepare }) => {
        const command = new sdk.PutObjectCommand({
          Bucket: requests.bucket,
          Key: key,
          Body: body,
          ContentType: contentType,
          // Names are headers, so they come back in lower case.
          Metadata: { ...metadata },
          ...(condition.kind === "absent" ? { IfNoneMatch: "*" } : { IfMatch: condition.version }),
        });
        const answer = await client.send(prepare(command), options);
        return { outcome: "written", version: versionOf(answer.ETag, request) };
      },
      outcome: (fault) => {
        if (fault.status === 409) return { outcome: "undecided" };
        if (fault.status === 412) return { outcome: condition.kind === "absent" ? "exists" : "changed" };
        return condition.kind === "unchanged" && isMissing(fault) ? { outcome: "missing" } : undefined;
      },
    });
  };
}

function lister(requests: S3Requests): (options: ListOptions) => Promise<ListPage> {
  return ({ prefix, delimiter, startAfter, token, pageSize, signal }) => {
    const request = { operation: "ListObjectsV2", key: prefix, writes: false } as const;
    return requests.run<ListPage>({
      ...request,
      signal,
      work: async ({ sdk, client, options, prepare }) => {
        const command = new sdk.ListObjectsV2Command({
          Bucket: requests.bucket,
          Prefix: prefix,
          // XML cannot carry control characters.
          EncodingType: "url",
          ...(delimiter === undefined ? {} : { Delimiter: delimiter }),
          ...(startAfter === undefined ? {} : { StartAfter: startAfter }),
          ...(token === undefined ? {} : { ContinuationToken: token }),
          ...(pageSize === undefined ? {} : { MaxKeys: pageSize }),
        });
        return pageOf(await client.send(prepare(command), options), request);
      },
    });
  };
}
