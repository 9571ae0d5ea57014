/**
 * Characters that do not belong in a name: controls, line separators, marks that reverse the writing direction, and
 * characters that XML forbids. The core refuses them (`sim-core/ground/src/text.rs`); here they are replaced in files
 * from elsewhere.
 */
import type { Path } from '../lib/paths';
import { getAt } from '../lib/paths';

const UNSEEN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu;
/** Texts that may have several lines. */
const HAVE_LINES: ReadonlySet<string> = new Set(['notes', 'program', 'child']);

/** Whether a field is a text with such characters. */
export function hasUnseen(value: unknown, path: Path): boolean {
  const text = getAt(value, path);
  return typeof text === 'string' && shown(text, String(path.at(-1))) !== text;
}

/** A copy in which every text can be shown. Names and references to them stay equal. */
export function withoutUnseen<T>(value: T): T {
  return copied(value, '') as T;
}

function copied(value: unknown, key: string): unknown {
  if (typeof value === 'string') return shown(value, key);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((inner: unknown) => copied(inner, key));
  const fields = Object.entries(value);
  // Paths of properties have names in them.
  return Object.fromEntries(fields.map(([k, inner]) => [shown(k, ''), copied(inner, k)]));
}

function shown(text: string, key: string): string {
  if (HAVE_LINES.has(key))
    return text.replaceAll(UNSEEN, (c) => (/[\n\r\t]/.test(c) ? c : '\ufffd'));
  return text.replaceAll(UNSEEN, (c) => (/[\n\r\t]/.test(c) ? ' ' : '\ufffd'));
}
