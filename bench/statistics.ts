import { median, quantile } from "simple-statistics";

export { median, quantile };

/** A number as it is read: three digits where it has decimals, thousands with commas. */
export function figure(value: number): string {
  const size = Math.abs(value);
  const digits = Number.isInteger(value) || size >= 100 ? 0 : size >= 10 ? 1 : 2;
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** The median and, in brackets, where the middle half of the samples lies: `20.4 (20.1–21.0)`. */
export function spread(values: readonly number[]): string {
  return `${figure(median(values))} (${figure(quantile(values, 0.25))}–${figure(quantile(values, 0.75))})`;
}
