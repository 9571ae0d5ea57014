/** The catalogs: each text has a German translation with the same placeholders, and no sentence is long. */
import PO from 'pofile';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { pseudo, pseudoItem } from '../../i18n/pseudo.js';

interface Text {
  readonly english: string;
  readonly text: string;
  /** The files that have it. */
  readonly files: readonly string[];
}

function textsOf(locale: string): readonly Text[] {
  const { items } = PO.parse(readFileSync(`${import.meta.dirname}/${locale}.po`, 'utf8'));
  return items
    .filter(({ obsolete }) => !obsolete)
    .map(({ msgid, msgstr, references }) => ({
      english: msgid,
      text: msgstr[0] ?? '',
      files: references,
    }));
}

const german = textsOf('de');

/** Sentences, with a word in each place of an operand. */
function sentencesOf(text: string): string[] {
  const whole = text.replaceAll(/<\/?\d+\/?>/g, ' ').replaceAll(/\{[^{}]+\}/g, 'X');
  const segments = new Intl.Segmenter('en', { granularity: 'sentence' }).segment(whole);
  return [...segments].map(({ segment }) => segment);
}

/** Words of the longest of some sentences. */
function longestOf(sentences: readonly string[]): number {
  const wordsOf = (sentence: string) =>
    sentence.split(/\s+/).filter((word) => /[\p{L}\d]/u.test(word)).length;
  return Math.max(0, ...sentences.map(wordsOf));
}

/** Words of the longest sentence, where a colon or a semicolon ends one. */
const longest = (text: string) =>
  longestOf(sentencesOf(text).flatMap((sentence) => sentence.split(/[:;]\s/)));

/** What is read while a run is watched: the stage, its cards, the answer, reasons, lessons, and the core's own words. */
const STAGE_AND_CARDS = [
  ...['answer', 'bars', 'explain', 'classroom', 'inspect', 'lesson', 'machine', 'stage', 'start'],
  ...['schedulers', 'timeline', 'transport'],
].map((folder) => `src/view/${folder}/`);
const STATES = ['src/state/answer/', 'src/state/lesson/', 'i18n/core-words.json'];

/** All texts of a lesson, or of anything else that is JSON. */
const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];

const LESSONS = import.meta.glob<unknown>('../../../scenarios/lessons/l*.json', { eager: true });
const SCENARIOS = import.meta.glob<{ default: { ask?: string } }>(
  '../../../scenarios/experiments/*.json',
  { eager: true },
);

/** Placeholders, and marks of elements. Words behind the name of an operand are text: `{waiting|waits|wait}`. */
const placesOf = (text: string) =>
  [...text.matchAll(/\{[^{}]+\}|<\/?\d+\/?>/g)].map(([all]) => all.replace(/\|.*\}/, '}'));

/** English sentences of an experiment that are still longer: by their beginnings. */
const LONG = ['Calibrated on ULE alone: the CPU work of a request.'];

describe('the catalogs', () => {
  it('have the same English texts, each once', () => {
    const english = textsOf('en').map((one) => one.english);
    expect(german.map((one) => one.english)).toEqual(english);
    expect(english.length).toBeGreaterThan(2000);
  });

  it('have German for every text', () => {
    expect(german.filter(({ text }) => text.trim() === '')).toEqual([]);
  });

  it('have no placeholder in German that English does not have, and leave out no name of an operand', () => {
    const wrong = german.filter(({ english, text }) => {
      const [from, to] = [placesOf(english), placesOf(text)];
      const isNamed = (place: string) => !/\d/.test(place);
      return (
        to.some((place) => !from.includes(place)) ||
        from.some((place) => isNamed(place) && !to.includes(place))
      );
    });
    expect(wrong).toEqual([]);
  });

  it('keep spaces at both ends, because some texts are joined to others', () => {
    const ends = (text: string) => [/^\s*/.exec(text)?.[0], /\s*$/.exec(text)?.[0]];
    expect(german.filter(({ english, text }) => `${ends(english)}` !== `${ends(text)}`)).toEqual(
      [],
    );
  });

  it('have no sentence of more than thirty words', () => {
    const long = german.flatMap(({ english, text }) => [english, text]);
    const known = (text: string) => LONG.some((start) => text.startsWith(start));
    const found = long.filter((text) => longest(text) > 30);
    expect(found.filter((text) => !known(text))).toEqual([]);
    expect(found).toHaveLength(LONG.length);
  });
});

describe('stage and cards', () => {
  const isLong = (text: string) => longestOf(sentencesOf(text)) > 20;

  it('have no sentence of more than twenty words, in either language', () => {
    const seen = german.filter(({ files }) =>
      files.some((file) => [...STAGE_AND_CARDS, ...STATES].some((part) => file.startsWith(part))),
    );
    expect(seen.length).toBeGreaterThan(1000);
    expect(seen.flatMap(({ english, text }) => [english, text]).filter(isLong)).toEqual([]);
  });

  it('have none in lessons, nor in the questions of scenarios', () => {
    const asks = Object.values(SCENARIOS).map((one) => one.default.ask ?? '');
    const lessons = Object.values(LESSONS).flatMap(textsIn);
    expect(asks.length).toBeGreaterThan(10);
    expect(lessons.length).toBeGreaterThan(500);
    expect([...asks, ...lessons].filter(isLong)).toEqual([]);
  });
});

describe('the pseudo-language', () => {
  it('has accents, is longer, has brackets and keeps placeholders', () => {
    expect(pseudo('Choose {who} now')).toBe('[Çhóóšé {who} ñów øøøøøøøø]');
    expect(pseudo(' and ')).toBe(' [áñd øø] ');
    expect(pseudoItem(['open ', 0, [1, 'here']])).toEqual(['[', 'ópéñ ', 0, [1, 'héŕé'], ' øøøø]']);
  });
});
