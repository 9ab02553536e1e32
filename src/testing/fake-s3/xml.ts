import { malformedXml } from "./s3-error.ts";

/** A piece of XML that is already escaped. */
export interface Markup {
  readonly markup: string;
}

type Content = Markup | string | number | boolean | undefined;

const namedEntities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function escapeText(text: string): string {
  // oxlint-disable-next-line no-control-regex -- S3 writes control characters as references, although XML 1.0 forbids most of them
  return text.replace(/[&<>"\u0000-\u001f\u007f]/gu, (character) => {
    const name = Object.keys(namedEntities).find((candidate) => namedEntities[candidate] === character);
    return name === undefined ? `&#x${character.charCodeAt(0).toString(16)};` : `&${name};`;
  });
}

/** One element. Text is escaped, absent content is left out. */
export function element(name: string, ...contents: readonly Content[]): Markup {
  const inner = contents.map((content) => {
    if (content === undefined) return "";
    return typeof content === "object" ? content.markup : escapeText(String(content));
  });
  return { markup: `<${name}>${inner.join("")}</${name}>` };
}

/** One element for each entry with a value. */
export function elements(fields: Readonly<Record<string, string | number | boolean | undefined>>): Markup {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return { markup: present.map(([name, value]) => element(name, value).markup).join("") };
}

export function xmlDocument(root: string, ...contents: readonly Markup[]): string {
  const inner = contents.map(({ markup }) => markup).join("");
  // Errors carry no namespace, results do.
  const namespace = root === "Error" ? "" : ' xmlns="http://s3.amazonaws.com/doc/2006-03-01/"';
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root}${namespace}>${inner}</${root}>`;
}

/** An element that was read: its text, or its children. */
export interface XmlElement {
  readonly name: string;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

interface OpenElement {
  name: string;
  children: XmlElement[];
  text: string;
}

function unescapeText(text: string): string {
  return text.replace(/&([^;]*);?/gu, (reference, body: string) => {
    if (!reference.endsWith(";")) throw malformedXml();
    const named = Object.hasOwn(namedEntities, body) ? namedEntities[body] : undefined;
    if (named !== undefined) return named;
    const number = /^#(?:x([0-9a-f]{1,6})|([0-9]{1,7}))$/iu.exec(body);
    const codePoint = number === null ? NaN : Number.parseInt(number[1] ?? number[2] ?? "", number[1] ? 16 : 10);
    if (!(codePoint <= 0x10ffff)) throw malformedXml();
    return demandXmlCharacters(String.fromCodePoint(codePoint));
  });
}

/** XML 1.0 has no way to write most control characters, U+FFFE, U+FFFF and lone surrogates, not even as references. */
function demandXmlCharacters(text: string): string {
  if (/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(text)) throw malformedXml();
  return text;
}

/** Reads the plain XML of S3's request bodies: no comments, no CDATA, no document types. Anything else is a `MalformedXML`. */
export function parseXml(source: string): XmlElement {
  const root: OpenElement = { name: "", children: [], text: "" };
  const open = [root];
  const token = /<(\/?)([A-Za-z][\w:.-]*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)|</gu;
  // A raw carriage return is read as a line feed, as XML 1.0 has it.
  const plain = demandXmlCharacters(source)
    .replace(/^\uFEFF?\s*<\?xml[^?]*\?>/u, "")
    .replace(/\r\n?/gu, "\n");
  for (const match of plain.matchAll(token)) {
    const [, closing, name, , selfClosing, text] = match;
    const current = open.at(-1);
    if (current === undefined) throw malformedXml();
    if (text !== undefined) current.text += unescapeText(text);
    else if (name === undefined) throw malformedXml();
    else if (closing) {
      if (open.length === 1 || current.name !== name) throw malformedXml();
      open.pop();
    } else {
      const child: OpenElement = { name, children: [], text: "" };
      current.children.push(child);
      if (!selfClosing) open.push(child);
    }
  }
  const [first] = root.children;
  if (first === undefined || root.children.length > 1 || open.length > 1 || root.text.trim() !== "")
    throw malformedXml();
  return first;
}

/** The text of the first child of that name. */
export function childText(parent: XmlElement, name: string): string | undefined {
  return parent.children.find((child) => child.name === name)?.text;
}
