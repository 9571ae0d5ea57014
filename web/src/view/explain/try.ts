/** The changes that a card offers after a decision. Pure functions. */
import type { DecisionView } from '../../sim/types/DecisionView';
import type { ParamSpec } from '../../sim/types/ParamSpec';
import type { Scenario } from '../../sim/types/Scenario';
import type { LaneState } from '../../state/lane.svelte';
import { type Limit, limitAt, MILLI_CPUS, milliCpus } from '../../state/limit';
import { namesOf } from '../schedulers/folder';

/** A tunable, and its other value. */
export interface Offer {
  readonly spec: ParamSpec;
  readonly to: number;
}

/** The offer; null where the reason names none, or the value is the present one or out of range. */
export function changeAfter(
  lane: Pick<LaneState, 'entry' | 'present' | 'scheduler'>,
  eraId: string | undefined,
  { operands, reason }: Pick<DecisionView, 'operands' | 'reason'>,
): Offer | null {
  const found = namesOf(lane.scheduler, reason).try;
  const to = operands.find(({ name }) => name === found?.to)?.value;
  const eras = lane.entry?.eras ?? [];
  const era = eras.find(({ id }) => id === eraId) ?? eras[0];
  const spec = era?.tunables.find(({ id }) => id === found?.tunable);
  if (to === undefined || spec?.kind.type !== 'int') return null;
  const { default: own, max, min } = spec.kind;
  const now = Number(lane.present.tunables[spec.id] ?? own);
  return to >= min && to <= max && to !== now ? { spec, to } : null;
}

/** A control group that has used its time, and two other limits for it: more CPUs, or a shorter period. */
export interface LimitOffer {
  readonly name: string;
  readonly limit: Limit;
  readonly cpus: number;
  readonly periodUs: number;
}

/** A period in which a thread stands still for a moment only. */
const SHORT_US = 10_000;

/** The other limits; null where the decision is not about a control group that has one at that time. */
export function limitsAfter(
  scenario: Pick<Scenario, 'cgroups' | 'edits'>,
  { operands }: Pick<DecisionView, 'operands'>,
  ns: number,
): LimitOffer | null {
  const name = operands.find(({ unit }) => unit === 'cgroup')?.named;
  const limit = name === undefined ? null : limitAt(scenario, name, ns);
  const milli = limit && milliCpus(limit);
  if (name === undefined || !limit || milli === null) return null;
  return { name, limit, cpus: Math.floor(milli / MILLI_CPUS) + 2, periodUs: SHORT_US };
}
