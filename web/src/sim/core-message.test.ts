/** What the core says of wrong input: each sentence of its sources is known, and German leaves no English of it. */
import PO from 'pofile';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  coreMessages,
  knownCoreMessages,
  messagesOf,
  OF_WORKERS,
} from '../../i18n/core-messages.mjs';
import { lessonCore } from './lesson/serve';
import { checked, realCore } from './test-core';
import type { Catalog } from './types/Catalog';
import type { OwnMeasure } from './types/OwnMeasure';
import { firstProblem, translator } from '../lib/core-message';
import { getAt, type Path, setAt } from '../lib/paths';

const items = new Map(
  PO.parse(readFileSync(`${import.meta.dirname}/../locales/de.po`, 'utf8'))
    .items.filter(({ obsolete }) => !obsolete)
    .map((item) => [item.msgid, item]),
);
const german = Object.fromEntries(
  knownCoreMessages().map((english) => [english, items.get(english)?.msgstr[0] ?? '']),
);
const inGerman = translator(german, (unit) => items.get(unit)?.msgstr[0] ?? unit);

/** Only what stands in the places is left. */
const rest = translator(
  Object.fromEntries(
    knownCoreMessages().map((text) => [text, (text.match(/\{\d+\}/g) ?? []).join(' ')]),
  ),
  () => '',
);
const ENGLISH = /\b(must|may|not|no|is|are|has|the|of|than|from|to|got|expected|with|only)\b/;

/** Whether some of a sentence stays English; what stands in backticks is quoted. */
function isEnglish(message: string, words = ENGLISH): boolean {
  const other = rest(message);
  return other === message || words.test(other.replaceAll(/`[^`]*`/g, ''));
}

describe('the list of sentences', () => {
  it('is that of the Rust sources', () => {
    expect(knownCoreMessages()).toEqual(coreMessages());
  });

  it('has what workers say as their sources say it', () => {
    const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => readFileSync(`${import.meta.dirname}/${name}`, 'utf8'));
    const isOfAWorker = (text: string) => {
      const parts = text.split(/\{\d+\}/);
      return sources.some((source) => parts.every((part) => source.includes(part)));
    };
    expect(OF_WORKERS.filter((text) => !isOfAWorker(text))).toEqual([]);
  });

  it('leaves out tables, what is checked, comments, paths and tests', () => {
    const rust = `
const LABELS: &[&str] = &[
    "a label of two",
];
sim_ground::constants! {
    COUNT: u32 = 10, "", Assumed, "where it comes from";
}
// "said in a comment"
fn check(path: &str, n: u32, c: char) {
    assert!(
        n > 0,
        "invariant of the core"
    );
    let at = x.expect("invariant: it is there");
    let isQuote = c == '"';
    self.error(format!("{path}.name"), format!("\\"{}\\" must be below \\
        {n}{unit}{}", a, b));
}
#[cfg(test)]
mod tests { fn it() { wrong("said in a test"); } }
`;
    expect(messagesOf(rust)).toEqual(['"{0}" must be below {1}']);
  });
});

describe('a sentence of the core', () => {
  it.each([
    ['must be from 1 to 64, got 70', 'muss im Bereich 1 bis 64 liegen, ist aber 70'],
    [
      'length must be from 1 to 60 characters, got 61',
      'die Länge muss im Bereich 1 bis 60 Zeichen liegen, ist aber 61',
    ],
    [
      'no thread is ever called that: must be one of a-1 to a-4 and those that they fork, b-1, c-1 to c-2, got "must be given"',
      'so heißt nie ein Thread: muss eins sein von a-1 bis a-4 und die, die sie erzeugen, b-1, c-1 bis c-2, ist aber „must be given“',
    ],
    [
      'unknown field `at`, expected one of `atNs`, `speed`',
      'das Feld `at` gibt es nicht, erwartet wird eins von `atNs`, `speed`',
    ],
    [
      'invalid type: null, expected struct Scenario',
      'falsche Art von Wert: null, erwartet wird ein Objekt Scenario',
    ],
    [
      'program: repeat must be the last statement',
      'program: repeat muss die letzte Anweisung sein',
    ],
    ['there are 2 more problems', 'es gibt 2 weitere Fehler'],
    ['nobody knows this sentence', 'nobody knows this sentence'],
  ])('%s', (english, expected) => {
    expect(inGerman(english)).toBe(expected);
  });

  it('is the first of several where one line has to do', () => {
    const problems = {
      errors: [
        { path: 'end.atNs', message: 'must be 1' },
        { path: '', message: 'x' },
      ],
    };
    expect(firstProblem(JSON.stringify(problems))).toBe('end.atNs: must be 1');
    expect(firstProblem('the worker did not load')).toBe('the worker did not load');
  });
});

/** What nothing in a scenario may be. */
const WRONG = [
  null,
  true,
  -1,
  1.5,
  1e15,
  'x',
  'y'.repeat(300),
  'z\u202e',
  [],
  [-1],
  {},
  { strange: 1 },
];

function* leaves(value: unknown, path: Path = []): Generator<Path> {
  yield path;
  if (value === null || typeof value !== 'object') return;
  for (const [key, inner] of Object.entries(value))
    yield* leaves(inner, [...path, Array.isArray(value) ? Number(key) : key]);
}

/** What shipped scenarios do not have. */
const MORE = {
  ask: 'Who waits?',
  opening: { atNs: 1, moment: 'steal', select: 'script-1', later: { atNs: 2, speed: 1 } },
  answer: { measure: 'share', of: 'script', fair: 0.25 },
  controls: [
    { kind: 'nice', group: 'script' },
    { kind: 'tunable', id: 'hz', lane: 0 },
  ],
  moments: ['steal'],
  groups: [
    {
      name: 'script',
      count: 2,
      policy: 'fifo',
      rtPriority: 1,
      allowed: [0],
      behaviour: { kind: 'script', params: { program: 'run 5ms; repeat', child: 'post 1' } },
    },
    {
      name: 'script',
      count: 1,
      rtPriority: 1,
      behaviour: { kind: 'script', params: { program: 'repeat; run' } },
    },
    {
      name: 'c',
      count: 1,
      behaviour: { kind: 'script', params: { program: 'post x', child: 'run 5h' } },
    },
    {
      name: 'd',
      count: 1,
      behaviour: { kind: 'script', params: { program: 'dance', child: 'repeat' } },
    },
  ],
  edits: [
    { atNs: 1, copy: 'script-1', lane: 0 },
    { atNs: 1, set: { 'threads.script-9.nice': 1 } },
    { atNs: 1, set: { 'groups.script.allowed': [0, 999] } },
    { atNs: 1, set: { 'groups.script.count': 1 } },
    { atNs: 1, set: { 'lanes.*.hz': 100 }, lane: 9 },
  ],
};

describe('whatever is wrong with a scenario', () => {
  it('is told without English', () => {
    const catalog = JSON.parse(realCore.catalog()) as Catalog;
    const tried = new Set<string>();
    const [said, left] = [new Set<string>(), new Set<string>()];
    const shipped = catalog.scenarios.map((one) => one.scenario);
    for (const scenario of [...shipped, { ...shipped[0], ...MORE }]) {
      const { machine } = scenario;
      const whole = {
        ...scenario,
        machine:
          typeof machine === 'string'
            ? catalog.machines.find(({ spec }) => spec.id === machine)?.spec
            : machine,
      };
      for (const path of leaves(whole)) {
        const kind = path.map((key) => (typeof key === 'number' ? '0' : key)).join('.');
        if (path.length === 0 || tried.has(kind)) continue;
        tried.add(kind);
        for (const value of [...WRONG, [getAt(whole, path), getAt(whole, path)]])
          for (const { message } of checked(setAt(whole, path, value)).errors) {
            said.add(message);
            if (isEnglish(message)) left.add(message);
          }
      }
    }
    expect(said.size).toBeGreaterThan(300);
    expect([...said].join('\n')).toContain('repeat must be the last statement');
    expect([...left]).toEqual([]);
  });
});

/** Wrong expressions over runs of hog and half in three lanes, and what is said of some in German. */
const MISTAKES: readonly (readonly [text: string, german?: string])[] = [
  [
    'max(waits(lane, hgo))',
    'niemand heißt „hgo“; Gruppen sind hog, half, Threads heißen wie gruppe-1',
  ],
  ['max(waits(lane, hog)', 'erwartet wird ein Operator, ein Komma oder ), da steht: das Ende'],
  ['share(lane)', 'es fehlt who; es heißt share(lane, who[, from, to])'],
  [
    'elapsed(1) + 3',
    'das lässt sich nicht addieren: eine Zeit und eine Zahl; eine Zeit braucht eine Einheit, wie 60ms',
  ],
  [
    'moves(hog)',
    'Argument lane von moves: erwartet wird eine ganze Zahl, da steht: ein Wort; lane steht in rank und Ähnlichem für eine Bahn',
  ],
  ['p(waits(1, hog), 101)', 'Argument percent von p: muss eine Zahl von 0 bis 100 sein'],
  ['5apples', '„apples“ ist keine Einheit; Einheiten sind s, ms, us, ns, %, x'],
  ['in(other, 1)', 'Argument run von in: diesen Lauf gibt es nicht; es gibt: keines'],
  ['1 + wiats(lane, hog)'],
  ['1 +'],
  ['1 2'],
  ['(1 "two"'],
  ['1.2.3'],
  ['"hog'],
  ['1 & 2'],
  ['('.repeat(50)],
  ['1'.repeat(2_001)],
  ['moves(1, 2s, 3)'],
  ['moves(1, till=3s)'],
  ['share(1, hog, lane=2)'],
  ['elapsed(0)'],
  ['elapsed(4)'],
  ['elapsed(0 - 1)'],
  ['nice(hgo)'],
  ['metric(1, beauty)'],
  ['metric(1, 5)'],
  ['share(1, hog, 3)'],
  ['share(1, hog, 0s - 1s)'],
  ['share(1, hog, 2ms, 1ms)'],
  ['count(1, beauty)'],
  ['count(1, leftmost, cpu=0 - 1)'],
  ['moment(1, leftmost, 0)'],
  ['operand(1, leftmost, 1, beauty)'],
  ['series(1, load, 0, [1ms])'],
  ['tunable(1, beauty)'],
  ['param(half, beauty)'],
  ['sweep(other, 1)'],
  ['fork(1)'],
  ['shape([1, 2])'],
  ['rank(3)'],
  ['min(1ms, 2)'],
  ['ci([1ms, 2])'],
  ['ci([hog])'],
  ['histogram([1, 2], 0)'],
  ['cdf([1ms], 2)'],
  ['abs(hog)'],
  ['round(1ms)'],
  ['round(1, 0)'],
  ['not 3'],
  ['elapsed(1) - 3'],
  ['elapsed(1) * elapsed(1)'],
  ['hog * 2'],
  ['elapsed(1) < 3'],
  ['hog < 3'],
];

/** Without words that are names of parameters and operands. */
const ENGLISH_BESIDE_NAMES = /\b(must|may|not|no|is|are|has|the|than|got|expected|found|only|a)\b/;

describe('whatever is wrong with an expression is told without English', () => {
  const { scenarios } = JSON.parse(realCore.catalog()) as Catalog;
  const shipped = scenarios.find(({ id }) => id === 'cfs-eevdf');
  const run = lessonCore.measure(JSON.stringify(shipped?.scenario));
  const wrong = (text: string) =>
    (JSON.parse(run.now(text, 1e6, 'de')) as OwnMeasure).mistake?.message ?? '';

  it.each(MISTAKES.map(([text, german = '']) => [text, german]))('%s', (text = '', german = '') => {
    const said = wrong(text);
    expect(said).not.toBe('');
    expect(isEnglish(said, ENGLISH_BESIDE_NAMES) ? said : '').toBe('');
    if (german !== '') expect(inGerman(said)).toBe(german);
  });
});
