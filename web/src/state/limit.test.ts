import { expect, it } from 'vitest';
import type { Scenario } from '../sim/types/Scenario';
import { limitAt, limitedAt, milliCpus, toLimit, toPeriod } from './limit';

const group = { burstUs: 0, periodUs: 100_000 };
const scenario: Pick<Scenario, 'cgroups' | 'edits'> = {
  cgroups: { web: { ...group, quotaUs: 50_000 }, batch: group },
  edits: [
    { atNs: 10, set: { 'cgroups.web.quotaUs': 20_000 } },
    { atNs: 20, set: { 'cgroups.web.periodUs': 10_000 } },
    { atNs: 30, set: { 'cgroups.web.quotaUs': null } },
  ],
};

it('a limit is that of the scenario and of the edits up to a time', () => {
  const at = (ns: number) => limitAt(scenario, 'web', ns);
  expect(at(9)).toEqual({ quotaUs: 50_000, periodUs: 100_000 });
  expect(at(10)).toEqual({ quotaUs: 20_000, periodUs: 100_000 });
  expect(at(20)).toEqual({ quotaUs: 20_000, periodUs: 10_000 });
  expect(at(30)).toEqual({ quotaUs: null, periodUs: 10_000 });
  expect(limitAt(scenario, 'nobody', 0)).toBeNull();
  expect([limitedAt(scenario, 0), limitedAt(scenario, 30)]).toEqual([['web'], []]);
});

it('a limit is a number of CPUs, and a period leaves it', () => {
  const half = { quotaUs: 50_000, periodUs: 100_000 };
  expect([milliCpus(half), milliCpus({ ...half, quotaUs: null })]).toEqual([500, null]);
  expect(toLimit('web', half, 2_000)).toEqual({ set: 'cgroups.web.quotaUs', to: 200_000 });
  expect(toLimit('web', half, null)).toEqual({ set: 'cgroups.web.quotaUs' });
  expect(toPeriod('web', half, 10_000)).toEqual([
    { set: 'cgroups.web.periodUs', to: 10_000 },
    { set: 'cgroups.web.quotaUs', to: 5_000 },
  ]);
  // The kernel takes no quota below 1 ms.
  expect(toLimit('web', half, 1)).toEqual({ set: 'cgroups.web.quotaUs', to: 1_000 });
  expect(toPeriod('web', { ...half, quotaUs: null }, 5_000)).toHaveLength(1);
});
