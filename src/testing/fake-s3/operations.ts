import type { S3Answer } from "./answer.ts";
import {
  createBucket,
  deleteBucket,
  getBucketLocation,
  getBucketVersioning,
  headBucket,
  listBuckets,
  putBucketVersioning,
} from "./bucket-operations.ts";
import { deleteObject, deleteObjects } from "./delete-operations.ts";
import { listObjects, listObjectVersions } from "./list-operations.ts";
import { copyObject, getObject, putObject } from "./object-operations.ts";
import { S3Error } from "./s3-error.ts";
import type { S3Request } from "./s3-request.ts";
import type { Behaviour, Store } from "./store.ts";

/** Does what one request asks, without a pause, so no other request can come in between. Throws `S3Error`. */
export function perform(request: S3Request, store: Store, behaviour: Behaviour): S3Answer {
  switch (request.operation) {
    case "ListBuckets":
      return listBuckets(store);
    case "CreateBucket":
      return createBucket(request, store);
    case "HeadBucket":
      return headBucket(request, store);
    case "DeleteBucket":
      return deleteBucket(request, store);
    case "GetBucketLocation":
      return getBucketLocation(request, store);
    case "GetBucketVersioning":
      return getBucketVersioning(request, store);
    case "PutBucketVersioning":
      return putBucketVersioning(request, store);
    case "ListObjectsV2":
      return listObjects(request, store, behaviour);
    case "ListObjectVersions":
      return listObjectVersions(request, store, behaviour);
    case "DeleteObjects":
      return deleteObjects(request, store, behaviour);
    case "PutObject":
      return putObject(request, store, behaviour);
    case "CopyObject":
      return copyObject(request, store, behaviour);
    case "GetObject":
    case "HeadObject":
      return getObject(request, store, behaviour);
    case "DeleteObject":
      return deleteObject(request, store, behaviour);
    case "Unsupported":
      if (request.bucket !== "") store.bucket(request.bucket);
      throw new S3Error(501, "NotImplemented", "The fake S3 does not implement this operation.");
    default:
      return request.operation satisfies never;
  }
}
