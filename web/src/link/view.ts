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

/** Everything about the look; what the link leaves out stays as it is. */
export interface LinkView {
  /** Position of the lane, from 0. */
  lane?: number;
  thread?: string;
  /** Simulated ns per second. */
  speed?: number;
  /** Position of the only lane that changes are made in, from 0. */
  edit?: number;
  tab?: TimelineTab;
  /** Label of the column that the tab of values shows. */
  value?: string;
  /** Kind that the list of decisions shows. */
  kind?: string;
  seen?: Seen;
  /** The marked span, in ns. */
  sums?: { readonly fromNs: number; readonly toNs: number };
  /** Ids of measures, which the page knows; `measure` may be an expression. */
  measure?: string;
  own?: string;
  price?: string;
  embed?: boolean;
  show?: View;
  hide?: readonly Part[];
  lock?: boolean;
  play?: boolean;
}

/** Fields that are names. */
const NAMES = ['tab', 'value', 'kind', 'measure', 'own', 'price'] as const;
const EXPRESSIONS: readonly string[] = ['measure', 'own'];

const KEYS: ReadonlySet<string> = new Set([
  'lane',
  'thread',
  'speed',
  'edit',
  'tab',
  'value',
  'kind',
  'seen',
  'sums',
  'measure',
  'own',
  'price',
  'embed',
  'show',
  'hide',
  'lock',
  'play',
]);

/** Whether a key belongs to the look. */
export function isViewKey(key: string): boolean {
  return KEYS.has(key);
}

/** The fields of a look. */
export function writeView(view: LinkView): string[] {
  const out: string[] = [];
  if (view.lane !== undefined) out.push(`lane=${String(view.lane + 1)}`);
  if (view.thread !== undefined) out.push(`thread=${encoded(view.thread)}`);
  if (view.speed !== undefined) out.push(`speed=${String(view.speed / 1e6)}`);
  if (view.edit !== undefined) out.push(`edit=${String(view.edit + 1)}`);
  for (const key of NAMES) {
    const name = view[key];
    if (name !== undefined) out.push(`${key}=${encoded(name)}`);
  }
  const { seen, sums } = view;
  if (seen) {
    const { fromNs: from, spanNs } = seen;
    const last = writeTime((from ?? 0) + spanNs);
    out.push(`seen=${from === null ? '' : `${writeTime(from)}-`}${last}`);
  }
  if (sums) out.push(`sums=${writeTime(sums.fromNs)}-${writeTime(sums.toNs)}`);
  if (view.embed) out.push('embed=1');
  if (view.show !== undefined && view.show !== 'all') out.push(`show=${view.show}`);
  if (view.hide && view.hide.length > 0) out.push(`hide=${view.hide.join(',')}`);
  if (view.lock) out.push('lock=1');
  if (view.play) out.push('play=1');
  return out;
}

/** Two times, or one, in ms. */
function readSpan(
  key: string,
  text: string | undefined,
  catalog: Catalog,
  wrong: Complaints,
): readonly [number | null, number] | undefined {
  if (text === undefined) return undefined;
  const { max } = rangeOf(catalog, 'end.atNs', 'ns');
  const [first = '', second] = text.split('-', 2);
  const from = second === undefined ? null : readTime(key, first, 0, max, wrong);
  const to = from === undefined ? undefined : readTime(key, second ?? first, 0, max, wrong);
  if (from === undefined || to === undefined) return undefined;
  if (to > (from ?? 0)) return [from, to];
  return wrong.add(key, 'a time and a later one in ms', text);
}

/** Reads which span is shown and which columns and kinds. */
function readPast(fields: Fields, catalog: Catalog, wrong: Complaints): LinkView {
  const view: LinkView = {};
  const tab = fields.get('tab');
  if (tab !== undefined) {
    const found = readWord('tab', tab, TIMELINE_TABS, wrong);
    if (found !== undefined) view.tab = found as TimelineTab;
  }
  const edit = fields.get('edit');
  if (edit !== undefined) {
    const value = readWhole('edit', edit, rangeOf(catalog, 'schedulers', ''), wrong);
    if (value !== undefined) view.edit = value - 1;
  }
  for (const key of NAMES.slice(1) as ('value' | 'kind' | 'measure' | 'own' | 'price')[]) {
    const name = decoded(fields.get(key) ?? '');
    const longest = EXPRESSIONS.includes(key) ? MAX_EXPRESSION : MAX_NAME;
    if (name === null || name.length > longest)
      wrong.say(`In the link, ${key} is not a name. It is left out.`);
    else if (name !== '') view[key] = name;
  }
  const seen = readSpan('seen', fields.get('seen'), catalog, wrong);
  if (seen) view.seen = { fromNs: seen[0], spanNs: seen[1] - (seen[0] ?? 0) };
  const sums = readSpan('sums', fields.get('sums'), catalog, wrong);
  if (sums) view.sums = { fromNs: sums[0] ?? 0, toNs: sums[1] };
  return view;
}

/** Reads the look. */
export function readView(fields: Fields, catalog: Catalog, wrong: Complaints): LinkView {
  const view = readPast(fields, catalog, wrong);
  const lane = fields.get('lane');
  if (lane !== undefined) {
    const value = readWhole('lane', lane, rangeOf(catalog, 'schedulers', ''), wrong);
    if (value !== undefined) view.lane = value - 1;
  }
  const thread = fields.get('thread');
  if (thread !== undefined) {
    const name = decoded(thread);
    if (name !== null && name.length <= MAX_THREAD) view.thread = name;
    else wrong.say('In the link, thread is not the name of a thread. Nothing is selected.');
  }
  const speed = fields.get('speed');
  if (speed !== undefined) {
    const ns = Math.round(Number(speed) * 1e6);
    if (/^\d{1,6}(\.\d{1,6})?$/.test(speed) && ns >= SPEED_NS[0] && ns <= SPEED_NS[1])
      view.speed = ns;
    else wrong.add('speed', 'from 0.001 to 100000 ms per second', speed);
  }
  const show = fields.get('show');
  if (show !== undefined) {
    const found = readWord('show', show, VIEWS, wrong);
    if (found !== undefined) view.show = found as View;
  }
  const hide = fields.get('hide');
  if (hide !== undefined) {
    const parts = hide.split(/,|%2C/i);
    const known = PARTS.filter((p) => parts.includes(p));
    if (parts.length === known.length) view.hide = known;
    else wrong.add('hide', `some of ${PARTS.join(', ')}`, hide);
  }
  for (const key of ['embed', 'lock', 'play'] as const) {
    const text = fields.get(key);
    if (text === '1') view[key] = true;
    else if (text !== undefined && text !== '0') wrong.add(key, '0 or 1', text);
  }
  return view;
}
