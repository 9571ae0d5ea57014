/** What made a thread leave its CPU before it moved: the first of two causes of a move. */
import type { History } from '../../sim/history';
import { UNKNOWN } from '../../sim/trace';

/** Who took the CPU that a thread had, and by which decision. */
export interface Displaced {
  readonly cpu: number;
  readonly by: number;
  readonly decision: number;
}

/** Looks for the CPU on which a thread ran before a time, and for who took it at once. Who has slept since was not displaced. */
export function displacedBefore(
  { slices, wakes }: Pick<History, 'slices' | 'wakes'>,
  task: number,
  beforeNs: number,
): Displaced | null {
  let found: { readonly cpu: number; readonly at: number; readonly to: number } | null = null;
  for (const [cpu, row] of slices.entries()) {
    const at = row.findLastIndex((s) => s.task === task && s.to <= beforeNs);
    const to = row[at]?.to ?? -1;
    if (at >= 0 && (!found || to > found.to)) found = { cpu, at, to };
  }
  if (!found) return null;
  const { to } = found;
  if (wakes.some((w) => w.task === task && w.atNs > to && w.atNs <= beforeNs)) return null;
  const next = slices[found.cpu]?.[found.at + 1];
  const isAtOnce = next !== undefined && next.from === found.to && next.task >= 0;
  if (!isAtOnce || next.decision < 0 || next.decision === UNKNOWN) return null;
  return { cpu: found.cpu, by: next.task, decision: next.decision };
}
