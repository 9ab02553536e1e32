import { describe, expect, it } from "vitest";
import { decodeBody } from "../../src/testing/fake-s3/body.ts";
import { encodeKey } from "../../src/testing/fake-s3/list.ts";
import { parseHead } from "../../src/testing/fake-s3/s3-request.ts";
import { startFakeS3 } from "../../src/testing/fake-s3/start-fake-s3.ts";
import { compareUtf8 } from "../../src/core/utf8-order.ts";
import { element, parseXml, xmlDocument } from "../../src/testing/fake-s3/xml.ts";

describe("XML", () => {
  it("is read back as it was written, entities and line ends too", () => {
    const text = "<a> & \"b\" 'c'\r\n\t é 😀 &amp;";
    const root = parseXml(xmlDocument("Delete", element("Object", element("Key", text)), element("Quiet", true)));
    expect(root.children.map(({ name }) => name)).toEqual(["Object", "Quiet"]);
    expect(root.children[0]?.children[0]?.text).toBe(text);
  });

  it.each(["\u0001", "&#1;", "&#xfffe;", "\uffff"])("refuses %o, which XML 1.0 cannot carry", (character) => {
    expect(() => parseXml(`<Delete>${character}</Delete>`)).toThrow("well-formed");
  });

  it("reads a raw carriage return as a line feed, as XML 1.0 has it", () => {
    expect(parseXml("<A>a\r\nb\rc</A>").text).toBe("a\nb\nc");
  });

  it("reads numbers in both notations, attributes and empty elements", () => {
    const root = parseXml('<?xml version="1.0"?><A b="c"><D/>&#65;&#x42;</A>');
    expect(root).toMatchObject({ name: "A", text: "AB", children: [{ name: "D" }] });
  });

  it.each([
    "",
    "text",
    "<A>",
    "<A></B>",
    "</A>",
    "<A></A><B></B>",
    "<A>&nbsp;</A>",
    "<A>&amp</A>",
    "<A>&#x110000;</A>",
    "<A><!-- no --></A>",
    "<!DOCTYPE A><A></A>",
    "<A>a < b</A>",
  ])("that is not well-formed is refused: %s", (source) => {
    expect(() => parseXml(source)).toThrow(/not well-formed/u);
  });
});

describe("a body", () => {
  const chunked = { "content-encoding": "aws-chunked", "x-amz-decoded-content-length": "11" };
  const checksum = "x-amz-checksum-crc32:DUoRhQ==\r\n\r\n";

  it("is put together from its chunks", () => {
    const raw = `6;chunk-signature=00\r\nhello \r\n5\r\nworld\r\n0\r\n${checksum}`;
    expect(decodeBody(Buffer.from(raw), chunked).toString()).toBe("hello world");
  });

  it("is taken as it is where it is not chunked", () => {
    expect(decodeBody(Buffer.from("0\r\n"), {}).toString()).toBe("0\r\n");
  });

  it("is refused where its checksum differs", () => {
    const raw = Buffer.from(`b\r\nhello-world\r\n0\r\n${checksum}`);
    expect(() => decodeBody(raw, chunked)).toThrow(/did not match/u);
    expect(() => decodeBody(Buffer.from("a"), { "content-md5": "AAAA" })).toThrow(/content-md5/u);
  });

  it.each(["STREAMING-UNSIGNED-PAYLOAD-TRAILER", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD"])(
    "is put together from its chunks where only the signature says so: %s",
    (signature) => {
      const headers = { "x-amz-content-sha256": signature };
      const raw = "5;chunk-signature=00\r\nhello\r\n0;chunk-signature=00\r\n\r\n";
      expect(decodeBody(Buffer.from(raw), headers).toString()).toBe("hello");
      expect(decodeBody(Buffer.from(raw), { "x-amz-content-sha256": "UNSIGNED-PAYLOAD" }).toString()).toBe(raw);
    },
  );

  it.each([
    "",
    "b\r\nhello",
    "6\r\nhello \r\n0\r\n\r\n",
    "zz\r\n",
    "b\r\nhello world",
    "b\r\nhello worldXX0\r\n\r\n",
    "b\r\nhello world\r\n",
    "b\r\nhello world\r\n0",
    "b\r\nhello world\r\n0\r\n",
    "b\r\nhello world\r\n0\r\nx-amz-checksum-crc32:DUoRhQ==\r\n",
    `${"f".repeat(300)}\r\nhello world`,
  ])("is refused where it ends early: %j", (raw) => {
    expect(() => decodeBody(Buffer.from(raw), chunked)).toThrow(/terminated unexpectedly/u);
  });

  it("that ends in the middle of a chunk is answered with 400 IncompleteBody, and nothing is written", async () => {
    const fake = await startFakeS3();
    const headers = { "x-amz-content-sha256": "STREAMING-UNSIGNED-PAYLOAD-TRAILER" };
    const answer = await fetch(`${fake.endpoint}/memory/a`, { method: "PUT", headers, body: "b\r\nhello" });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining("<Code>IncompleteBody</Code>")]);
    expect(fake.objects().size).toBe(0);
    await fake.close();
  });
});

describe("the head of a request", () => {
  it.each([
    ["GET", "/", "ListBuckets", "", ""],
    ["PUT", "/memory", "CreateBucket", "memory", ""],
    ["PUT", "/memory/?versioning", "PutBucketVersioning", "memory", ""],
    ["GET", "/memory?list-type=2&prefix=a", "ListObjectsV2", "memory", ""],
    ["GET", "/memory?prefix=a", "Unsupported", "memory", ""],
    ["GET", "/memory/a//b/./c", "GetObject", "memory", "a//b/./c"],
    ["GET", "/memory//a", "GetObject", "memory", "/a"],
    ["PUT", "/memory/a%2Fb%3F?x-id=PutObject", "PutObject", "memory", "a/b?"],
    ["PUT", "/memory/a?partNumber=1&uploadId=x", "Unsupported", "memory", "a"],
    ["DELETE", "/memory/a?tagging", "Unsupported", "memory", "a"],
  ])("%s %s is %s", (method, target, operation, bucket, key) => {
    expect(parseHead(method, target, {})).toMatchObject({ operation, bucket, key });
  });

  it("is refused where the path is not UTF-8", () => {
    expect(() => parseHead("GET", "/memory/%ff", {})).toThrow(/URI/u);
  });
});

describe("keys", () => {
  it("are compared as their UTF-8 bytes are", () => {
    const keys = ["", "a", "a/b", "a0", "ab", "é", "€", "\ue000", "\uffff", "😀", "😁", "a😀", "a\uffff"];
    const byBytes = keys.toSorted((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
    expect(keys.toReversed().sort(compareUtf8)).toEqual(byBytes);
  });

  it("are encoded as in a form, but for the slash", () => {
    expect(encodeKey("a b/c+d%é\u0001*-._!'()~")).toBe("a+b/c%2Bd%25%C3%A9%01*-._%21%27%28%29%7E");
  });
});

describe("an answer", () => {
  it("that is an error carries code, message, key and ids", async () => {
    const fake = await startFakeS3();
    const answer = await fetch(`${fake.endpoint}/memory/a%26b`);
    const root = parseXml(await answer.text());
    expect(root.name).toBe("Error");
    const fields = Object.fromEntries(root.children.map(({ name, text }) => [name, text]));
    expect(fields).toMatchObject({ Code: "NoSuchKey", Message: "The specified key does not exist.", Key: "a&b" });
    expect(fields).toMatchObject({ RequestId: answer.headers.get("x-amz-request-id"), HostId: expect.any(String) });
    await fake.close();
  });

  it("to what is not implemented is 501, never a plain write", async () => {
    const fake = await startFakeS3();
    for (const target of ["a?partNumber=1&uploadId=x", "a?tagging"]) {
      const answer = await fetch(`${fake.endpoint}/memory/${target}`, { method: "PUT", body: "x" });
      expect(answer.status).toBe(501);
    }
    const headers = { "x-amz-if-match-size": "1" };
    expect((await fetch(`${fake.endpoint}/memory/a`, { method: "DELETE", headers })).status).toBe(501);
    expect(fake.objects().size).toBe(0);
    await fake.close();
  });
});
