/** Sentences of the core about what it refuses, in the language of the page. The core speaks English, and so does its JSON. */
import { TABLE } from '../locales/messages-table';
import { coreWords, LOCALE } from './language';

/** A sentence that the core may say, with numbered places, and what it matches. */
interface Template {
  readonly fits: RegExp;
  /** Whether it begins with a place: then it says nothing about a whole list. */
  readonly isOpen: boolean;
  readonly hasPlaces: boolean;
  /** The same in the language of the page. */
  readonly said: string;
  /** Places that quote what somebody wrote: these stay as they are. */
  readonly quoted: readonly boolean[];
}

const PLACE = /\{(\d+)\}/;

function templateOf([english, said]: readonly [string, string]): Template {
  const parts = english.split(PLACE);
  const literals = parts.filter((_, i) => i % 2 === 0);
  const pattern = literals
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('(.*?)');
  return {
    fits: new RegExp(`^${pattern}$`, 's'),
    isOpen: literals[0] === '',
    hasPlaces: literals.length > 1,
    said,
    quoted: literals.slice(0, -1).map((before) => /["`]$/.test(before)),
  };
}

/** Those that say most come first: what else would fit says less of the sentence. */
const templatesOf = (table: Readonly<Record<string, string>>): readonly Template[] =>
  Object.entries(table)
    .sort(([a], [b]) => b.replaceAll(/\{\d+\}/g, '').length - a.replaceAll(/\{\d+\}/g, '').length)
    .map(templateOf);

/** Makes what translates sentences by a table; a sentence that no template fits stays as it is. */
export function translator(
  table: Readonly<Record<string, string>>,
  unit: (english: string) => string = (english) => english,
): (english: string) => string {
  const templates = templatesOf(table);
  const whole = (text: string, allowed: (one: Template) => boolean): string | null => {
    for (const one of templates) {
      const found = allowed(one) ? one.fits.exec(text) : null;
      if (!found) continue;
      return one.said.replaceAll(/\{(\d+)\}/g, (_, place: string) => {
        const given = found[Number(place) + 1] ?? '';
        return one.quoted[Number(place)] ? given : inner(given);
      });
    }
    return null;
  };
  /** What stands in a place: a sentence again, an amount, or a list of things. */
  const inner = (text: string): string => {
    const amount = /^(-?[\d.]+) (\D+)$/.exec(text);
    if (amount) return `${amount[1] ?? ''} ${unit(amount[2] ?? '')}`;
    const sentence = whole(text, (one) => !one.isOpen);
    if (sentence !== null) return sentence;
    const each = text.split(', ').map((part) => whole(part, (one) => one.hasPlaces) ?? part);
    return each.join(', ');
  };
  return (english) => whole(english, () => true) ?? english;
}

let known: ((english: string) => string) | null = null;

/** A sentence of the core in the language of the page; one that nobody translated stays English. */
export function coreMessage(english: string): string {
  if (LOCALE === 'en') return english;
  known ??= translator(TABLE, coreWords);
  return known(english);
}

/** What a call of the core failed with, as a sentence: the first of its problems, or what was thrown. */
export function firstProblem(message: string): string {
  if (!message.startsWith('{')) return coreMessage(message);
  const { errors } = JSON.parse(message) as { errors: { path: string; message: string }[] };
  const [first] = errors;
  if (!first) return message;
  const said = coreMessage(first.message);
  return first.path === '' ? said : `${first.path}: ${said}`;
}
