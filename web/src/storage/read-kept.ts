/**
 * Kept work as it is read again. Nothing of it is trusted: a disk, another version of the page or a person may have
 * damaged it. Work is good if its scenario can be read; of the data about it, what is wrong goes back to a default.
 */
import { parseScenario } from '../files/parse';
import type { Kept } from './kept-store';

/** What links can name. */
const ID = /^[\w-]{1,40}$/;
const BASE = /^[\w.-]{1,80}$/;
/** The last day that a computer can name, in ms since 1970. */
const LAST_MS = 8.64e15;

const text = (value: unknown, or: string): string => (typeof value === 'string' ? value : or);

function number(value: unknown, most: number, or: number): number {
  return typeof value === 'number' && value >= 0 && value <= most ? value : or;
}

/** A text that is a scenario as far as the page can tell, or null. The core reads it when it is opened. */
export function readScenario(value: unknown): Readonly<Record<string, unknown>> | null {
  if (typeof value !== 'string') return null;
  try {
    return parseScenario(value);
  } catch {
    return null;
  }
}

/** The data about a piece of work; null where its scenario cannot be found by it. */
export function readKept(key: unknown, value: unknown): Kept | null {
  if (typeof key !== 'string' || !ID.test(key)) return null;
  const given: Readonly<Record<string, unknown>> =
    typeof value === 'object' && value !== null ? { ...value } : {};
  const { title, name, baseId, origin, differs, t, savedAt, size } = given;
  return {
    id: key,
    title: text(title, ''),
    name: text(name, key),
    baseId: typeof baseId === 'string' && BASE.test(baseId) ? baseId : '',
    origin: text(origin, ''),
    differs: Array.isArray(differs)
      ? differs.filter((phrase): phrase is string => typeof phrase === 'string')
      : [],
    t: number(t, Number.MAX_SAFE_INTEGER, 0),
    savedAt: number(savedAt, LAST_MS, 0),
    size: number(size, Number.MAX_SAFE_INTEGER, 0),
  };
}
