import { describe, expect, it } from 'vitest';
import { lessonList } from '../../sim/lesson/list';
import { realCore } from '../../sim/test-core';
import type { Catalog } from '../../sim/types/Catalog';
import type { MachineTree } from '../../sim/types/MachineTree';
import { firstPlacesOf } from '../../state/first-places';
import { openLab } from '../../state/test-lab';
import {
  sayBusy,
  type Situation,
  situationBefore,
  situationFirst,
  situationOf,
  type Token,
} from './situation';

/** Four cores of two CPUs each. */
const tree = { core: [0, 0, 1, 1, 2, 2, 3, 3] } as unknown as MachineTree;

const job = (n: number): Token => ({
  task: n,
  hue: { fill: '--a', rim: '--b' },
  label: String(n),
});

/** Jobs by CPU; 0 is none. */
const withJobs = (...cpus: readonly number[]): Situation => ({
  tree,
  running: cpus.map((n) => (n === 0 ? null : job(n))),
  waiting: [],
  shares: [],
  more: 0,
});

const LESSONS = await lessonList();
const CATALOG = JSON.parse(realCore.catalog()) as Catalog;

describe('a small drawing', () => {
  it('says how many cores have a thread', () => {
    expect(sayBusy(withJobs(1, 2, 3, 0, 4, 0, 5, 0))).toBe('4 of 4 cores busy');
    expect(sayBusy(withJobs(1, 0, 0, 2, 0, 0, 0, 0))).toBe('2 of 4 cores busy');
  });

  it('has a bar for each thread while they are few, else for each group', () => {
    const names = (id: string) => {
      const entry = CATALOG.scenarios.find((s) => s.id === id);
      if (!entry) throw new Error(`no scenario ${id}`);
      return situationBefore(entry.scenario, tree).shares.map(({ name }) => name);
    };
    expect(names('s3-nice')).toEqual(['first', 'second']);
    expect(names('s2a-interactive-batch')).toEqual(['80 interactive', 'batch']);
    expect(names('bfs-smt')).toEqual(['dhry 1', 'dhry 2', 'dhry 3', 'dhry 4']);
  });

  it('says when a job comes, in place of five rows at 0 %', async () => {
    const entry = CATALOG.scenarios.find((s) => s.id === 's4-i7980x');
    if (!entry) throw new Error('no scenario');
    const { scenario } = entry;
    const before = situationBefore(scenario, tree);
    expect(before.shares.map(({ part }) => part)).toEqual([null, null, null, null]);
    expect(before.shares.map(({ fromNs }) => fromNs / 1e9)).toEqual([0, 10, 20, 30]);
    expect(before.more).toBe(8);
    const lab = await openLab('');
    await lab.openScenario(scenario, '', 0);
    await lab.run.seek(15e9, null);
    const [lane] = lab.run.lanes;
    if (!lane) throw new Error('no lane');
    const { shares } = situationOf({ lane, others: [], nowNs: 15e9 }, scenario);
    expect(shares.map(({ part }) => part?.toFixed(2))).toEqual([
      '1.00',
      '0.33',
      undefined,
      undefined,
    ]);
  });

  it('begins with all threads waiting, each with a label of its own', () => {
    for (const { scenario } of CATALOG.scenarios) {
      const machine = CATALOG.machines.find(({ spec }) => spec.id === scenario.machine);
      if (!machine) throw new Error(`no machine of ${scenario.name}`);
      const { running, waiting, shares } = situationBefore(scenario, machine.tree);
      expect(running.every((token) => token === null)).toBe(true);
      expect(waiting.length).toBe(scenario.groups.reduce((sum, g) => sum + g.count, 0));
      expect(new Set(waiting.map(({ label }) => label)).size).toBe(waiting.length);
      expect(shares.length).toBeGreaterThan(0);
      expect(shares.length).toBeLessThanOrEqual(5);
    }
  });

  it('has threads on CPUs before a run only where they will begin', async () => {
    const lessons = LESSONS.flatMap(({ scenario, number }) => {
      const machine = CATALOG.machines.find(({ spec }) => spec.id === scenario.machine);
      return machine ? [{ scenario, number, now: situationFirst(scenario, machine.tree) }] : [];
    });
    const filled = lessons.filter(({ now }) => now.running.some((token) => token !== null));
    expect(filled.map(({ number }) => number)).toEqual([1, 15]);
    for (const { scenario, now } of filled) {
      const lab = await openLab('');
      await lab.openScenario(scenario, '', 0);
      await lab.run.seek(20e6, null);
      const [lane] = lab.run.lanes;
      const first = lane && firstPlacesOf(lane);
      expect(now.running.map((token) => token?.task)).toEqual(
        now.running.map((_, cpu) => first?.onCpu.get(cpu)),
      );
      expect(now.waiting.map(({ task }) => task)).toEqual([...(first?.waits.keys() ?? [])]);
    }
  });
});
