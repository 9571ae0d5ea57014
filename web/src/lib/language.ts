/** The language of the page, which does not change while the page is open, and its effect on numbers and data. */
import { TABLE } from '../locales/core-table';

/** The language that the page was built for. Tests without a build are in English. */
export const LOCALE = typeof __LOCALE__ === 'undefined' ? 'en' : __LOCALE__;

/** Languages of lessons; with the pseudo-language of the tests, lessons are in English. */
export const LESSON_LANGUAGE = LOCALE === 'de' ? 'de' : 'en';

/** The decimal sign. */
const POINT = LOCALE === 'de' ? ',' : '.';

/** A number in figures, as `toFixed` writes it, with the decimal sign of the language. */
export const localFigures = (figures: string): string =>
  POINT === '.' ? figures : figures.replace('.', POINT);

/** Words of the core in the language of the page; words without a translation stay English. */
export const coreWords = (english: string): string =>
  Object.hasOwn(TABLE, english) ? (TABLE[english] ?? english) : english;

/**
 * Fields of the core's catalog that hold words. Names of operands and units are keys, too, so they are translated
 * where they are shown.
 */
const SAID: ReadonlySet<string> = new Set([
  'summary',
  'source',
  'label',
  'purpose',
  'name',
  'title',
  'situation',
  // Of a gauge: what lies on either side of its threshold.
  'below',
  'above',
]);

/** Values that go back to the core unchanged; they are translated where they are shown. */
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
