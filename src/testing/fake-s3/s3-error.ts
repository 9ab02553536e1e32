type Fields = Readonly<Record<string, string>>;

/** An answer of S3 that says no. `fields` are the further elements of its XML body, in order. */
export class S3Error extends Error {
  override readonly name = "S3Error";
  readonly status: number;
  readonly code: string;
  readonly fields: Fields;
  readonly headers: Fields;

  constructor(status: number, code: string, message: string, fields: Fields = {}, headers: Fields = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.fields = fields;
    this.headers = headers;
  }
}

export function noSuchBucket(bucket: string): S3Error {
  return new S3Error(404, "NoSuchBucket", "The specified bucket does not exist", { BucketName: bucket });
}

export function noSuchKey(key: string, headers: Fields = {}): S3Error {
  return new S3Error(404, "NoSuchKey", "The specified key does not exist.", { Key: key }, headers);
}

export function noSuchVersion(key: string, versionId: string): S3Error {
  return new S3Error(404, "NoSuchVersion", "The specified version does not exist.", { Key: key, VersionId: versionId });
}

/** `condition` is spelled as AWS spells it: `If-Match`, `x-amz-copy-source-If-Match`. */
export function preconditionFailed(condition: string): S3Error {
  const message = "At least one of the pre-conditions you specified did not hold";
  return new S3Error(412, "PreconditionFailed", message, { Condition: condition });
}

export function notImplemented(header: string): S3Error {
  const message = "A header you provided implies functionality that is not implemented";
  return new S3Error(501, "NotImplemented", message, { Header: header });
}

export function invalidArgument(message: string, name: string, value: string): S3Error {
  return new S3Error(400, "InvalidArgument", message, { ArgumentName: name, ArgumentValue: value });
}

export function malformedXml(): S3Error {
  const message = "The XML you provided was not well-formed or did not validate against our published schema";
  return new S3Error(400, "MalformedXML", message);
}
