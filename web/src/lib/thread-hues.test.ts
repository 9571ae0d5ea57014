/// <reference types="node" />
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { confusable, contrast } from './test-colours';
import {
  chooseStanding,
  freeHues,
  groupHue,
  hasOwnHues,
  HUES,
  standOut,
  standsForOthers,
  type StandingOut,
  taskHue,
} from './thread-hues';

const css = readFileSync(`${import.meta.dirname}/../styles/tokens.css`, 'utf8');
const [light = '', dark = ''] = css.split(/^\[data-theme='dark'\]/m);

function tokensOf(block: string): ReadonlyMap<string, string> {
  const end = block.indexOf('\n}');
  return new Map(
    [...block.slice(0, end).matchAll(/(--[\w-]+): (#[0-9a-f]{6});/g)].map(
      ([, name = '', hex = '']) => [name, hex],
    ),
  );
}

const THEMES = [
  ['light', tokensOf(light)],
  ['dark', tokensOf(dark)],
] as const;

/** Names of a lane with groups of these sizes, and daemons between them. */
function lane(...counts: number[]) {
  const groups = [
    ...counts.map((_, i) => ({ name: `g${String(i)}`, background: false })),
    { name: 'daemon', background: true },
  ];
  const taskGroup = counts.flatMap((n, g) => [counts.length, ...new Array<number>(n).fill(g)]);
  return { groups, taskGroup };
}

const fills = (names: ReturnType<typeof lane>, selected: number | null = null) =>
  names.taskGroup.flatMap((g, task) =>
    g < names.groups.length - 1 ? [taskHue(names, task, selected).fill] : [],
  );

const NUMBERS = Array.from({ length: HUES }, (_, i) => i + 1);

describe('the hues of threads', () => {
  it.each([1, 9, 12])('are %i for as many threads of one group', (n) => {
    const names = lane(n);
    expect(hasOwnHues(names)).toBe(true);
    expect(fills(names)).toEqual(NUMBERS.slice(0, n).map((k) => `--thread-${String(k)}`));
  });

  it.each([13, 512])('are a single pale hue for %i, except for a selected thread', (n) => {
    const names = lane(n);
    expect(hasOwnHues(names)).toBe(false);
    expect(new Set(fills(names))).toEqual(new Set(['--family-1-pale']));
    expect(fills(names, 5).filter((fill) => fill !== '--family-1-pale')).toEqual(['--thread-12']);
    expect(groupHue(names, 0).fill).toBe('--family-1');
  });

  it('of threads that stand out of a large group are used nowhere else', () => {
    for (let n = 1; n <= 6; n++) {
      const names = lane(...new Array<number>(n).fill(13));
      const free = freeHues(names);
      expect(free.length).toBeGreaterThanOrEqual(5);
      expect(free).not.toContain(12);
      const seen = new Set(fills(names).map((fill) => fill.replace('-pale', '')));
      const hex = THEMES[0][1];
      const taken = [...seen].map((fill) => hex.get(fill));
      for (const hue of free) expect(taken).not.toContain(hex.get(`--thread-${String(hue)}`));
    }
    expect(freeHues(lane(12))).toEqual([]);
    expect(freeHues(lane(3, 12))).toEqual([]);
    const names = lane(40);
    standOut(names, new Map([[7, 4]]));
    expect(taskHue(names, 7).fill).toBe('--thread-4');
    expect(taskHue(names, 7, 7).fill).toBe('--thread-4');
    expect(taskHue(names, 8).fill).toBe('--family-1-pale');
    expect(taskHue(lane(40), 7).fill).toBe('--family-1-pale');
  });

  it('stand out by score, and are held', () => {
    const free = [4, 8, 9, 10, 11, 7];
    const scores = (...of: readonly (readonly [string, number])[]) =>
      new Map([...Array.from({ length: 20 }, (_, i) => [`t${String(i)}`, 0] as const), ...of]);
    const names = (list: readonly StandingOut[]) => list.map((s) => s.name);
    expect(chooseStanding([], scores(), free, 0)).toEqual([]);
    const first = chooseStanding([], scores(['t3', 5], ['t1', 9]), free, 0);
    expect(first).toEqual([
      { name: 't1', hue: 4, sinceMs: 0 },
      { name: 't3', hue: 8, sinceMs: 0 },
    ]);
    const many = scores(...Array.from({ length: 8 }, (_, i) => [`t${String(i + 5)}`, 9] as const));
    const second = chooseStanding(first, many, free, 4_900);
    expect(second).toHaveLength(6);
    expect(second.slice(0, 2)).toEqual(first);
    expect(new Set(second.map((s) => s.hue)).size).toBe(6);
    const third = chooseStanding(second, many, free, 5_100);
    expect(names(third)).not.toContain('t1');
    expect(third).toHaveLength(6);
    // A thread with the highest score stays, and one that ended does not.
    expect(names(chooseStanding(first, scores(['t1', 1]), free, 9_000))).toEqual(['t1']);
    expect(chooseStanding(first, new Map([['x', 0]]), free, 10)).toEqual([]);
    expect(chooseStanding([], many, free.slice(0, 2), 0)).toHaveLength(2);
  });

  it('are families where there are several groups', () => {
    for (let n = 2; n <= 6; n++) {
      const names = lane(...new Array<number>(n).fill(5));
      expect(new Set(fills(names)).size).toBe(n);
      expect(fills(names)[0]).toBe(groupHue(names, 0).fill);
    }
    for (const [count, steps] of [
      [1, ['']],
      [2, ['-1', '-4']],
      [3, ['-1', '', '-4']],
      [4, ['-1', '-2', '-3', '-4']],
    ] as const)
      expect(fills(lane(count, 20)).slice(0, count)).toEqual(steps.map((s) => `--family-1${s}`));
  });

  it('never are those of daemons', () => {
    const names = lane(3);
    expect(taskHue(names, 0).fill).toBe('--background-thread');
    expect(fills(names)).not.toContain('--background-thread');
  });

  describe.each(THEMES)('%s', (_, tokens) => {
    const hex = (name: string) => tokens.get(name) ?? 'missing';
    const own = NUMBERS.map((n) => hex(`--thread-${String(n)}`));

    it('differ from each other, from the selection and from daemons, with every kind of sight', () => {
      const others = [hex('--accent'), hex('--background-thread')];
      expect(confusable(own, others)).toEqual([]);
      expect(confusable([...own, ...own.slice(0, 1)], others)).not.toEqual([]);
    });

    it('have readable numbers and visible rims', () => {
      for (const [name, fill] of tokens) {
        if (!/^--(thread|family)-/.test(name)) continue;
        if (name.endsWith('-rim')) {
          expect(contrast(fill, hex('--paper')), name).toBeGreaterThanOrEqual(3);
          continue;
        }
        expect(
          Math.max(contrast(fill, '#000000'), contrast(fill, '#ffffff')),
          name,
        ).toBeGreaterThanOrEqual(4.5);
      }
    });
  });
});

it('time of others that a trace does not tell has the grey of no thread', () => {
  const groups = ['p1', 'others on CPU 0'].map((name, i) => ({ name, background: i > 0 }));
  const names = { groups, taskGroup: [0, 1] };
  expect([0, 1].map((task) => standsForOthers(names, task))).toEqual([false, true]);
  expect(taskHue(names, 1).fill).toBe('--background-thread');
  // The only group of programs has hues of its own.
  expect(taskHue(names, 0).fill).toBe('--thread-1');
});
