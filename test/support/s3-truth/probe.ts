import {
  CopyObjectCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3ServiceException,
  type CopyObjectCommandInput,
  type GetObjectCommandInput,
  type ListObjectsV2CommandInput,
  type ObjectIdentifier,
  type PutObjectCommandInput,
  type S3Client,
} from "@aws-sdk/client-s3";

/** What a row found out: the status first, then whatever else it is about. */
export type Facts = Readonly<Record<string, unknown>>;

/** The extra input of a command: conditions, metadata, … */
type Extra<Input> = Partial<Omit<Input, "Bucket" | "Key">>;

/** An error of S3 as facts: status, code, and the elements that belong to it. */
function refusal(error: unknown): Facts {
  if (!(error instanceof S3ServiceException)) throw error;
  const fields = new Map<string, unknown>(Object.entries(error));
  const found: Record<string, unknown> = { status: error.$metadata.httpStatusCode, code: error.name };
  for (const name of ["Condition", "Key"]) {
    if (fields.has(name)) found[name] = fields.get(name);
  }
  return found;
}

async function facts<Output extends { $metadata: { httpStatusCode?: number | undefined } }>(
  answer: Promise<Output>,
  more: (output: Output) => Facts | Promise<Facts> = () => ({}),
): Promise<Facts> {
  try {
    const output = await answer;
    return { status: output.$metadata.httpStatusCode, ...(await more(output)) };
  } catch (error) {
    return refusal(error);
  }
}

/** An ETag that no object here has. */
export const otherEtag = '"00000000000000000000000000000000"';

/** How a copy source names a key: encoded by the caller, once. */
export function copySource(bucket: string, key: string): string {
  return `${bucket}/${encodeURIComponent(key)}`;
}

/** The AWS SDK's own client on one bucket, with answers as facts. */
export class Probe {
  readonly client: S3Client;
  readonly bucket: string;

  constructor(client: S3Client, bucket: string) {
    this.client = client;
    this.bucket = bucket;
  }

  /** The same client on another bucket, which may be missing. */
  on(bucket: string): Probe {
    return new Probe(this.client, bucket);
  }

  /** Stores something, as set-up. Answers the ETag. */
  async store(key: string, text: string, extra: Extra<PutObjectCommandInput> = {}): Promise<string> {
    const command = new PutObjectCommand({ Bucket: this.bucket, Key: key, Body: Buffer.from(text), ...extra });
    const { ETag: etag } = await this.client.send(command);
    if (etag === undefined) throw new Error(`no ETag for ${key}`);
    return etag;
  }

  /** Removes something, as set-up. */
  async erase(key: string): Promise<void> {
    await this.client.send(new DeleteObjectCommand({ Bucket: this.bucket, Key: key }));
  }

  /** The text under a key, or the code of the refusal, or `damaged` where the bytes do not fit their checksum. */
  async text(key: string, extra: Extra<GetObjectCommandInput> = {}): Promise<string> {
    try {
      const found = await this.get(key, extra);
      return String(found["text"] ?? found["code"]);
    } catch (error) {
      if (error instanceof Error && error.message.startsWith("Checksum mismatch")) return "damaged";
      throw error;
    }
  }

  put(key: string, text: string, extra: Extra<PutObjectCommandInput> = {}): Promise<Facts> {
    return facts(
      this.client.send(new PutObjectCommand({ Bucket: this.bucket, Key: key, Body: Buffer.from(text), ...extra })),
    );
  }

  get(key: string, extra: Extra<GetObjectCommandInput> = {}): Promise<Facts> {
    const answer = this.client.send(new GetObjectCommand({ Bucket: this.bucket, Key: key, ...extra }));
    return facts(answer, async ({ Body: body, ContentRange: range }) => ({
      text: await body?.transformToString(),
      ...(range === undefined ? {} : { range }),
    }));
  }

  head(key: string): Promise<Facts> {
    return facts(this.client.send(new HeadObjectCommand({ Bucket: this.bucket, Key: key })));
  }

  copy(source: string, target: string, extra: Extra<CopyObjectCommandInput> = {}): Promise<Facts> {
    const place = { Bucket: this.bucket, Key: target, CopySource: copySource(this.bucket, source) };
    return facts(this.client.send(new CopyObjectCommand({ ...place, ...extra })));
  }

  delete(key: string, extra: { readonly IfMatch?: string; readonly VersionId?: string } = {}): Promise<Facts> {
    return facts(this.client.send(new DeleteObjectCommand({ Bucket: this.bucket, Key: key, ...extra })));
  }

  deleteMany(objects: ObjectIdentifier[], { quiet = false } = {}): Promise<Facts> {
    const command = new DeleteObjectsCommand({ Bucket: this.bucket, Delete: { Objects: objects, Quiet: quiet } });
    return facts(this.client.send(command), ({ Deleted: deleted = [], Errors: errors = [] }) => ({
      deleted: deleted.map(({ Key: key }) => key),
      errors: errors.map(({ Key: key, Code: code }) => `${key}: ${code}`),
    }));
  }

  /** One page: keys and common prefixes, decoded. */
  async list(extra: Extra<ListObjectsV2CommandInput> = {}): Promise<Facts & { readonly next?: string }> {
    const command = new ListObjectsV2Command({ Bucket: this.bucket, EncodingType: "url", ...extra });
    return facts(this.client.send(command), (page) => ({
      keys: (page.Contents ?? []).map(({ Key: key = "" }) => decodeKey(key)),
      prefixes: (page.CommonPrefixes ?? []).map(({ Prefix: prefix = "" }) => decodeKey(prefix)),
      count: page.KeyCount,
      ...(page.NextContinuationToken === undefined ? {} : { next: page.NextContinuationToken }),
    }));
  }

  /** Every page: what each one held, keys before prefixes. */
  async pages(extra: Extra<ListObjectsV2CommandInput>): Promise<unknown[]> {
    const pages: unknown[] = [];
    let token: string | undefined;
    do {
      const { keys, prefixes, next, code } = await this.list(
        token === undefined ? extra : { ...extra, ContinuationToken: token },
      );
      pages.push(code ?? [keys, prefixes].flat());
      token = next;
    } while (token !== undefined && pages.length < 20);
    return pages;
  }
}

function decodeKey(key: string): string {
  return decodeURIComponent(key.replaceAll("+", " "));
}
