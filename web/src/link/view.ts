/**
 * How the page is to look, in a link: what is selected, how fast it plays, and for pages that embed
 * it (slides, courses) what is shown at all.
 *
 *     lane=2       lane that is looked at, in an embedded page the only one
 *     thread=…     selected thread
 *     speed=20     ms of simulated time per second
 *     embed=1      without bar and panels
 *     show=…       of an embedded page: machine, timeline, all
 *     hide=…       by comma: setup, inspect, transport, bar
 *     lock=1       nothing can be changed; time can
 *     play=1       plays at once
 */
import type { Catalog } from '../sim/types/Catalog';
import { decoded, encoded, type Fields } from './fields';
import { type Complaints, rangeOf, readWhole, readWord } from './values';

/** Parts of the page that a link can hide. */
export const PARTS = ['bar', 'setup', 'inspect', 'transport'] as const;
export type Part = (typeof PARTS)[number];

/** Views of an embedded page. */
export const VIEWS = ['all', 'machine', 'timeline'] as const;
export type View = (typeof VIEWS)[number];

/** Slowest and fastest speed in ns per second. */
const SPEED_NS = [1_000, 100_000_000_000] as const;
const MAX_THREAD = 100;

/** Everything about the look; what is not said is left as it is. */
export interface LinkView {
  /** Position of the lane, from 0. */
  lane?: number;
  thread?: string;
  /** Simulated ns per second. */
  speed?: number;
  embed?: boolean;
  show?: View;
  hide?: readonly Part[];
  lock?: boolean;
  play?: boolean;
}

const KEYS: ReadonlySet<string> = new Set([
  'lane',
  'thread',
  'speed',
  'embed',
  'show',
  'hide',
  'lock',
  'play',
]);

/** Whether a key says something about the look. */
export function isViewKey(key: string): boolean {
  return KEYS.has(key);
}

/** The fields of a look. */
export function writeView(view: LinkView): string[] {
  const out: string[] = [];
  if (view.lane !== undefined) out.push(`lane=${String(view.lane + 1)}`);
  if (view.thread !== undefined) out.push(`thread=${encoded(view.thread)}`);
  if (view.speed !== undefined) out.push(`speed=${String(view.speed / 1e6)}`);
  if (view.embed) out.push('embed=1');
  if (view.show !== undefined && view.show !== 'all') out.push(`show=${view.show}`);
  if (view.hide && view.hide.length > 0) out.push(`hide=${view.hide.join(',')}`);
  if (view.lock) out.push('lock=1');
  if (view.play) out.push('play=1');
  return out;
}

/** Reads the look. */
export function readView(fields: Fields, catalog: Catalog, wrong: Complaints): LinkView {
  const view: LinkView = {};
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
