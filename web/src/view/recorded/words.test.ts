import { describe, expect, it } from 'vitest';
import type { Compared } from '../../sim/trace-file/protocol';
import {
  sayDifference,
  sayFarthest,
  sayLate,
  sayMachine,
  sayOthers,
  saySettings,
  sayShare,
  sayTypical,
} from './words';

describe('a run for real beside the model, in the words of `timeslice compare`', () => {
  const estimate = (mean: number, half: number | null = null) => ({ mean, half });
  const compared = {
    about: {
      release: '6.18.44',
      processor: 'a processor',
      online: 2,
      hz: 250,
      preemption: 'none',
      baseSliceNs: 1_400_000,
      virtual: true,
    },
    cpus: [1],
    repeats: 5,
    ns: 3e9,
    foreign: 0.043,
    stolen: 0.006,
    isDisturbed: false,
    scheduler: 'eevdf',
    era: '6.18',
    rows: [],
    farthest: 0.0003,
  } satisfies Compared;

  it('has shares with their interval where there are several repeats', () => {
    expect(sayShare(estimate(0.753, 0.0002))).toBe('0.7530 ± 0.0002');
    expect(sayShare(estimate(0.753))).toBe('0.7530');
    expect(sayShare(null)).toBe('–');
    expect(sayDifference({ here: estimate(0.753), model: estimate(0.7533) })).toBe('−0.0003');
    expect(sayDifference({ here: estimate(0.77), model: estimate(0.75) })).toBe('+0.0200');
    expect(sayDifference({ here: null, model: estimate(1) })).toBe('–');
  });

  it('has the usual lengths', () => {
    const typical = [
      [12, 0.94],
      [16, 0.06],
    ] as const;
    const said = sayTypical({ count: 9, typical });
    expect(said.replaceAll('\u{a0}', ' ')).toBe('12 ms 94 %, 16 ms 6 %');
    expect(sayTypical({ count: 9, typical: [] })).toBe('9 of all lengths');
    expect(sayTypical({ count: 0, typical: [] })).toBe('none');
    expect(sayLate({ count: 9, typical: [], median: estimate(17_400, 900) })).toBe('17 ± 1');
  });

  it('says what the machine is, what others had, and which share is farthest', () => {
    expect(sayMachine(compared.about)).toBe('Linux 6.18.44 on a processor (virtual), 2 CPUs');
    expect(saySettings(compared.about)).toBe(
      'HZ 250 · base slice 1.40 ms · preemption none · autogroup not readable',
    );
    expect(sayOthers(compared)).toBe(
      'had 4.3 % of the time of these CPUs (0.6 % the host): little enough for turns and waits',
    );
    expect(sayOthers({ ...compared, isDisturbed: true })).toContain('shares are good');
    expect(sayFarthest(compared, 0.005)).toContain('no share differs by more than 0.005');
    expect(sayFarthest({ ...compared, farthest: 0.02 }, 0.005)).toContain('which is more');
  });
});
