/**
 * Orders two keys as S3 does, by their UTF-8 bytes. JavaScript's own order is that of UTF-16 units,
 * in which an emoji (a surrogate pair) comes before U+E000 to U+FFFF; in UTF-8 it comes after.
 */
export function compareUtf8(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const difference = rank(left.charCodeAt(index)) - rank(right.charCodeAt(index));
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** Moves the surrogates behind all other units. */
function rank(unit: number): number {
  if (unit >= 0xe000) return unit - 0x800;
  return unit >= 0xd800 ? unit + 0x2000 : unit;
}
