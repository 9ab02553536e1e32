const units = ["K", "M", "G"] as const;

/** `312B`, `1.5K`, `1.2M`: the unit is chosen so that the printed number stays below 1024; beyond G it stays G. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes}B`;
  let printed = "";
  let value = bytes;
  for (const unit of units) {
    value /= 1024;
    printed = value.toFixed(1);
    // Decided on what is printed: 1,048,575 bytes would print as 1024.0K and are 1.0M.
    if (Number(printed) < 1024) return `${printed}${unit}`;
  }
  return `${printed}G`;
}
