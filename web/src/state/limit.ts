/** Limits of control groups: what may be used of each period, and what a change sets. Pure functions. */
import { pathOf } from '../sim/property/path';
import { settingOf } from '../sim/property/edit';
import type { Scenario } from '../sim/types/Scenario';
import { type Change, toSet } from './editing/change';

/** CPU time that a control group may use of each period, in µs; null for no limit. */
export interface Limit {
  readonly quotaUs: number | null;
  readonly periodUs: number;
}

/** A CPU in thousandths, as containers say their limits. */
export const MILLI_CPUS = 1_000;

/** The least time that a quota or a period has, in µs. */
const LEAST_US = 1_000;

type Limited = Pick<Scenario, 'cgroups' | 'edits'>;

/** The limit of a control group at a time; null if there is no such group. */
export function limitAt({ cgroups, edits }: Limited, name: string, ns: number): Limit | null {
  const group = cgroups?.[name];
  if (!group) return null;
  const [quota, period] = ['quotaUs', 'periodUs'].map((field) => {
    const path = pathOf(['cgroups', name, field]);
    const set = edits.filter(({ atNs }) => atNs <= ns).map(settingOf);
    return set.findLast((setting) => setting?.path === path);
  });
  return {
    quotaUs: quota ? (quota.value as number | null) : (group.quotaUs ?? null),
    periodUs: period ? Number(period.value) : group.periodUs,
  };
}

/** The control groups that have a limit at a time, by name. */
export const limitedAt = (scenario: Limited, ns: number): readonly string[] =>
  Object.keys(scenario.cgroups ?? {}).filter(
    (name) => (limitAt(scenario, name, ns)?.quotaUs ?? null) !== null,
  );

/** How many CPUs a limit allows, in thousandths; null for no limit. */
export const milliCpus = ({ quotaUs, periodUs }: Limit): number | null =>
  quotaUs === null ? null : Math.round((quotaUs / periodUs) * MILLI_CPUS);

const quotaFor = (milli: number, periodUs: number) =>
  Math.max(LEAST_US, Math.round((milli / MILLI_CPUS) * periodUs));

/** The change that lets a control group use so many thousandths of a CPU; null: as many as it finds. */
export const toLimit = (name: string, { periodUs }: Limit, milli: number | null): Change =>
  toSet(['cgroups', name, 'quotaUs'], milli === null ? undefined : quotaFor(milli, periodUs));

/** The changes that give it another period and leave its share of the CPUs. */
export function toPeriod(name: string, limit: Limit, periodUs: number): readonly Change[] {
  const milli = milliCpus(limit);
  const period = toSet(['cgroups', name, 'periodUs'], periodUs);
  if (milli === null) return [period];
  return [period, toSet(['cgroups', name, 'quotaUs'], quotaFor(milli, periodUs))];
}
