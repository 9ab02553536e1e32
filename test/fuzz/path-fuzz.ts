/**
 * Throws generated paths at the path guard and judges what it accepts by other means than its own:
 * Node's path resolution and several ways to decode. Prints the seed first, so that a run can be repeated.
 *
 * node test/fuzz/path-fuzz.ts [--paths 1000000] [--seed 1]
 */
import { posix, win32 } from "node:path";
import { parseArgs } from "node:util";
import { createKeySpace } from "../../src/core/key-space.ts";
import { parseMemoryPath } from "../../src/core/memory-path.ts";
import { isMemoryError } from "../../src/errors.ts";

const pieces = [
  ..."/ / / / // . .. ... ./ ../ /. /.. /../ \\ ..\\ \\..\\ a b x.md notes memories /memories Memories ~ * $".split(
    " ",
  ),
  ..."% %2 %2e %2E %2f %2F %5c %5C %25 %2525 %252e %25252f %00 %0a %7f %c2%85 %zz %u002e 2e 2f 5c 00 25".split(" "),
  ..."%c0%ae %c0%af %c1%9c %e0%80%ae %f0%80%80%ae %f8%80%80%80%ae %c0 %ae %ef%bc%8e %c0%a5 [...slug] v1..v2".split(" "),
  ..."\u0000 \n \u001B \u007F \u0085 \u2028 \u2029 \u00AD \u200B \u200C \u200D \u200E \u202E \u2060 \uFEFF".split(" "),
  ..."\uFFF9 \u{E0001} \u{E0067} \u{E0062} \u{E007F} \u{1F3F4} \uD83D \uDE00 \u{1F468} \u{1F469} \uFE0F".split(" "),
  ..."e \u0301 \u0316 \u0338 é \u1112 \u1161 \u11AB \u212A \u212B \u0958 \u{2F800} \u0344 \u037E \uFF0E \uFF0F \uFF3C".split(
    " ",
  ),
  "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
  "\u{1F468}\u200D\u{1F469}\u200D\u{1F467}",
  " ",
];

/** Mulberry32: a small generator that a seed determines. */
function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

function generatePath(random: (below: number) => number): string {
  let path = random(20) === 0 ? "" : "/memories/";
  for (let count = random(10) + 1; count > 0; count -= 1) path += pieces[random(pieces.length)] ?? "";
  if (random(200) === 0) path += "/deep".repeat(random(40));
  if (random(500) === 0) path += "long".repeat(random(1_000));
  if (random(4) === 0) path = mutated(path, random);
  return path;
}

function mutated(path: string, random: (below: number) => number): string {
  const at = random(path.length + 1);
  switch (random(6)) {
    case 0:
      return path.slice(0, at) + String.fromCharCode(random(0x10000)) + path.slice(at);
    case 1:
      return path.slice(0, at) + path.slice(at + 1);
    case 2:
      return path.normalize("NFD");
    case 3:
      return path.slice(0, at) + path.slice(at).replaceAll(".", "%2e").replaceAll("/", "%2F");
    case 4:
      return path.slice(0, at) + path.slice(at).replaceAll("%", "%25");
    default:
      return path.slice(0, at) + String.fromCodePoint(random(0x110000)) + path.slice(at);
  }
}

/** UTF-8 the lax way: every lead takes its continuations, overlong or not. */
function decodeLaxly(text: string): string {
  return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (run) => {
    const bytes = [...Buffer.from(run.replaceAll("%", ""), "hex")];
    let decoded = "";
    for (let index = 0; index < bytes.length; index += 1) {
      const lead = bytes[index] ?? 0;
      const more = lead < 0xc0 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : lead < 0xf8 ? 3 : lead < 0xfc ? 4 : 5;
      const rest = bytes.slice(index + 1, index + 1 + more);
      const isWhole = rest.length === more && rest.every((byte) => byte >> 6 === 2);
      if (lead < 0x80) decoded += String.fromCharCode(lead);
      else if (more === 0 || !isWhole) decoded += "\uFFFD";
      else {
        const point = rest.reduce((sum, byte) => sum * 64 + (byte & 0x3f), lead & (0x3f >> more));
        decoded += point <= 0x10ffff ? String.fromCodePoint(point) : "\uFFFD";
        index += more;
      }
    }
    return decoded;
  });
}

/** Each escape on its own; what is malformed stays. */
function decodeStrictly(text: string): string {
  return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run.replaceAll(/%([0-7][0-9a-f])/gi, (_, digits: string) =>
        String.fromCharCode(Number.parseInt(digits, 16)),
      );
    }
  });
}

/** Byte by byte, as readers older than UTF-8 do. */
function decodeAsLatin1(text: string): string {
  return text.replaceAll(/%([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

const decoders = [decodeLaxly, decodeStrictly, decodeAsLatin1];
const root = "/memories";
const keys = createKeySpace({ prefix: "p", user: "u", project: "x" });

function isBelowRoot(path: string): boolean {
  const resolved = posix.resolve("/elsewhere", path);
  const onWindows = win32.normalize(path).replaceAll("\\", "/");
  return [resolved, onWindows].every((result) => result === root || result.startsWith(`${root}/`));
}

/** Is `..`, at the top of which nothing but the root may lie, or a control character still hidden in it? */
function hidesSomething(path: string): string | undefined {
  for (const decode of decoders) {
    let text = path;
    for (let round = 0; round < 50; round += 1) {
      if (text.split(/[/\\]/).some((segment) => segment === "..")) return `${decode.name} finds ..`;
      if (!isBelowRoot(text)) return `${decode.name} finds a way out`;
      // Latin-1 takes the second byte of an ordinary letter for a control character, so only ASCII counts there.
      const control = decode === decodeAsLatin1 ? /(?=\p{ASCII})\p{Cc}/u : /\p{Cc}/u;
      if (control.test(text)) return `${decode.name} finds a control character`;
      const next = decode(text);
      if (next === text) break;
      text = next;
    }
  }
  return undefined;
}

const refused = [
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\\\uFEFF\uFFF9-\uFFFB]/u,
  /(?!\p{Join_Control}|[\u{E0020}-\u{E007F}])(?=\p{Default_Ignorable_Code_Point})\p{Cf}/u,
  /(?:^|[/\s]|\p{Join_Control})\p{Join_Control}/u,
  /\p{Join_Control}(?:$|[/\s]|\p{Variation_Selector})/u,
];
const anyFlag = /\u{1F3F4}[\u{E0061}-\u{E007A}\u{E0030}-\u{E0039}]+\u{E007F}/gu;
const tag = /[\u{E0020}-\u{E007F}]/u;

/** Why an accepted path should have been refused. */
function faultOf(sent: string, path: string): string | undefined {
  if (posix.resolve("/elsewhere", sent).normalize("NFC") !== path) return "is not what the path resolves to";
  if (posix.normalize(path) !== path || (path !== root && path.endsWith("/"))) return "is not canonical";
  if (path.normalize("NFC") !== path) return "is not NFC";
  if (/\p{Cs}/u.test(path)) return "is ill-formed";
  if (refused.some((pattern) => pattern.test(path)) || tag.test(path.replaceAll(anyFlag, "")))
    return "holds a refused character";
  if (path.split("/").length > 22) return "has more than 20 parts";
  const hidden = hidesSomething(path);
  if (hidden !== undefined) return hidden;
  if (parseMemoryPath(path) !== path) return "is not accepted again as it is";
  return path === root ? undefined : keyFaultOf(path);
}

/** The same for the key. */
function keyFaultOf(path: string): string | undefined {
  const home = "p/users/u/projects/x/memories/";
  let key: string;
  try {
    key = keys.keyOf(parseMemoryPath(path));
  } catch (error) {
    const isTooLong = Buffer.byteLength(home + path.slice(root.length + 1)) > 1_024;
    return isMemoryError(error) && isTooLong ? undefined : "has no key";
  }
  if (key !== home + path.slice(root.length + 1)) return "has a key outside";
  return keys.pathOf(key) === path ? undefined : "is not the path of its key";
}

function judge(sent: string): "accepted" | "refused" | "escaped" {
  let path: string;
  try {
    path = parseMemoryPath(sent);
  } catch (error) {
    if (isMemoryError(error) && error.code === "invalid_path") return "refused";
    throw error;
  }
  const fault = faultOf(sent, path);
  if (fault === undefined) return "accepted";
  console.log(`ESCAPED ${JSON.stringify(sent)} as ${JSON.stringify(path)}: it ${fault}`);
  return "escaped";
}

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: String(Date.now() % 2 ** 32) },
    paths: { type: "string", default: "1000000" },
  },
});
const seed = Number(values.seed);
const paths = Number(values.paths);
if (!Number.isSafeInteger(seed) || !Number.isSafeInteger(paths) || paths < 1) {
  throw new TypeError("--seed and --paths are whole numbers");
}
console.log(`seed ${seed}`);
const random = createRandom(seed);
const counts = { accepted: 0, refused: 0, escaped: 0 };
for (let tried = 0; tried < paths; tried += 1) counts[judge(generatePath(random))] += 1;
console.log(`${counts.accepted} accepted, ${counts.refused} refused`);
console.log(`${paths} paths tried, ${counts.escaped} escaped`);
if (counts.escaped > 0) process.exitCode = 1;
