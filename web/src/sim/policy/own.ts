/** Own policies: a scheduler that its user writes. Only the second package of the core runs them; it is loaded when needed. */
import { settingOf } from '../property/edit';
import { pathOf } from '../property/path';
import type { Catalog } from '../types/Catalog';
import type { Property } from '../types/Property';
import type { Scenario } from '../types/Scenario';
import type { SchedulerChoice } from '../types/SchedulerChoice';
import type { SchedulerEntry } from '../types/SchedulerEntry';

/** Id of the scheduler in scenarios. */
export const OWN = 'own';

/** Most bytes of a program, as the core allows them. */
export const MOST_BYTES = 16_384;

/** A policy of the textbook: the page's words for an era of the scheduler. */
interface Textbook {
  readonly id: string;
  readonly label: string;
  readonly summary: string;
}

/** The eras, as the second package has them. A test compares both. */
export const TEXTBOOK: readonly Textbook[] = [
  {
    id: 'roundRobin',
    label: 'round robin',
    summary: 'Each thread has a turn of 10 ms, then the next in line.',
  },
  {
    id: 'fifo',
    label: 'first in, first out',
    summary: 'Who runs goes on until it sleeps or ends.',
  },
  { id: 'lottery', label: 'lottery', summary: 'A draw among tickets decides each turn.' },
  { id: 'stride', label: 'stride', summary: 'Whoever has used least of its share runs next.' },
  {
    id: 'mlfq',
    label: 'feedback queue',
    summary: 'Levels: who uses its allotment sinks, and all rise again each second.',
  },
  { id: 'oneQueue', label: 'one queue', summary: 'All CPUs take from one list.' },
  {
    id: 'workStealing',
    label: 'work stealing',
    summary: 'A list for each CPU; who has nothing to do takes from another.',
  },
  {
    id: 'cfs40',
    label: 'CFS in 40 lines',
    summary: 'Who has run least, by weight, runs next, for a share of a period.',
  },
  {
    id: 'ule40',
    label: "ULE's interactivity in 40 lines",
    summary: 'Who sleeps more than it runs goes first, the others take turns.',
  },
];

/** What lists show of own policies before the second package is there. */
const ENTRY: SchedulerEntry = {
  id: OWN,
  name: 'Own policy',
  summary: 'What its user writes: a program of a few functions, or one of the textbook’s policies.',
  family: 'baseline',
  niceMax: 19,
  queueShape: 'perCpuFifo',
  eras: TEXTBOOK.map(({ id, label, summary }) => ({
    ...{ id, name: label, summary },
    ...{ year: 0, tunables: [] },
  })),
  reasons: [],
  taskColumns: [],
  cpuColumns: [],
};

/** The property that holds a program. The first package does not list it. */
const PROGRAM: Property = {
  path: 'lanes.*.program',
  label: 'program',
  summary: 'The program of an own policy.',
  kind: {
    type: 'text',
    bound: { field: 'schedulers.program', min: 1, max: MOST_BYTES, unit: 'bytes' },
  },
  when: 'live',
  default: 'that of the release',
  call: 'program',
  example: 'def pick(cpu): return cpu.waiting[0]',
};

/**
 * A catalog with own policies in it, in the words of the page. The first package knows nothing of them; what the second
 * one adds are reasons.
 */
export function withOwnPolicies(catalog: Catalog): Catalog {
  const others = catalog.schedulers.filter(({ id }) => id !== OWN);
  const reasons = catalog.schedulers.find(({ id }) => id === OWN)?.reasons ?? [];
  const rest = catalog.properties.filter(({ path }) => path !== PROGRAM.path);
  // Before the tunables, which have any name.
  const at = rest.findIndex(({ path }) => path === 'lanes.*.*');
  const properties = rest.toSpliced(at, 0, PROGRAM);
  return { ...catalog, schedulers: [...others, { ...ENTRY, reasons }], properties };
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Whether something that may be a scenario has a lane with an own policy. */
export function runsOwnPolicy(given: unknown): boolean {
  const lanes: unknown = isObject(given) && 'schedulers' in given ? given.schedulers : [];
  const isOwn = (lane: unknown) => isObject(lane) && 'id' in lane && lane.id === OWN;
  return Array.isArray(lanes) && lanes.some(isOwn);
}

/** The programs of the textbook's policies, by name of the file. */
const SOURCES = import.meta.glob<string>('../../../../sim-core/policy/templates/*.policy.py', {
  query: '?raw',
  import: 'default',
});

/** Name of the file of a textbook's policy: `round-robin`, `cfs-40`. */
export const fileOf = (era: string): string =>
  era.replaceAll(/[A-Z]|(?<=[a-z])\d/g, (sign) => `-${sign.toLowerCase()}`);

/** The program of a lane: its own, or that of the textbook's policy that it names. */
export async function programOf({ program, era }: SchedulerChoice): Promise<string> {
  if (program !== undefined) return program;
  const name = `/${fileOf(era ?? TEXTBOOK[0]?.id ?? '')}.policy.py`;
  const found = Object.entries(SOURCES).find(([path]) => path.endsWith(name));
  return (await found?.[1]()) ?? '';
}

/** A lane with the program that it runs before a time: that of the last edit that gives it one, else its own. */
export function choiceBefore(
  { schedulers, edits }: Pick<Scenario, 'schedulers' | 'edits'>,
  lane: number,
  ns = Infinity,
): SchedulerChoice | undefined {
  const choice = schedulers[lane];
  if (choice?.id !== OWN) return choice;
  const path = pathOf(['lanes', String(lane + 1), 'program']);
  const later = edits
    .filter(({ atNs }) => atNs < ns)
    .map(settingOf)
    .findLast((setting) => setting?.path === path || setting?.path === 'lanes.*.program');
  if (typeof later?.value !== 'string') return choice;
  return { id: OWN, program: later.value, tunables: choice.tunables };
}

/** What is wrong with a program: a place in its text, and a sentence. */
export interface Mistake {
  /** From 1; null where the core says no place. */
  readonly line: number | null;
  readonly column: number | null;
  readonly message: string;
}

/** The place with which a sentence of the core begins, and what follows it. */
export function placeIn(
  text: string,
): { line: number; column: number | null; rest: string } | null {
  const [whole, line, column] = /^line (\d+)(?:, column (\d+))?/.exec(text) ?? [];
  if (whole === undefined) return null;
  const at = column === undefined ? null : Number(column);
  return { line: Number(line), column: at, rest: text.slice(whole.length) };
}

/** A sentence of the core, with its place apart. */
export function mistakeOf(text: string): Mistake {
  const place = placeIn(text);
  if (!place?.rest.startsWith(': ')) return { line: null, column: null, message: text };
  const { line, column, rest } = place;
  return { line, column, message: rest.slice(2) };
}

/** Offset of a place in a text; a place behind the text is its end. */
export function offsetOf(text: string, line: number, column: number): number {
  const lines = text.split('\n');
  if (line > lines.length) return text.length;
  const before = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  return before + Math.min(column - 1, lines[line - 1]?.length ?? 0);
}
