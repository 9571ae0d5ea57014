/** For tests: how different two colours look, with and without colour blindness. */
import { luminance } from './color';

/** CIEDE2000 of two colours. */
export function distance(one: string, other: string): number {
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
 * Machado, Oliveira and Fernandes 2009, severity 1: colours as seen with the three kinds of colour blindness. Some
 * sources apply the matrices to linear light, some to sRGB values; the hues must differ with both.
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

/** The kinds of colour blindness. */
export const BLINDNESSES = ['deutan', 'protan', 'tritan'] as const;

/** A colour as seen by a person who lacks one kind of cones. */
export function seenBy(
  kind: (typeof BLINDNESSES)[number],
  hex: string,
  isOfLight: boolean,
): string {
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

/** Ratio of the luminances of two colours, as WCAG defines it. */
export const contrast = (a: string, b: string) => {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
};

/** Smallest allowed distance (CIEDE2000) of two hues: as painted, as seen with colour blindness, and from other marks. */
const APART = 18.5;
const APART_FOR_THE_BLIND = 11;
const APART_FROM_MARKS = 16;

/** Pairs of hues, or of a hue and another mark, that are too similar, with the kind of sight that confuses them. */
export function confusable(hues: readonly string[], marks: readonly string[]): string[] {
  const near: string[] = [];
  hues.forEach((a, i) => {
    for (const b of hues.slice(i + 1)) {
      if (distance(a, b) < APART) near.push(`${a} ${b}`);
      for (const kind of BLINDNESSES)
        for (const isOfLight of [true, false]) {
          const seen = distance(seenBy(kind, a, isOfLight), seenBy(kind, b, isOfLight));
          if (seen < APART_FOR_THE_BLIND) near.push(`${a} ${b} ${kind}`);
        }
    }
    for (const b of marks) if (distance(a, b) < APART_FROM_MARKS) near.push(`${a} ${b}`);
  });
  return near;
}
