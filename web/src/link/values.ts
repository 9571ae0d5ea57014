/**
 * Values of links: numbers and choices, each checked against the range that the core declares. A value out of range
 * becomes its default, and a sentence names the field and the allowed range.
 */
import { MS } from '../lib/units';
import type { Catalog } from '../sim/types/Catalog';
import type { ParamSpec } from '../sim/types/ParamSpec';
import type { ParamValue } from '../sim/types/ParamValue';
import { clip, decoded } from './fields';

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
      `In the link, ${clip(key)} must be ${what}, not “${clip(given)}”. The default is used.`,
    );
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

/** A value of a declared parameter. */
export function readParam(
  key: string,
  text: string,
  { kind, unit }: ParamSpec,
  wrong: Complaints,
): ParamValue | undefined {
  switch (kind.type) {
    case 'int':
      return readWhole(key, text, { ...kind, unit }, wrong);
    case 'flag':
      return text === '1' ? true : text === '0' ? false : wrong.add(key, '0 or 1', text);
    case 'choice':
      return readWord(key, text, kind.options, wrong);
    case 'text': {
      const value = decoded(text);
      if (value !== null && value.length <= kind.maxLength) return value;
      return wrong.add(key, `a text of at most ${String(kind.maxLength)} letters`, text);
    }
  }
}

/** A value of a parameter as text, before encoding. */
export function writeParam(value: ParamValue): string {
  return typeof value === 'boolean' ? (value ? '1' : '0') : String(value);
}
