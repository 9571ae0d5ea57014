/** The change that a card offers after a decision. Pure functions. */
import type { DecisionView } from '../../sim/types/DecisionView';
import type { ParamSpec } from '../../sim/types/ParamSpec';
import type { LaneState } from '../../state/lane.svelte';
import { folderOf } from '../schedulers/folder';

/** A tunable, and its other value. */
export interface Offer {
  readonly spec: ParamSpec;
  readonly to: number;
}

/** The offer; null where the folder names none, or the value is the present one or out of range. */
export function changeAfter(
  lane: Pick<LaneState, 'entry' | 'present' | 'scheduler'>,
  eraId: string | undefined,
  { operands, reason }: Pick<DecisionView, 'operands' | 'reason'>,
): Offer | null {
  const found = folderOf(lane.scheduler).queue.tries?.[reason];
  const to = operands.find(({ name }) => name === found?.to)?.value;
  const eras = lane.entry?.eras ?? [];
  const era = eras.find(({ id }) => id === eraId) ?? eras[0];
  const spec = era?.tunables.find(({ id }) => id === found?.tunable);
  if (to === undefined || spec?.kind.type !== 'int') return null;
  const { default: own, max, min } = spec.kind;
  const now = Number(lane.present.tunables[spec.id] ?? own);
  return to >= min && to <= max && to !== now ? { spec, to } : null;
}
