/**
 * The catalogs: German has the same placeholders, and no sentence is long. A text without German stays English: `npm run
 * words` lists it, and a release waits for it.
 */
import PO from 'pofile';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { pseudo, pseudoItem } from '../../i18n/pseudo.js';

interface Text {
  readonly english: string;
  readonly text: string;
}

const all: readonly Text[] = PO.parse(
  readFileSync(`${import.meta.dirname}/de.po`, 'utf8'),
).items.map(({ msgid, msgstr }) => ({ english: msgid, text: msgstr[0] ?? '' }));

const german = all.filter(({ text }) => text.trim() !== '');

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
].map((folder) => `src/view/${folder}`);
const OTHERS = ['src/state/answer', 'src/state/lesson', 'i18n/core-words.json'];
const REASONS = ['../sim-core/schedulers/src', '../sim-core/policy/src'];

const web = path.join(import.meta.dirname, '../..');

/** A file, or those of a folder and of the folders in it, as far as they have texts of the page. */
const filesIn = (place: string): string[] =>
  path.extname(place) === ''
    ? readdirSync(path.join(web, place)).flatMap((name) => filesIn(path.join(place, name)))
    : /\.(svelte|ts|json)$/.test(place)
      ? [place]
      : [];

/** A source with its texts as readers see them: in one line, without what escapes a sign. */
const sourceOf = (file: string) =>
  readFileSync(path.join(web, file), 'utf8')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\\(["'`])/g, '$1');

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
  it('have each text once', () => {
    expect(new Set(all.map(({ english }) => english)).size).toBeGreaterThan(2000);
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
    const long = all.flatMap(({ english, text }) => [english, text]);
    const known = (text: string) => LONG.some((start) => text.startsWith(start));
    const found = long.filter((text) => longest(text) > 30);
    expect(found.filter((text) => !known(text))).toEqual([]);
    expect(found).toHaveLength(LONG.length);
  });
});

describe('stage and cards', () => {
  const isLong = (text: string) => longestOf(sentencesOf(text)) > 20;
  const sources = [...STAGE_AND_CARDS, ...OTHERS, ...REASONS]
    .flatMap(filesIn)
    .map(sourceOf)
    .join('\n');
  /** Whether the longest part of a text without places is in those sources. */
  const isThere = ({ english }: Text) => {
    const parts = english.split(/<\/?\d+\/?>|\{[^{}]+\}/).map((part) => part.trim());
    return sources.includes(parts.reduce((a, b) => (b.length > a.length ? b : a)));
  };

  it('have no sentence of more than twenty words, in either language', () => {
    expect(all.filter((one, i) => i % 10 === 0 && isThere(one)).length).toBeGreaterThan(100);
    const long = all.filter(({ english, text }) => [english, text].some(isLong));
    expect(long.filter(isThere)).toEqual([]);
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
