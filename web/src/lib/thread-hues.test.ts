/// <reference types="node" />
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { luminance } from './color';
import {
  chooseStanding,
  freeHues,
  groupHue,
  hasOwnHues,
  HUES,
  standOut,
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

/** Names of a lane with groups of so many threads, and daemons between them. */
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

/** CIEDE2000 of two colours. */
function distance(one: string, other: string): number {
  const [l1, a1, b1] = lab(one);
  const [l2, a2, b2] = lab(other);
  const rad = Math.PI / 180;
  const cMean = (Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2;
  const g = 0.5 * (1 - Math.sqrt(cMean ** 7 / (cMean ** 7 + 25 ** 7)));
  const [x1, x2] = [a1 * (1 + g), a2 * (1 + g)];
  const [c1, c2] = [Math.hypot(x1, b1), Math.hypot(x2, b2)];
  const angle = (y: number, x: number) =>
    x === 0 && y === 0 ? 0 : (Math.atan2(y, x) / rad + 360) % 360;
  const [h1, h2] = [angle(b1, x1), angle(b2, x2)];
  let dh = h2 - h1;
  if (c1 * c2 === 0) dh = 0;
  else if (dh > 180) dh -= 360;
  else if (dh < -180) dh += 360;
  let h = h1 + h2;
  if (c1 * c2 !== 0) h = Math.abs(h1 - h2) <= 180 ? h / 2 : h < 360 ? (h + 360) / 2 : (h - 360) / 2;
  const [dl, dc] = [l2 - l1, c2 - c1];
  const dH = 2 * Math.sqrt(c1 * c2) * Math.sin((dh / 2) * rad);
  const [l, c] = [(l1 + l2) / 2, (c1 + c2) / 2];
  const t =
    1 -
    0.17 * Math.cos((h - 30) * rad) +
    0.24 * Math.cos(2 * h * rad) +
    0.32 * Math.cos((3 * h + 6) * rad) -
    0.2 * Math.cos((4 * h - 63) * rad);
  const sl = 1 + (0.015 * (l - 50) ** 2) / Math.sqrt(20 + (l - 50) ** 2);
  const sc = 1 + 0.045 * c;
  const sh = 1 + 0.015 * c * t;
  const rc = 2 * Math.sqrt(c ** 7 / (c ** 7 + 25 ** 7));
  const rt = -Math.sin(60 * Math.exp(-(((h - 275) / 25) ** 2)) * rad) * rc;
  return Math.sqrt((dl / sl) ** 2 + (dc / sc) ** 2 + (dH / sh) ** 2 + rt * (dc / sc) * (dH / sh));
}

function lab(hex: string): [number, number, number] {
  const [r, g, b] = linear(hex);
  const f = (v: number) => (v > 216 / 24389 ? Math.cbrt(v) : ((24389 / 27) * v + 16) / 116);
  const x = f((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
  const y = f(0.2126729 * r + 0.7151522 * g + 0.072175 * b);
  const z = f((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** Red, green and blue, from 0 to 1. */
const plain = (hex: string): [number, number, number] => [
  Number.parseInt(hex.slice(1, 3), 16) / 255,
  Number.parseInt(hex.slice(3, 5), 16) / 255,
  Number.parseInt(hex.slice(5, 7), 16) / 255,
];

function linear(hex: string): [number, number, number] {
  const at = (c: number) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  const [r, g, b] = plain(hex);
  return [at(r), at(g), at(b)];
}

/**
 * Machado, Oliveira and Fernandes 2009, severity 1: how the three kinds of colour blindness see a colour. Some apply the
 * matrices to light, some to the numbers of the colour: the hues have to differ either way.
 */
const BLIND = {
  deutan: [
    0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881,
  ],
  protan: [
    0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998,
  ],
  tritan: [
    1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039,
  ],
};

function seenBy(kind: keyof typeof BLIND, hex: string, isOfLight: boolean): string {
  const m = BLIND[kind];
  const rgb = isOfLight ? linear(hex) : plain(hex);
  const channel = (row: number) => {
    const v = [0, 1, 2].reduce((sum, i) => sum + (m[row * 3 + i] ?? 0) * (rgb[i] ?? 0), 0);
    const c = Math.min(1, Math.max(0, v));
    const s = !isOfLight ? c : c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055;
    return Math.round(s * 255)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${channel(0)}${channel(1)}${channel(2)}`;
}

const contrast = (a: string, b: string) => {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
};

const NUMBERS = Array.from({ length: HUES }, (_, i) => i + 1);

describe('the hues of threads', () => {
  it.each([1, 9, 12])('are %i for as many threads of one group', (n) => {
    const names = lane(n);
    expect(hasOwnHues(names)).toBe(true);
    expect(fills(names)).toEqual(NUMBERS.slice(0, n).map((k) => `--thread-${String(k)}`));
  });

  it.each([13, 512])('are one pale one for %i, but for a selected one', (n) => {
    const names = lane(n);
    expect(hasOwnHues(names)).toBe(false);
    expect(new Set(fills(names))).toEqual(new Set(['--family-1-pale']));
    expect(fills(names, 5).filter((fill) => fill !== '--family-1-pale')).toEqual(['--thread-12']);
    expect(groupHue(names, 0).fill).toBe('--family-1');
  });

  it('of a few who stand out of a crowd are those that nothing else has', () => {
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
    // Whoever still has most to show stays; who is gone does not.
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

    it('differ from each other, from what is selected and from daemons, for everybody', () => {
      const others = [hex('--accent'), hex('--background-thread')];
      own.forEach((a, i) => {
        for (const b of own.slice(i + 1)) {
          expect(distance(a, b), `${a} ${b}`).toBeGreaterThanOrEqual(18.5);
          for (const kind of Object.keys(BLIND) as (keyof typeof BLIND)[])
            for (const isOfLight of [true, false])
              expect(
                distance(seenBy(kind, a, isOfLight), seenBy(kind, b, isOfLight)),
                `${kind} ${a} ${b}`,
              ).toBeGreaterThanOrEqual(11);
        }
        for (const b of others) expect(distance(a, b), `${a} ${b}`).toBeGreaterThanOrEqual(16);
      });
    });

    it('have numbers that can be read and rims that can be seen', () => {
      for (const [name, fill] of tokens) {
        if (!/^--(thread|family)-/.test(name)) continue;
        if (name.endsWith('-rim')) {
          expect(contrast(fill, hex('--paper')), name).toBeGreaterThanOrEqual(3);
          continue;
        }
        expect(
          Math.max(contrast(fill, '#15130f'), contrast(fill, '#ffffff')),
          name,
        ).toBeGreaterThanOrEqual(4.3);
      }
    });
  });
});
