/**
 * The page as a link. The fragment holds only what differs from a shipped scenario, in short keys
 * that people can read and change; what these cannot say travels as one packed part.
 *
 *     #v=1&x=bfs-smt&m=i7860&s=bfs:0.318,random&k=5&nice=0&ws=1024&seed=3&t=120.5
 *
 * Nothing in a link is trusted: the packed part is capped before and after inflation, known keys are
 * copied one by one, and the core checks the result. What is wrong becomes the default and a
 * sentence that names the field and what is allowed.
 */
import { messageOf } from '../lib/assert';
import { pack, unpack } from '../lib/packing';
import { MS } from '../lib/units';
import type { Catalog } from '../sim/types/Catalog';
import type { Scenario } from '../sim/types/Scenario';
import type { SchedulerChoice } from '../sim/types/SchedulerChoice';
import { withNice } from './change';
import { parseScenario } from './parse';

/** Version of the link format. */
export const LINK_VERSION = '1';
const MAX_LINK = 9 * 1024;
const MAX_NS = Number.MAX_SAFE_INTEGER;

/** What a link says. */
export interface Link {
  readonly scenario: Scenario;
  /** Shipped scenario that it started from. */
  readonly baseId: string;
  /** Time to show, or null for a moment worth showing. */
  readonly t: number | null;
  /** What was wrong with it, in sentences. */
  readonly problems: readonly string[];
}

/** A range for whole numbers in links; the core has the last word on all of them. */
const RANGES = {
  k: [1, 64],
  nice: [-20, 20],
  ws: [0, 1_073_741_824],
  seed: [0, MAX_NS],
} as const;

type NumberKey = keyof typeof RANGES;

function sameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

/** The same value with keys in alphabetical order, for comparing. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, v]) => v !== undefined);
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([k, v]) => [k, sorted(v)]),
  );
}

function writeScheduler(choice: SchedulerChoice): string {
  return choice.era === undefined ? choice.id : `${choice.id}:${choice.era}`;
}

/** Schedulers of a link; those that the base has in the same place keep their tunables. */
function readSchedulers(text: string, base: Scenario): SchedulerChoice[] {
  return text.split(',').map((part, i) => {
    const known = base.schedulers[i];
    if (known && writeScheduler(known) === part) return known;
    const [id = '', era] = part.split(':');
    return era === undefined ? { id } : { id, era };
  });
}

type Short = Partial<Record<'m' | 's' | 'k' | 'nice' | 'ws' | 'seed', string>>;

function shortKeys(scenario: Scenario, base: Scenario): Short {
  const short: Short = {};
  const first = scenario.groups[0];
  const was = base.groups[0];
  if (typeof scenario.machine === 'string' && !sameJson(scenario.machine, base.machine))
    short.m = scenario.machine;
  if (!sameJson(scenario.schedulers, base.schedulers))
    short.s = scenario.schedulers.map(writeScheduler).join(',');
  if (first && first.count !== was?.count) short.k = String(first.count);
  if (first && (first.nice ?? 0) !== (was?.nice ?? 0)) short.nice = String(first.nice ?? 0);
  if (first?.workingSetBytes !== undefined && first.workingSetBytes !== was?.workingSetBytes)
    short.ws = String(first.workingSetBytes);
  if ((scenario.seed ?? 1) !== (base.seed ?? 1)) short.seed = String(scenario.seed ?? 1);
  return short;
}

function applyShort(base: Scenario, short: Short): Scenario {
  let next: Scenario = { ...base };
  if (short.m !== undefined) next.machine = short.m;
  if (short.s !== undefined) next.schedulers = readSchedulers(short.s, base);
  if (short.seed !== undefined) next.seed = Number(short.seed);
  const [first, ...rest] = next.groups;
  if (first) {
    const group = { ...first };
    if (short.k !== undefined) group.count = Number(short.k);
    if (short.ws !== undefined) group.workingSetBytes = Number(short.ws);
    let groups = [group, ...rest];
    if (short.nice !== undefined) groups = groups.map((g) => withNice(g, Number(short.nice)));
    next = { ...next, groups };
  }
  return next;
}

function writeTime(ns: number): string {
  return (ns / MS).toFixed(6).replace(/\.?0+$/, '');
}

/** The fragment of a page, without the `#`. */
export async function writeLink(
  page: { scenario: Scenario; baseId: string; t: number },
  catalog: Catalog,
): Promise<string> {
  const base = catalog.scenarios.find((s) => s.id === page.baseId) ?? catalog.scenarios[0];
  if (!base) return '';
  const parts = [`v=${LINK_VERSION}`, `x=${encodeURIComponent(base.id)}`];
  const short = shortKeys(page.scenario, base.scenario);
  if (sameJson(applyShort(base.scenario, short), page.scenario)) {
    for (const [key, value] of Object.entries(short)) {
      parts.push(
        `${key}=${encodeURIComponent(value).replaceAll('%2C', ',').replaceAll('%3A', ':')}`,
      );
    }
  } else {
    parts.push(`z=${await pack(JSON.stringify(page.scenario))}`);
  }
  parts.push(`t=${writeTime(page.t)}`);
  return parts.join('&');
}

function readNumber(key: NumberKey, text: string, problems: string[]): string | undefined {
  const [min, max] = RANGES[key];
  if (/^-?\d{1,16}$/.test(text) && Number(text) >= min && Number(text) <= max) return text;
  const shown = text.length > 24 ? `${text.slice(0, 24)}…` : text;
  problems.push(
    `In the link, ${key} must be a whole number from ${String(min)} to ${String(max)}, not “${shown}”. The default is used.`,
  );
  return undefined;
}

function readTime(text: string | null, problems: string[]): number | null {
  if (text === null) return null;
  const ns = Math.round(Number(text) * MS);
  if (/^\d{1,10}(\.\d{1,6})?$/.test(text) && ns <= MAX_NS) return ns;
  problems.push(
    'In the link, t must be a time in ms, from 0 to 9007199254. The opening moment is shown.',
  );
  return null;
}

function readIds(given: URLSearchParams, catalog: Catalog, problems: string[]): Short {
  const short: Short = {};
  const machine = given.get('m');
  if (machine !== null) {
    const ids = catalog.machines.map((m) => m.spec.id);
    if (ids.includes(machine)) short.m = machine;
    else
      problems.push(
        `In the link, m must be one of ${ids.join(', ')}. The default machine is used.`,
      );
  }
  const schedulers = given.get('s');
  if (schedulers !== null) {
    const choices = schedulers.split(',').map((part) => part.split(':'));
    const isKnown = choices.every(([id, era]) => {
      const entry = catalog.schedulers.find((s) => s.id === id);
      return entry && (era === undefined || entry.eras.some((e) => e.id === era));
    });
    if (isKnown && choices.length <= 4) short.s = schedulers;
    else
      problems.push(
        `In the link, s must be one to four of ${catalog.schedulers.map((s) => s.id).join(', ')}. The default schedulers are used.`,
      );
  }
  return short;
}

/** Reads a fragment. Never throws for what a link holds. */
export async function readLink(fragment: string, catalog: Catalog): Promise<Link> {
  const fallback = catalog.scenarios[0];
  if (!fallback) throw new Error('the core brings no scenario');
  const problems: string[] = [];
  const text = fragment.replace(/^#/, '');
  if (text === '') return { scenario: fallback.scenario, baseId: fallback.id, t: null, problems };
  const opened = { scenario: fallback.scenario, baseId: fallback.id, t: null };
  if (text.length > MAX_LINK) {
    return {
      ...opened,
      problems: ['The link is longer than 9 kB. The default scenario is shown.'],
    };
  }
  const given = new URLSearchParams(text);
  if (given.get('v') !== LINK_VERSION) {
    return {
      ...opened,
      problems: [`In the link, v must be ${LINK_VERSION}. The default scenario is shown.`],
    };
  }
  const id = given.get('x');
  const base = catalog.scenarios.find((s) => s.id === id) ?? fallback;
  if (id !== null && base.id !== id) {
    problems.push(
      `In the link, x must be one of ${catalog.scenarios.map((s) => s.id).join(', ')}. The default scenario is used.`,
    );
  }
  const t = readTime(given.get('t'), problems);
  const packed = given.get('z');
  if (packed !== null) {
    try {
      return { scenario: parseScenario(await unpack(packed)), baseId: base.id, t, problems };
    } catch (error) {
      problems.push(`In the link, z ${reasonOf(error)}. The default is used.`);
    }
  }
  const short = readIds(given, catalog, problems);
  for (const key of Object.keys(RANGES) as NumberKey[]) {
    const value = given.get(key);
    if (value === null) continue;
    const good = readNumber(key, value, problems);
    if (good !== undefined) short[key] = good;
  }
  return { scenario: applyShort(base.scenario, short), baseId: base.id, t, problems };
}

function reasonOf(error: unknown): string {
  // Decoders of browsers have their own words; ours begin with a verb.
  const text = messageOf(error);
  return /^(is|has|unpacks|must) /.test(text) ? text : 'is damaged';
}
