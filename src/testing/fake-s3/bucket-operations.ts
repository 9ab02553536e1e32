import { answer, xmlAnswer, type S3Answer } from "./answer.ts";
import { malformedXml, S3Error } from "./s3-error.ts";
import type { S3Request } from "./s3-request.ts";
import type { Store } from "./store.ts";
import { childText, element, elements, parseXml } from "./xml.ts";

const region = "us-east-1";

export function listBuckets(store: Store): S3Answer {
  const buckets = store
    .all()
    .map(({ name, created }) =>
      element("Bucket", elements({ Name: name, CreationDate: new Date(created).toISOString() })),
    );
  return xmlAnswer({}, "ListAllMyBucketsResult", element("Buckets", ...buckets));
}

export function createBucket({ bucket }: S3Request, store: Store): S3Answer {
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/u.test(bucket)) {
    throw new S3Error(400, "InvalidBucketName", "The specified bucket is not valid.", { BucketName: bucket });
  }
  store.create(bucket);
  return answer(200, { location: `/${bucket}` });
}

export function headBucket({ bucket }: S3Request, store: Store): S3Answer {
  store.bucket(bucket);
  return answer(200, { "x-amz-bucket-region": region });
}

export function deleteBucket({ bucket }: S3Request, store: Store): S3Answer {
  if (!store.bucket(bucket).isEmpty) {
    throw new S3Error(409, "BucketNotEmpty", "The bucket you tried to delete is not empty", { BucketName: bucket });
  }
  store.remove(bucket);
  return answer(204);
}

export function getBucketLocation({ bucket }: S3Request, store: Store): S3Answer {
  store.bucket(bucket);
  return xmlAnswer({}, "LocationConstraint");
}

export function getBucketVersioning({ bucket }: S3Request, store: Store): S3Answer {
  return xmlAnswer({}, "VersioningConfiguration", elements({ Status: store.bucket(bucket).versioning }));
}

export function putBucketVersioning({ bucket, body }: S3Request, store: Store): S3Answer {
  const state = store.bucket(bucket);
  const status = childText(parseXml(body.toString()), "Status");
  if (status !== "Enabled" && status !== "Suspended") throw malformedXml();
  state.versioning = status;
  return answer(200);
}
