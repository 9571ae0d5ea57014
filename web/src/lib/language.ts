/** The language of the page, which it keeps for as long as it is open, and what that changes about numbers and data. */
import { TABLE } from '../locales/core-table';

/** The language that the page was built for. Tests outside of a build are in English. */
export const LOCALE = typeof __LOCALE__ === 'undefined' ? 'en' : __LOCALE__;

/** Languages of lessons; the made one of the tests is English to them. */
export const LESSON_LANGUAGE = LOCALE === 'de' ? 'de' : 'en';

/** What stands before tenths. */
const POINT = LOCALE === 'de' ? ',' : '.';

/** A number in figures, as `toFixed` writes it, with the decimal sign of the language. */
export const localFigures = (figures: string): string =>
  POINT === '.' ? figures : figures.replace('.', POINT);

/** Words of the core in the language of the page; those that nobody translated stay English. */
export const coreWords = (english: string): string =>
  Object.hasOwn(TABLE, english) ? (TABLE[english] ?? english) : english;

/** Fields of the core's catalog that hold words. Names of operands and units are keys, too, and are told elsewhere. */
const SAID: ReadonlySet<string> = new Set([
  'summary',
  'source',
  'label',
  'purpose',
  'name',
  'title',
  'situation',
]);

/** What goes back to the core as it came, and is told elsewhere. */
const KEPT: ReadonlySet<string> = new Set(['scenario', 'spec']);

/** Data of the core with its words in the language of the page. */
export function inLanguage<T>(data: T): T {
  if (LOCALE === 'en') return data;
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, of]) => [
        name,
        KEPT.has(name) ? of : typeof of === 'string' && SAID.has(name) ? coreWords(of) : copy(of),
      ]),
    );
  };
  return copy(data) as T;
}
