/** The words of every reason, with operands that count 0, 1 and 2: in English, and in German as the catalog has it. */
import PO from 'pofile';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { realCore } from '../../sim/test-core';
import type { Catalog } from '../../sim/types/Catalog';
import type { ReasonEntry } from '../../sim/types/ReasonEntry';
import { loadTexts, textOf } from './folder';
import { fill, inGeneral, namesIn } from './template';

await loadTexts();

const { schedulers } = JSON.parse(realCore.catalog()) as Catalog;
const { items } = PO.parse(readFileSync(`${import.meta.dirname}/../../locales/de.po`, 'utf8'));
const german = new Map(items.map(({ msgid, msgstr }) => [msgid, msgstr[0] ?? '']));

/** Whether an operand counts something. */
const counts = (name: string, unit: string) =>
  /^\p{L}{2,}s$/u.test(unit) || name === 'nr_balance_failed';

/** A sentence in which everything that counts is `n`, and everything else another number. */
function withCount(text: string, { operands, units }: ReasonEntry, n: number): string {
  return fill(text, {
    cpu: 7,
    taskName: 'T',
    operands: operands.map((name, i) => {
      const unit = units[i] ?? '';
      const isTime = ['ns', 'us', 'ms', 'bytes'].includes(unit);
      return { name, unit, value: counts(name, unit) && !isTime ? n : 7 };
    }),
  });
}

/** A number, and up to three words between it and the word that has to agree with it. */
const before = (numbers: string, words: string) =>
  new RegExp(`(?<![\\d.,])[${numbers}] ((?!this )[^\\s(),.:;]+ ){0,3}(${words})(?!\\p{L})`, 'u');
const nouns = (end: string) => `(thread|CPU|page|tick|core|attempt|time)${end}`;

const WRONG = {
  English: {
    one: before('1', `are|have|were|wait|their|${nouns('s')}`),
    many: before('02', `is|has|was|waits|${nouns('')}`),
  },
  German: {
    one: /(?<!\p{L})(sind|wurden|haben|warten) (mindestens )?1 |(?<![\d.,])1 ([^\s(),.:;]+ ){0,3}(sind|haben|wurden|waren|warten|dürfen|stehen|Versuchen?|kamen)(?!\p{L})/u,
    many: before('02', 'ist|wurde|war|wartet|darf|steht|Versuch|kam'),
  },
};

describe.each(['English', 'German'] as const)('the reasons in %s', (language) => {
  it.each(schedulers.map((s) => [s.id, s.reasons] as const))(
    'of %s agree with 0, 1 and 2',
    (id, reasons) => {
      const wrong = reasons.flatMap((reason) => {
        const words = textOf(id, 'sentence', reason.id) ?? '';
        const text = language === 'English' ? words : (german.get(words) ?? '');
        expect(text, reason.id).not.toBe('');
        return [0, 1, 2]
          .map((n) => ({ n, told: withCount(text, reason, n) }))
          .filter(({ n, told }) => WRONG[language][n === 1 ? 'one' : 'many'].test(told))
          .map(({ told }) => `${reason.id}: ${told}`);
      });
      expect(wrong).toEqual([]);
    },
  );
});

describe('a template', () => {
  const told = (value: number, unit = 'threads') => ({
    cpu: null,
    taskName: null,
    operands: [{ name: 'waiting', unit, value }],
  });

  it('has a word for one and a word for many', () => {
    const text = '{waiting} {waiting|waits|wait}.';
    expect([0, 1, 2].map((n) => fill(text, told(n)))).toEqual([
      '0 threads wait.',
      '1 thread waits.',
      '2 threads wait.',
    ]);
    expect(namesIn(text)).toEqual(['waiting', 'waiting']);
    expect(inGeneral(text)).toBe('… wait.');
  });
});
