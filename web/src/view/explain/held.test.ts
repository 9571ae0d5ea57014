/** W about a thread whose control group has used its CPU time. */
import { readFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { heldBy, usedOf } from '../../state/held';
import type { Lab } from '../../state/lab.svelte';
import type { LaneState } from '../../state/lane.svelte';
import { openLab } from '../../state/test-lab';
import { factsOf, paragraph } from '../a11y/describe';
import { tellTask } from '../machine/tell';
import { loadTexts } from '../schedulers/folder';
import { askAgain, askThread } from './ask';
import { chainOf } from './chain';

const MS = 1e6;
const file = `${import.meta.dirname}/../../../../scenarios/experiments/container.json`;
const link = `v=2&z=${deflateRawSync(readFileSync(file)).toString('base64url')}`;

/** The lanes at a time at which each of them stands still. */
async function standing(): Promise<readonly [Lab, readonly LaneState[]]> {
  const lab = await openLab(link);
  await lab.playback.seek(260 * MS);
  expect(lab.run.lanes.map((lane) => lane.limits[0]?.held.length ?? 0)).not.toContain(0);
  return [lab, lab.run.lanes];
}

const heldIn = (lane: LaneState): number => lane.jobs.find((task) => heldBy(lane, task)) ?? -1;

describe('a thread that a limit holds', { timeout: 60_000 }, () => {
  beforeAll(() => loadTexts());

  it('is explained by what used the time, since when it stands still, and when more comes', async () => {
    const [lab, lanes] = await standing();
    for (const lane of lanes) {
      const task = heldIn(lane);
      const name = lane.nameOf(task);
      const asked = askThread(lane, task);
      expect(asked.title).toMatch(new RegExp(`^${name} stands still since 2\\d\\d\\.`));
      const why = await lab.run.explain(lane.index, asked.of);
      expect(why.decision?.reason).toMatch(/^cgroup_throttled/);
      const chain = await chainOf(lab.run, lane, why, asked.of);
      if (!chain) throw new Error('no chain');
      expect(chain.wrong).toBe(
        `${name} stands still: control group web has used its 50 ms. More comes at 300.000 ms.`,
      );
      const [before, now, after] = chain.steps;
      expect(before?.then).toMatch(/^Used: [45]\d\.\d ms on cpu [\d–, ]+ since 200\.000 ms\.$/);
      expect(before?.numbers.length).toBe(before?.tasks.length);
      expect(now).toMatchObject({ isMain: true, tasks: [task] });
      expect(after).toMatchObject({ atNs: 300 * MS, then: 'web gets 50 ms then.' });
    }
  });

  it('has its use added up over the CPUs since the period began, as the kernel charged it', async () => {
    const [, lanes] = await standing();
    for (const lane of lanes) {
      const [limit] = lane.limits;
      if (!limit) throw new Error('no limit');
      const used = usedOf(lane, limit, lane.frame.nowNs) ?? [];
      const all = used.reduce((sum, { ns }) => sum + ns, 0);
      // Each CPU may run on to its next tick, at most 4 ms.
      expect(all).toBeGreaterThanOrEqual(limit.quotaNs - 4 * MS);
      expect(all).toBeLessThanOrEqual(limit.quotaNs + 16 * MS);
    }
  });

  it('is what W is about, whatever was explained before, and in front of a class', async () => {
    const [lab, [lane]] = await standing();
    if (!lane) throw new Error('no lane');
    const task = heldIn(lane);
    lab.selection.pick(lane.nameOf(task), lane.index);
    expect(askAgain(lab)).toBe(true);
    const asked = () => lab.selection.asked?.of;
    expect(asked()).toMatchObject({ kind: 'held', task });
    lab.selection.asked = null;
    lab.selection.clear();
    lab.prefs.isPresenting = true;
    expect(askAgain(lab)).toBe(true);
    expect(asked()?.kind).toBe('held');
  });

  it('says so in its lines and in the description of the lane', async () => {
    const [, lanes] = await standing();
    for (const lane of lanes) {
      const [first] = tellTask(lane, heldIn(lane));
      expect(first).toMatch(/ stands still: web is back in 40\.0 ms$/);
      expect(paragraph(factsOf(lane), lane)).toContain(
        'Control group web stands still: its 50 ms are used up, more comes in 40.0 ms.',
      );
    }
  });
});
