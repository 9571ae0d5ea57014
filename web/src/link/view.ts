/**
 * How the page is to look, in a link: what is selected, how fast it plays, and for pages that embed
 * it (slides, courses) what is shown at all.
 *
 *     lane=2       lane that is looked at, in an embedded page the only one
 *     thread=…     selected thread
 *     speed=20     ms of simulated time per second
 *     edit=2       the only lane that changes are made in
 *     tab=shares   what the timelines show; value=… and kind=… what of it
 *     seen=20-30   from which ms to which; seen=50 the last 50 ms
 *     sums=22-25   the marked span
 *     measure=…    what the answer tells, an id or an expression, and price=… against what
 *     own=…        an expression of the reader's that is not the answer
 *     embed=1      without bar and panels
 *     show=…       of an embedded page: machine, timeline, all
 *     hide=…       by comma: setup, inspect, transport, bar
 *     lock=1       nothing can be changed; time can
 *     play=1       plays at once
 */
import type { Catalog } from '../sim/types/Catalog';
import { decoded, encoded, type Fields } from './fields';
import { type Complaints, rangeOf, readTime, readWhole, readWord, writeTime } from './values';

/** Parts of the page that a link can hide. */
export const PARTS = ['bar', 'setup', 'inspect', 'transport'] as const;
export type Part = (typeof PARTS)[number];

/** Views of an embedded page. */
export const VIEWS = ['all', 'machine', 'timeline'] as const;
export type View = (typeof VIEWS)[number];

/** What timelines can show. */
export const TIMELINE_TABS = [
  'runs',
  'shares',
  'waiting',
  'queues',
  'values',
  'speed',
  'events',
] as const;
export type TimelineTab = (typeof TIMELINE_TABS)[number];

/** A span of time in ns: from one time to another, or without `fromNs` the last part of the run. */
export interface Seen {
  readonly fromNs: number | null;
  readonly spanNs: number;
}

/** Slowest and fastest speed in ns per second. */
const SPEED_NS = [1_000, 100_000_000_000] as const;
const MAX_THREAD = 100;
/** Longest name of a column or a kind. */
const MAX_NAME = 60;
/** Longest expression that the core reads. */
const MAX_EXPRESSION = 2_000;

/** Everything about the look. */
interface Look {
  /** Position of the lane, from 0. */
  lane: number;
  thread: string;
  /** Simulated ns per second. */
  speed: number;
  /** Position of the only lane that changes are made in, from 0. */
  edit: number;
  tab: TimelineTab;
  /** Label of the column that the tab of values shows. */
  value: string;
  /** Kind that the list of decisions shows. */
  kind: string;
  seen: Seen;
  /** The marked span, in ns. */
  sums: { readonly fromNs: number; readonly toNs: number };
  /** Ids of measures, which the page knows; `measure` may be an expression. */
  measure: string;
  own: string;
  price: string;
  embed: boolean;
  show: View;
  hide: readonly Part[];
  lock: boolean;
  play: boolean;
}

/** The look in a link; what it leaves out stays as it is. */
export type LinkView = Partial<Look>;

/** What reading a value asks for. */
interface Reading {
  readonly key: string;
  readonly catalog: Catalog;
  readonly wrong: Complaints;
}

/** A key of links: how its value is written, null where it goes without saying, and read. */
interface Row<T> {
  readonly write: (value: T) => string | null;
  readonly read: (text: string, reading: Reading) => T | undefined;
}

/** A position, from 1 in the link. */
const position: Row<number> = {
  write: (value) => String(value + 1),
  read(text, { key, catalog, wrong }) {
    const value = readWhole(key, text, rangeOf(catalog, 'schedulers', ''), wrong);
    return value === undefined ? undefined : value - 1;
  },
};

/** A name, or an expression. */
const name = (longest = MAX_NAME): Row<string> => ({
  write: encoded,
  read(text, { key, wrong }) {
    const found = decoded(text);
    if (found !== null && found.length <= longest) return found === '' ? undefined : found;
    return wrong.say(`In the link, ${key} is not a name. It is left out.`);
  },
});

/** One of some words; the usual one goes without saying. */
const word = <T extends string>(words: readonly T[], usual?: T): Row<T> => ({
  write: (value) => (value === usual ? null : value),
  read: (text, { key, wrong }) => readWord(key, text, words, wrong) as T | undefined,
});

/** Yes where it is there. */
const yes: Row<boolean> = {
  write: (value) => (value ? '1' : null),
  read(text, { key, wrong }) {
    if (text === '1') return true;
    return text === '0' ? undefined : wrong.add(key, '0 or 1', text);
  },
};

/** Two times in ms, or one. */
function readSpan(
  text: string,
  { key, catalog, wrong }: Reading,
): readonly [number | null, number] | undefined {
  const { max } = rangeOf(catalog, 'end.atNs', 'ns');
  const [first = '', second] = text.split('-', 2);
  const from = second === undefined ? null : readTime(key, first, 0, max, wrong);
  const to = from === undefined ? undefined : readTime(key, second ?? first, 0, max, wrong);
  if (from === undefined || to === undefined) return undefined;
  if (to > (from ?? 0)) return [from, to];
  return wrong.add(key, 'a time and a later one in ms', text);
}

/** All keys, in the order in which a link has them. */
const ROWS: { readonly [K in keyof Look]: Row<Look[K]> } = {
  lane: position,
  thread: name(MAX_THREAD),
  speed: {
    write: (ns) => String(ns / 1e6),
    read(text, { key, wrong }) {
      const ns = Math.round(Number(text) * 1e6);
      if (/^\d{1,6}(\.\d{1,6})?$/.test(text) && ns >= SPEED_NS[0] && ns <= SPEED_NS[1]) return ns;
      return wrong.add(key, 'from 0.001 to 100000 ms per second', text);
    },
  },
  edit: position,
  tab: word(TIMELINE_TABS),
  value: name(),
  kind: name(),
  measure: name(MAX_EXPRESSION),
  own: name(MAX_EXPRESSION),
  price: name(),
  seen: {
    write: ({ fromNs, spanNs }) => {
      const from = fromNs === null ? '' : `${writeTime(fromNs)}-`;
      return from + writeTime((fromNs ?? 0) + spanNs);
    },
    read(text, reading) {
      const span = readSpan(text, reading);
      return span && { fromNs: span[0], spanNs: span[1] - (span[0] ?? 0) };
    },
  },
  sums: {
    write: ({ fromNs, toNs }) => `${writeTime(fromNs)}-${writeTime(toNs)}`,
    read(text, reading) {
      const span = readSpan(text, reading);
      return span && { fromNs: span[0] ?? 0, toNs: span[1] };
    },
  },
  embed: yes,
  show: word(VIEWS, 'all'),
  hide: {
    write: (parts) => (parts.length === 0 ? null : parts.join(',')),
    read(text, { key, wrong }) {
      const parts = text.split(/,|%2C/i);
      const known = PARTS.filter((part) => parts.includes(part));
      if (parts.length === known.length) return known;
      return wrong.add(key, `some of ${PARTS.join(', ')}`, text);
    },
  },
  lock: yes,
  play: yes,
};
const KEYS = Object.keys(ROWS) as (keyof Look)[];

/** Whether a key belongs to the look. */
export const isViewKey = (key: string): boolean => Object.hasOwn(ROWS, key);

/** The fields of a look. */
export function writeView(view: LinkView): string[] {
  const write = <K extends keyof Look>(key: K): string[] => {
    const value: Look[K] | undefined = view[key];
    const text = value === undefined ? null : ROWS[key].write(value);
    return text === null ? [] : [`${key}=${text}`];
  };
  return KEYS.flatMap(write);
}

/** Reads the look. */
export function readView(fields: Fields, catalog: Catalog, wrong: Complaints): LinkView {
  const view: LinkView = {};
  const read = <K extends keyof Look>(key: K): void => {
    const text = fields.get(key);
    const value = text === undefined ? undefined : ROWS[key].read(text, { key, catalog, wrong });
    if (value !== undefined) view[key] = value;
  };
  KEYS.forEach(read);
  return view;
}
