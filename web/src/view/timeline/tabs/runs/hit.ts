/** The target at a place of a timeline, in data and in words. */
import { duration, percent } from '../../../../lib/format';
import type { Slice } from '../../../../sim/history';
import type { Past } from '../../../../sim/protocol';
import { type Axis, LABEL_WIDTH, nsAt } from '../../axis';
import { cpuAt, type Rows } from '../../rows';
import { firstAfter, type Slices } from '../../slices';
import { NOBODY as ALL, WORDS } from './stretches';

/** A CPU at a time. */
export interface Hit {
  readonly cpu: number;
  readonly ns: number;
  /** The thread that had it, or had most of it. */
  readonly task: number | null;
  /** Its slice, if single slices are known. */
  readonly slice: Slice | null;
  /** For how long. */
  readonly span: string;
}

/** The thread that had the CPU at a place; null beside the rows, and where nothing is known. */
export function hit(
  axis: Axis,
  rows: Rows,
  { x, y }: { x: number; y: number },
  slices: Slices | null,
  stretches: (Past & { kind: 'stretches' }) | null,
  nowNs: number,
): Hit | null {
  const ns = nsAt(axis, x);
  const cpu = cpuAt(rows, y);
  if (cpu === null || x < LABEL_WIDTH) return null;
  const list = slices?.[cpu];
  if (list) {
    const slice = list[firstAfter(list, ns)];
    if (!slice || slice.from > ns) return { cpu, ns, task: null, slice: null, span: 'idle' };
    if (slice.task < 0) return { cpu, ns, task: null, slice, span: 'idle' };
    const { lockNs, switchNs, refillNs } = slice.cost;
    const costs = [
      [lockNs, 'waiting for locks'],
      [switchNs, 'switching'],
      [refillNs, 'refilling caches'],
    ] as const;
    const cost = costs
      .filter(([ns]) => ns > 0)
      .map(([ns, what]) => `, ${duration(ns)} ${what}`)
      .join('');
    const length = duration(Math.min(slice.to, nowNs) - slice.from);
    return { cpu, ns, task: slice.task, slice, span: `for ${length}${cost}` };
  }
  if (!stretches) return null;
  const { words, lengthNs } = stretches;
  const first = (Math.floor((ns - stretches.fromNs) / lengthNs) * rows.top.length + cpu) * WORDS;
  const task = words[first] ?? ALL;
  const length = duration(lengthNs);
  if (task === ALL) return { cpu, ns, task: null, slice: null, span: `idle for ${length}` };
  const part = (k: number) => percent((words[first + k] ?? 0) / ALL);
  const span = `${part(1)} of ${length}; busy ${part(4)}, overhead ${part(5)}`;
  return { cpu, ns, task, slice: null, span };
}
