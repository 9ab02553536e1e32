function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

/** Compares as UTF-8 bytes do. JavaScript's own order is that of UTF-16, where an emoji sorts before U+E000 to U+FFFF. */
export function compareUtf8(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a === b) continue;
    if (isSurrogate(a) === isSurrogate(b)) return a - b;
    return isSurrogate(a) ? 1 : -1;
  }
  return left.length - right.length;
}
