/** What the first scenario of Start shows is its run's, in the real core. */
import { expect, it, vi } from 'vitest';
import { FrameSchema, Frame } from '../../sim/frame';
import { realCore } from '../../sim/test-core';
import { BUDGET_MS } from '../../sim/parts';
import { TestWorker } from '../../sim/test-worker';
import type { Catalog } from '../../sim/types/Catalog';
import { Preview } from '../../state/preview.svelte';
import { saySharing } from '../machine/sharing';
import { findingOf, paceOf } from './finding';
import { plansOf } from './plans';

const CATALOG = JSON.parse(realCore.catalog()) as Catalog;

it('the first scenario stands where two jobs share a core, with the numbers of its run', async () => {
  const [[id, plan] = []] = plansOf(CATALOG);
  if (!id || !plan) throw new Error('no scenario');
  const preview = new Preview(() => new TestWorker());
  preview.want([plan]);
  preview.open();
  const shot = await vi.waitUntil(() => preview.shots.get(id), 10_000);
  preview.close();
  const { lane, others, nowNs } = shot;
  const finding = findingOf(lane);
  if (!finding?.ghost) throw new Error('nothing is found');
  const { sharing, ghost, empty } = finding;
  const [shared] = sharing.shared;
  expect(saySharing(lane, sharing)).toBe(
    `jobs 1 and 3 share core ${String(shared?.core)} · core ${String(empty.core)} idle`,
  );
  // It left the idle core, which has had no job since.
  expect(shared?.tasks).toContain(ghost.task);
  expect(lane.tree.core[ghost.cpu]).toBe(empty.core);
  expect(empty.fromNs).toBe(ghost.move?.atNs);
  expect(nowNs - empty.fromNs).toBeGreaterThan(plan.speed / 5);

  // The same runs without Start: the work that jobs do in the next 100 µs.
  const STEP_NS = 100_000;
  const core = realCore.plan(JSON.stringify(plan.scenario));
  const alone = [lane, ...others].map((shown, i) => {
    const run = core.lane(i);
    const schema = new FrameSchema(CATALOG, shown.scheduler);
    const doneAt = (ns: number) => {
      while (run.now() < ns) run.advance(ns, 10_000);
      const done = new Frame(schema, run.frame()).task('workNs');
      return done.reduce((sum, all, task) => sum + (shown.isBackground(task) ? 0 : all), 0);
    };
    const before = doneAt(nowNs);
    return (doneAt(nowNs + STEP_NS) - before) / STEP_NS;
  });
  const [told = 0, byHand = 0] = [lane, ...others].map(paceOf);
  expect(told).toBeCloseTo(alone[0] ?? 0, 3);
  expect(byHand).toBeCloseTo(alone[1] ?? 0, 3);
  expect(told).toBeLessThan(byHand);
  expect(others.map(({ scheduler }) => scheduler)).toEqual(['manual']);
});

it('stands at the same moment on a computer that is busy', async () => {
  const [[id, plan] = []] = plansOf(CATALOG);
  if (!id || !plan) throw new Error('no scenario');
  const shown = async (clock: () => number) => {
    const preview = new Preview(() => new TestWorker(undefined, clock));
    preview.want([plan]);
    preview.open();
    const shot = await vi.waitUntil(() => preview.shots.get(id), 20_000);
    preview.close();
    return shot.nowNs;
  };
  let ms = 0;
  // A few looks at this clock, and the time for one answer is over.
  const busy = () => (ms += BUDGET_MS / 16);
  expect(await shown(busy)).toBe(await shown(() => performance.now()));
});

it('is shown of every scenario that stands at a moment, so that the next one has its turn', async () => {
  const plans = [...plansOf(CATALOG).values()].filter(({ on = 0 }) => on > 0);
  expect(plans.length).toBeGreaterThan(2);
  const preview = new Preview(() => new TestWorker());
  preview.want(plans);
  preview.open();
  await vi.waitUntil(() => plans.every(({ id }) => preview.shots.has(id)), 20_000);
  preview.close();
}, 30_000);

it('is shown, too, when the first worker breaks before its picture', async () => {
  const [[id, plan] = []] = plansOf(CATALOG);
  if (!id || !plan) throw new Error('no scenario');
  const workers: TestWorker[] = [];
  const preview = new Preview(() => {
    const worker = new TestWorker();
    workers.push(worker);
    return worker;
  });
  preview.want([plan]);
  preview.open();
  workers[0]?.onerror?.({ message: 'gone', preventDefault: () => undefined } as ErrorEvent);
  await vi.waitUntil(() => preview.shots.get(id), 10_000);
  expect(workers).toHaveLength(2);
  // It does not try for ever.
  for (let i = 1; i < 5; i += 1)
    workers[i]?.onerror?.({ message: 'gone', preventDefault: () => undefined } as ErrorEvent);
  expect(workers).toHaveLength(3);
  preview.close();
});
