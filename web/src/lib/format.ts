/**
 * The only place that turns numbers into text. Every number carries its unit, and a missing number is an en dash.
 * `figures.ts` writes the digits.
 */
import { timeOf } from './amount';
import { exact, figures, three, trimmed } from './figures';
import { coreWords } from './language';
import { KIB, MIB, MS, SEC, US } from './units';

/** Stands for a number that is not defined (yet). */
export const NOTHING = '–';

/** A whole number with thousands separated. */
const grouped = (value: number): string => figures(value, 0);

/** A number below a thousand, or one whose digits stand side by side. */
const fixed = (value: number, after: number): string => figures(value, after, false);

/** Units of fixed-point numbers, e.g. `1/2048`. */
const PART_OF_ONE = /^1\/(\d+)$/;

/** A unit in the plural. A single letter is the sign of a unit, not a word. */
const PLURAL = /^(.+)s$/;

/** A count with thousands separated. */
export function count(value: number): string {
  return Number.isFinite(value) ? grouped(value) : NOTHING;
}

/** The form of a word for one, or the form for many. It is so in English and in German. */
export function oneOrMany(value: number, one: string, many: string): string {
  return value === 1 ? one : many;
}

/** Number of waiting threads: `1 waits`, `511 wait`. */
export function waits(value: number): string {
  // @wc-context: of so many
  return `${count(value)} ${value === 1 ? 'waits' : 'wait'}`;
}

/** A point in simulated time: always in ms with three decimals, so that its width hardly changes. */
export function clock(ns: number): string {
  if (!Number.isFinite(ns)) return NOTHING;
  return `${figures(Math.floor(ns / US) / 1000, 3)} ms`;
}

/** From here on a clock in front of a class counts seconds: it leaves the room to other words. */
const LONG = 10 * SEC;

/** A point in simulated time for a class. */
export function presentedClock(ns: number): string {
  return ns >= LONG ? `${figures(Math.floor(ns / MS) / 1000, 3)} s` : clock(ns);
}

/** The same with all digits, for the one place that shows the exact time. */
export function exactNs(ns: number): string {
  return `${grouped(ns)} ns`;
}

/** A duration in the unit that suits its size. */
export function duration(ns: number): string {
  const { number, unit } = timeOf(ns);
  return Number.isFinite(ns) ? `${number} ${unit}` : NOTHING;
}

/** A duration that somebody has set: exact, and in the unit in which that is short. */
export function exactDuration(ns: number): string {
  for (const [factor, unit] of [
    [SEC, 's'],
    [MS, 'ms'],
    [US, 'µs'],
  ] as const) {
    const value = ns / factor;
    if (value >= 1 && Number(value.toFixed(3)) * factor === ns) return `${exact(value)} ${unit}`;
  }
  return ns === 0 ? '0 ms' : exactNs(ns);
}

/** A speed of the simulation, given in simulated ns per real second. */
export function speed(nsPerSecond: number): string {
  if (nsPerSecond >= SEC) return `${three(nsPerSecond / SEC)} s/s`;
  if (nsPerSecond >= MS) return `${three(nsPerSecond / MS)} ms/s`;
  return `${three(nsPerSecond / US)} µs/s`;
}

/** A part of one, as whole percent. */
export function percent(part: number): string {
  return Number.isFinite(part) ? `${fixed(part * 100, 0)} %` : NOTHING;
}

/** A part of one, as percent with one decimal. */
export function percentFine(part: number): string {
  return Number.isFinite(part) ? `${fixed(part * 100, 1)} %` : NOTHING;
}

/** A factor, such as throughput relative to one instance. */
export function ratio(value: number): string {
  return Number.isFinite(value) ? `${fixed(value, 2)} ×` : NOTHING;
}

/** A plain number with three significant digits. */
export function plain(value: number): string {
  return Number.isFinite(value) ? three(value) : NOTHING;
}

/** A rate. */
export function perSecond(value: number): string {
  return Number.isFinite(value) ? `${three(value)} /s` : NOTHING;
}

/** A size in binary units. */
export function bytes(value: number): string {
  if (!Number.isFinite(value)) return NOTHING;
  if (value < KIB) return `${fixed(value, 0)} B`;
  if (value < MIB) return `${trimmed(value / KIB)} KiB`;
  return `${trimmed(value / MIB)} MiB`;
}

/** A stream of bytes, in decimal units as memory is sold. */
export function rate(bytesPerSecond: number): string {
  if (!Number.isFinite(bytesPerSecond)) return NOTHING;
  if (bytesPerSecond >= 1e9) return `${trimmed(bytesPerSecond / 1e9)} GB/s`;
  return `${trimmed(bytesPerSecond / 1e6)} MB/s`;
}

/** A nice value with its sign. */
export function nice(value: number): string {
  if (!Number.isFinite(value)) return NOTHING;
  return value > 0 ? `+${String(value)}` : fixed(value, 0);
}

/** A temperature. */
export function celsius(value: number): string {
  return Number.isFinite(value) ? `${fixed(value, 0)} °C` : NOTHING;
}

/** How a unit of the core is written beside a number. */
export function unitName(unit: string): string {
  return unit === 'us' ? 'µs' : unit;
}

/** A number with the unit that the core gave it. */
export function withUnit(value: number, unit: string): string {
  switch (unit) {
    case 'ns':
      return duration(value);
    case 'us':
      return duration(value * US);
    case 'ms':
      return duration(value * MS);
    case 'bytes':
      return bytes(value);
    case 'ratio':
      return plain(value);
    case 'share':
      return percentFine(value);
    case 'percent':
    case '%':
      return `${plain(value)} %`;
    case 'perSecond':
      return perSecond(value);
    case 'count':
      return count(value);
    case 'atNs':
      return clock(value);
    case 'cpu':
      return value < 0 ? 'none' : `cpu ${String(value)}`;
    case 'task':
      return value < 0 ? 'none' : `thread ${String(value)}`;
    case '':
      return Number.isInteger(value) ? count(value) : plain(value);
    default: {
      const [, parts] = PART_OF_ONE.exec(unit) ?? [];
      if (parts !== undefined) return fixed(value / Number(parts), 2);
      return `${Number.isInteger(value) ? count(value) : plain(value)} ${coreWords(oneOrMany(value, unit.replace(PLURAL, '$1'), unit))}`;
    }
  }
}
