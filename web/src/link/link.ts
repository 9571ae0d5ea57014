/**
 * The page as a link. The fragment says how the page differs from a shipped scenario: properties that people can read
 * and change (differences.ts). What these cannot say is packed into one part.
 *
 *     #v=2&x=bfs-smt&machine=i7860&lanes.2=random&groups.dhry.count=5&t=120.5&d=1f00aa12.77c0b3e4
 *     #s.bfs-smt     a shipped scenario as it opens
 *
 * Nothing in a link is trusted. The size of the packed part is limited before and after inflation, and known keys are
 * copied one by one. Every number is checked against the core's own table, and the core checks the result. A wrong
 * value becomes the default, with a sentence that names the field and the allowed range.
 */
import { Refused } from '../lib/refused';
import { parseScenario } from '../files/parse';
import { shortened } from '../sim/property/short';
import type { Position } from '../sim/protocol';
import type { Catalog } from '../sim/types/Catalog';
import type { Scenario } from '../sim/types/Scenario';
import { applyDifferences, isDifference, isProperty, writeDifferences } from './differences';
import { clip, encoded, type Fields, LINK_VERSION, readFields, Unreadable } from './fields';
import { MAX_PACKED, pack, unpack } from './packing';
import { Complaints, rangeOf, readTime, writeTime } from './values';
import { isViewKey, type LinkView, readView, writeView } from './view';

/** Longer words are packed if that is shorter. */
const READABLE = 400;

/** The content of a link. */
export interface Link {
  /** The scenario as far as it was written; the core checks it and fills in the rest. */
  readonly scenario: unknown;
  /** Shipped scenario that it started from. */
  readonly baseId: string;
  /** Time to show, or null for a moment worth showing. */
  readonly t: number | null;
  /** The event of a lane after which the page stood, where the time alone does not identify the moment. */
  readonly position: Position | null;
  /** Digests of the lanes at that time when the link was made, 8 digits each; empty if the link has none. */
  readonly digests: readonly string[];
  /** How the page is to look. */
  readonly view: LinkView;
  /** The browser that made the link keeps the scenario under this name, as it was too large for a link. */
  readonly kept: string | null;
  /** Problems of the link, in sentences. */
  readonly problems: readonly string[];
}

/** The content of a link. */
export interface Page {
  readonly scenario: Scenario;
  readonly baseId: string;
  readonly t: number;
  /** The last event of a lane, after a step. */
  readonly position?: Position | null;
  /** Digests of the lanes at `t`; empty where they are not known. */
  readonly digests: readonly (string | null)[];
  readonly view: LinkView;
  /** Whether this is the moment and the look with which the scenario opens by itself, if nobody changed it. */
  readonly isOpening?: boolean;
}

/** How a link is written. */
export interface Form {
  /** Without version, digests and view, for slides. */
  readonly short?: boolean;
  /** Name under which this browser keeps the scenario, for a scenario that is too large. */
  readonly kept?: string;
}

const DIGEST_DIGITS = 8;

/** The fragment of a page, without the `#`. */
export async function writeLink(page: Page, catalog: Catalog, form: Form = {}): Promise<string> {
  const base = catalog.scenarios.find((s) => s.id === page.baseId) ?? catalog.scenarios[0];
  if (!base) return '';
  const content = await writeScenario(page.scenario, base.scenario, catalog, form);
  // At any other moment, and after a change, nothing is shown by itself.
  if (page.isOpening && content.length === 0) return shippedLink(base.id);
  const view = writeView(page.view);
  const fields = form.short
    ? [encoded(base.id), ...content]
    : [`v=${String(LINK_VERSION)}`, `x=${encoded(base.id)}`, ...content];
  fields.push(`t=${writeTime(page.t)}`);
  if (form.short) return fields.join('&');
  if (page.position)
    fields.push(`ev=${String(page.position.lane + 1)}.${String(page.position.event)}`);
  fields.push(...view);
  if (page.digests.length > 0 && page.digests.every((d) => d !== null))
    fields.push(`d=${page.digests.map((d) => d.slice(0, DIGEST_DIGITS)).join('.')}`);
  return fields.join('&');
}

/** The fragment of a shipped scenario as it opens. */
export function shippedLink(id: string): string {
  return `s.${encoded(id)}`;
}

/** The fragment of a shipped scenario at a moment, with a thread of its first lane selected. */
export function momentLink(id: string, atNs: number, thread: string): string {
  const view = writeView({ lane: 0, thread });
  return [`v=${String(LINK_VERSION)}`, `x=${encoded(id)}`, `t=${writeTime(atNs)}`, ...view].join(
    '&',
  );
}

/** The fragment of a piece of work that this browser keeps, at the time at which it was left. */
export function keptLink({ id, baseId, t }: { id: string; baseId: string; t: number }): string {
  return `x=${encoded(baseId)}&t=${writeTime(t)}&kept=${id}`;
}

async function writeScenario(
  scenario: Scenario,
  base: Scenario,
  catalog: Catalog,
  { kept }: Form,
): Promise<string[]> {
  const words = writeDifferences(scenario, base, catalog);
  if (words && words.join('&').length <= READABLE) return [...words];
  const packed = await pack(JSON.stringify(shortened(scenario)));
  if (words && words.join('&').length <= packed.length) return [...words];
  if (packed.length <= MAX_PACKED) return [`z=${packed}`];
  return [`kept=${kept ?? 'none'}`];
}

/** Reads a fragment. Never throws, whatever the link holds. */
export async function readLink(fragment: string, catalog: Catalog): Promise<Link> {
  const fallback = catalog.scenarios[0];
  if (!fallback) throw new Error('the core brings no scenario');
  const nothing: Link = {
    scenario: fallback.scenario,
    baseId: fallback.id,
    t: null,
    position: null,
    digests: [],
    view: {},
    kept: null,
    problems: [],
  };
  const wrong = new Complaints();
  let fields: Fields;
  try {
    fields = readFields(fragment, wrong);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { ...nothing, problems: [`${error.message} The default scenario is shown.`] };
  }
  const id = fields.get('x');
  const base = catalog.scenarios.find((s) => s.id === id) ?? fallback;
  if (id !== undefined && base.id !== id) {
    const known = catalog.scenarios.map((s) => s.id).join(', ');
    wrong.say(
      `There is no scenario “${clip(id)}”, as the link asks for. It shows the first one; there are ${known}.`,
    );
  }
  const time = fields.get('t');
  const end = rangeOf(catalog, 'end.atNs', 'ns').max;
  const read = {
    ...nothing,
    baseId: base.id,
    t: time === undefined ? null : (readTime('t', time, 0, end, wrong) ?? null),
    position: readPosition(fields.get('ev'), wrong),
    digests: readDigests(fields.get('d'), wrong),
    view: readView(fields, catalog, wrong),
    kept: fields.get('kept')?.slice(0, 40) ?? null,
  };
  for (const said of fields.keys()) {
    const [key = '', again] = said.split('&');
    if (again !== undefined && !isProperty(key, catalog))
      wrong.say(`In the link, “${clip(key)}” stands twice. The first counts.`);
    else if (!isDifference(key, catalog) && !isViewKey(key) && !KEYS.has(key))
      wrong.say(`In the link, “${clip(key)}” is not known. It is left out.`);
  }
  const packed = fields.get('z');
  if (packed !== undefined) {
    try {
      const scenario = parseScenario(await unpack(packed));
      const beside = [...fields.keys()].filter((key) => isDifference(key, catalog)).join(', ');
      if (beside !== '')
        wrong.say(`In the link, ${clip(beside, 60)} means nothing beside z. It is left out.`);
      return { ...read, scenario, problems: wrong.list };
    } catch (error) {
      wrong.say(`In the link, z ${reasonOf(error)}. The default is used.`);
    }
  }
  const scenario = applyDifferences(base.scenario, fields, catalog, wrong);
  return { ...read, scenario, problems: wrong.list };
}

const KEYS: ReadonlySet<string> = new Set(['v', 'x', 't', 'ev', 'd', 'z', 'kept']);

function readPosition(text: string | undefined, wrong: Complaints): Position | null {
  if (text === undefined) return null;
  const [, lane, event] = /^([1-4])\.(\d{1,15})$/.exec(text) ?? [];
  if (lane !== undefined && event !== undefined)
    return { lane: Number(lane) - 1, event: Number(event) };
  wrong.add('ev', 'a lane from 1 to 4, a point and the number of an event', text);
  return null;
}

function readDigests(text: string | undefined, wrong: Complaints): readonly string[] {
  if (text === undefined) return [];
  const list = text.split('.');
  if (list.length <= 4 && list.every((d) => /^[0-9a-f]{8}$/.test(d))) return list;
  wrong.say('In the link, d must be the digests of one to four lanes. They are not compared.');
  return [];
}

/** Lanes whose digest differs from that in the link. */
export function lanesThatDiffer(link: Link, now: readonly (string | null)[]): readonly number[] {
  if (link.digests.length !== now.length) return [];
  return link.digests.flatMap((then, lane) => {
    const digest = now[lane];
    return digest == null || digest.startsWith(then) ? [] : [lane];
  });
}

function reasonOf(error: unknown): string {
  // Messages of browsers' decoders differ.
  return error instanceof Refused ? error.message : 'is damaged';
}
