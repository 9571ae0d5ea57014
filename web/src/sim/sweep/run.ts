/** A run as the core writes it, and the scenario that it stands for. */
import { withFittingGuide } from '../guide';
import type { Scenario } from '../types/Scenario';
import type { SchedulerChoice } from '../types/SchedulerChoice';

/** One scheduler on one variation of a shipped scenario; `experiment/run.rs` of the core. */
export interface Run {
  /** Words separated by `/`, the experiment first. */
  readonly key: string;
  readonly scenario: string;
  readonly scheduler: SchedulerChoice;
  /** JSON pointers and values. */
  readonly set: readonly (readonly [string, unknown])[];
  readonly probe: string;
  readonly at: readonly number[];
}

type Place = Record<string, unknown>;

/** Puts a value where a pointer leads; objects that are missing on the way are made. */
function put(root: Place, pointer: string, value: unknown): void {
  const keys = pointer.split('/').slice(1);
  const last = keys.pop();
  if (last === undefined) throw new Error(`${pointer} must begin with /`);
  let at = root;
  for (const key of keys) {
    at[key] ??= {};
    at = at[key] as Place;
  }
  at[last] = value;
}

/** A scenario with values put at JSON pointers, and with as much of its guide as fits them. */
export function withValues(
  base: Scenario,
  set: readonly (readonly [pointer: string, value: unknown])[],
): Scenario {
  const made = structuredClone(base);
  for (const [pointer, value] of set) put(made as unknown as Place, pointer, value);
  return withFittingGuide(made, base);
}

/** The scenario of a run, made from the shipped one. */
export function scenarioOf(run: Run, base: Scenario): Scenario {
  const one = withFittingGuide({ ...base, schedulers: [run.scheduler] }, base);
  return withValues(one, run.set);
}

/** A change to all runs that it applies to: what if. */
export interface WhatIf {
  readonly label: string;
  /** Tunables by scheduler. */
  readonly tunables?: Readonly<Record<string, Readonly<Record<string, number | boolean>>>>;
  /** Other eras by scheduler. */
  readonly eras?: Readonly<Record<string, string>>;
  /** Other values in the scenario. */
  readonly set?: readonly (readonly [string, unknown])[];
}

/** The run, changed. */
export function changed(run: Run, what: WhatIf | null): Run {
  if (!what) return run;
  const { id } = run.scheduler;
  const scheduler = { ...run.scheduler };
  const tunables = what.tunables?.[id];
  if (tunables) scheduler.tunables = { ...scheduler.tunables, ...tunables };
  const era = what.eras?.[id];
  if (era !== undefined) scheduler.era = era;
  return { ...run, scheduler, set: [...run.set, ...(what.set ?? [])] };
}
