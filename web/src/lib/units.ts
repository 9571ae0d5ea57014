/** Nanoseconds in a microsecond. */
export const US = 1_000;
/** Nanoseconds in a millisecond. */
export const MS = 1_000_000;
/** Nanoseconds in a second. */
export const SEC = 1_000_000_000;
/** Bytes in a KiB. */
export const KIB = 1024;
/** Bytes in a MiB. */
export const MIB = 1024 * 1024;

/** `value`, but not below `min` nor above `max`; `min` when it is not a number at all. */
export function clamp(value: number, min: number, max: number): number {
  if (Number.isNaN(value)) return min;
  return Math.min(max, Math.max(min, value));
}
