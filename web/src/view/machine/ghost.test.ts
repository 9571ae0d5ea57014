/** The mark of the place that a thread had to leave. */
import { expect, it } from 'vitest';
import { openLab } from '../../state/test-lab';
import { chainOf } from '../explain/chain';
import { ghostOf } from './ghost';
import { leadToMoments } from './leading';

it('a ghost stands where the thread of an open answer was, until somebody takes the place', async () => {
  const lab = await openLab('s.bfs-smt');
  const stop = leadToMoments(lab);
  const [lane] = lab.run.lanes;
  await lab.steps.toMoment();
  const { sight } = lab.moment;
  if (!lane || !sight) throw new Error('no moment');
  const chain = await chainOf(lab.run, lane, await lab.run.explain(lane.index, sight.asked.of));
  stop();
  if (!chain) throw new Error('no answer');
  const { task, cpu } = chain.main;
  const told = { lane: lane.index, task, cpu, left: chain.left, tasks: [] };
  // At that moment a daemon has it, then nobody.
  for (const afterNs of [0, 5_000_000]) {
    await lab.playback.seek(chain.main.atNs + afterNs);
    expect(ghostOf(told, lane)).toMatchObject({ task, cpu: 1, move: { from: 1, to: cpu, task } });
  }
  expect(ghostOf({ ...told, lane: 1 }, lane)).toBeNull();
  expect(ghostOf({ ...told, left: null }, lane)).toBeNull();
  expect(ghostOf(null, lane)).toBeNull();
  // A job runs there.
  expect(ghostOf({ ...told, left: 0 }, lane)).toBeNull();
  // The thread itself has gone on.
  expect(ghostOf({ ...told, cpu: 7 }, lane)).toBeNull();
});
