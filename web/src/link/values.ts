/**
 * Values of links: numbers and choices, each checked against the range that the core declares. A value out of range
 * becomes its default, and a sentence names the field and the allowed range.
 */
import { MS } from '../lib/units';
import type { Catalog } from '../sim/types/Catalog';
import { clip, decoded } from './fields';

/** Longest path in a sentence. */
const LONGEST = 60;

/** Lowest and highest value, and the unit of both. */
export interface Range {
  readonly min: number;
  readonly max: number;
  readonly unit: string;
}

/** The range of a field of the scenario, from the core's table. */
export function rangeOf(catalog: Catalog, field: string, unit: string): Range {
  const found = catalog.bounds.find((b) => b.field === field && b.unit === unit);
  if (!found) throw new Error(`the core declares no range of ${field}`);
  return found;
}

/** Collects the problems of a link. */
export class Complaints {
  readonly list: string[] = [];

  /** `what` says what the value must be; it goes on after the key. */
  add(key: string, what: string, given: string): undefined {
    this.list.push(
      `In the link, ${clip(key, LONGEST)} must be ${what}, not “${clip(given)}”. The default is used.`,
    );
  }

  /** There is no such thing, but others. */
  unknown(key: string, others: readonly string[]): undefined {
    const known = others.join(', ');
    const there = known === '' ? '' : `; there are ${known}`;
    this.list.push(`In the link, ${clip(key, LONGEST)} is not known${there}. It is left out.`);
  }

  /** A sentence of its own. */
  say(text: string): undefined {
    this.list.push(text);
  }
}

/** A whole number in a range. */
export function readWhole(
  key: string,
  text: string,
  { min, max, unit }: Range,
  wrong: Complaints,
): number | undefined {
  const value = Number(text);
  if (/^-?\d{1,16}$/.test(text) && value >= min && value <= max) return value;
  const unitText = unit === '' ? '' : ` ${unit}`;
  return wrong.add(key, `a whole number from ${String(min)} to ${String(max)}${unitText}`, text);
}

/** A time in ms, exact to the ns. */
export function readTime(
  key: string,
  text: string,
  minNs: number,
  maxNs: number,
  wrong: Complaints,
): number | undefined {
  const ns = Math.round(Number(text) * MS);
  if (/^\d{1,10}(\.\d{1,6})?$/.test(text) && ns >= minNs && ns <= maxNs) return ns;
  return wrong.add(key, `a time from ${writeTime(minNs)} to ${writeTime(maxNs)} ms`, text);
}

/** A time as ms. */
export function writeTime(ns: number): string {
  return (ns / MS).toFixed(6).replace(/\.?0+$/, '');
}

/** One of some words. */
export function readWord(
  key: string,
  text: string,
  words: readonly string[],
  wrong: Complaints,
): string | undefined {
  const word = decoded(text);
  if (word !== null && words.includes(word)) return word;
  return wrong.add(key, `one of ${words.join(', ')}`, text);
}
