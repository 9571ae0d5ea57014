/**
 * Values of properties as texts, as the core reads them: `5`, `true`, `3ms`, `64KiB`, `0-3,6`, and in place of JSON a
 * form that links can have: `(count:1,behaviour:(kind:loop))`, with parentheses for braces and words without quotes.
 */
import { KIB, MIB, MS, SEC, US } from '../../lib/units';
import type { ParamSpec } from '../types/ParamSpec';
import type { Property } from '../types/Property';
import { NotSet } from './not-set';

type Units = readonly (readonly [string, number])[];

/** Largest first. */
const TIMES: Units = [
  ['h', 3600 * SEC],
  ['min', 60 * SEC],
  ['s', SEC],
  ['ms', MS],
  ['us', US],
  ['ns', 1],
];
const SIZES: Units = [
  ['GiB', KIB * MIB],
  ['MiB', MIB],
  ['KiB', KIB],
  ['B', 1],
];

/** Units in which people type whole numbers only. */
const WHOLE = new Set(['min', 'h']);

/** A number in its largest unit in which it has at most three decimals. */
function withUnit(value: number, units: Units): string {
  if (value === 0) return '0';
  for (const [unit, factor] of units) {
    const inUnit = value / factor;
    const digits = WHOLE.has(unit) ? 0 : 3;
    if (inUnit >= 1 && Number(inUnit.toFixed(digits)) * factor === value)
      return `${String(inUnit)}${unit}`;
  }
  return String(value);
}

/** A number with a unit, or without one in the least unit; not a number if it is neither, or not whole. */
function fromUnit(text: string, units: Units): number {
  const [, number = '', unit = ''] = /^(\d{1,16}(?:\.\d{1,9})?) ?([A-Za-zµ]*)$/.exec(text) ?? [];
  const factor = unit === '' ? 1 : units.find(([name]) => name === unit.replace('µ', 'u'))?.[1];
  if (number === '' || factor === undefined) return NaN;
  const value = Number(number) * factor;
  // 0.3 × 1000 is not exactly 300.
  return Math.abs(value - Math.round(value)) < 1e-6 ? Math.round(value) : NaN;
}

/** A time as people type it. */
export const writeTime = (ns: number): string => withUnit(ns, TIMES);

/** A time in ns; not a number if it is none. */
export const readTime = (text: string): number => fromUnit(text, TIMES);

const INTEGER = /^-?\d{1,16}$/;

function within(value: number, min: number, max: number, must: string): number {
  if (value >= min && value <= max) return value;
  throw new NotSet({ must });
}

function whole(text: string, range: { min: number; max: number; unit: string }): number {
  const { min, max, unit } = range;
  const value = INTEGER.test(text) ? Number(text) : NaN;
  const unitText = unit === '' ? '' : ` ${unit}`;
  return within(value, min, max, `a whole number from ${String(min)} to ${String(max)}${unitText}`);
}

function flag(text: string): boolean {
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw new NotSet({ must: 'true or false' });
}

/** One of some words. */
export function oneOf(text: string, words: readonly string[]): string {
  if (words.includes(text)) return text;
  throw new NotSet({ must: `one of ${words.join(', ')}` });
}

/** A text; one that begins with a quotation mark is JSON, so that `"null"` is a text. */
function plainText(text: string, max: number): string {
  const value = text.startsWith('"') ? fromJson(text) : text;
  if (typeof value === 'string' && value.length <= max) return value;
  throw new NotSet({ must: `a text of at most ${String(max)} letters` });
}

/** CPUs, as `taskset` has them. */
function cpus(text: string): unknown {
  const parts = text.split(',').map((part) => /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(part));
  if (text === '[]') return [];
  return parts.flatMap((part) => {
    const [first, last] = [Number(part?.[1]), Number(part?.[2] ?? part?.[1])];
    if (!part || last < first) throw new NotSet({ must: 'a list of CPUs such as 0-3,6' });
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
}

/** CPUs as `taskset` has them. */
export function writeCpus(all: readonly number[]): string {
  const parts: string[] = [];
  for (let i = 0; i < all.length; i++) {
    const from = i;
    while (all[i + 1] === Number(all[i]) + 1) i++;
    parts.push(i === from ? String(all[i]) : `${String(all[from])}-${String(all[i])}`);
  }
  return parts.length === 0 ? '[]' : parts.join(',');
}

/** Parts of the form that links have: signs, quoted texts, and everything else. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[(){}[\],:]|[^"(){}[\],:]+/g;
/** A word that needs no quotes. */
const WORD = /^"([\w.*-]+)"$/;
const LITERAL = /^(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

/** What a text says that is JSON, perhaps in the form of links; undefined if it says nothing. */
function fromJson(text: string): unknown {
  const said = (token: string, i: number, all: readonly string[]) => {
    if (token === '(') return '{';
    if (token === ')') return '}';
    if (/^["{}[\],:]/.test(token)) return token;
    return LITERAL.test(token) && all[i + 1] !== ':' ? token : JSON.stringify(token);
  };
  try {
    return JSON.parse((text.match(TOKEN) ?? []).map(said).join('')) as unknown;
  } catch {
    return undefined;
  }
}

function toJson(value: unknown): string {
  // Quoted texts are left alone unless they are a word.
  return JSON.stringify(value).replaceAll(TOKEN, (token) => {
    if (token === '{') return '(';
    if (token === '}') return ')';
    const [, word = ''] = WORD.exec(token) ?? [];
    return word === '' || LITERAL.test(word) ? token : word;
  });
}

function declared(text: string, { kind, unit }: ParamSpec): unknown {
  switch (kind.type) {
    case 'int': {
      const units = unit === 'bytes' ? SIZES : TIMES.some(([u]) => u === unit) ? TIMES : null;
      if (units === null || INTEGER.test(text)) return whole(text, { ...kind, unit });
      const factor = units.find(([u]) => u === unit)?.[1] ?? 1;
      return whole(String(fromUnit(text, units) / factor), { ...kind, unit });
    }
    case 'flag':
      return flag(text);
    case 'choice':
      return oneOf(text, kind.options);
    case 'text':
      return plainText(text, kind.maxLength);
  }
}

function writeDeclared(value: unknown, unit: string): string {
  const units = unit === 'bytes' ? SIZES : TIMES;
  const factor = units.find(([u]) => u === unit)?.[1];
  if (typeof value === 'number' && value > 0 && factor !== undefined)
    return withUnit(value * factor, units);
  return typeof value === 'string' ? writeText(value) : String(value);
}

const writeText = (text: string) =>
  text === 'null' || text.startsWith('"') ? JSON.stringify(text) : text;

/** The value of a text; undefined: what is there is left out. `spec` is the declaration of a declared property. */
export function readValue(text: string, { kind, default: fallback }: Property, spec?: ParamSpec) {
  if (text === 'null') {
    if (fallback === '') throw new NotSet({ must: 'a value' });
    return undefined;
  }
  switch (kind.type) {
    case 'integer':
      return whole(text, kind.bound);
    case 'time':
    case 'size': {
      const [units, what] =
        kind.type === 'time' ? ([TIMES, 'time'] as const) : ([SIZES, 'size'] as const);
      const { min, max } = kind.bound;
      const [from, to] = [withUnit(min, units), withUnit(max, units)];
      const must =
        what === 'time' ? `a time from ${from} to ${to}` : `a size from ${from} to ${to}`;
      return within(fromUnit(text, units), min, max, must);
    }
    case 'flag':
      return flag(text);
    case 'word':
      return oneOf(text, kind.words);
    case 'text':
      return plainText(text, kind.bound.max);
    case 'cpus':
      return cpus(text);
    case 'declared':
      if (!spec) throw new NotSet({ must: 'a value' });
      return declared(text, spec);
    case 'written': {
      const value = fromJson(text);
      if (value === undefined) throw new NotSet({ must: 'what a scenario file has there' });
      return value;
    }
  }
}

/** A value as a text that reads back. */
export function writeValue(value: unknown, { kind }: Property, spec?: ParamSpec): string {
  if (value === undefined) return 'null';
  switch (kind.type) {
    case 'time':
      return withUnit(Number(value), TIMES);
    case 'size':
      return withUnit(Number(value), SIZES);
    case 'cpus':
      return writeCpus(value as readonly number[]);
    case 'declared':
      return writeDeclared(value, spec?.unit ?? '');
    case 'written':
      return toJson(value);
    case 'text':
      return writeText(String(value));
    case 'integer':
    case 'flag':
    case 'word':
      return String(value);
  }
}
