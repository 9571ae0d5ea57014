/** What a class sees of an answer: two causes with their threads, in short sentences. */
import { describe, expect, it } from 'vitest';
import { openLab } from '../../state/test-lab';
import { leadToMoments } from '../machine/leading';
import { loadTexts } from '../schedulers/folder';
import { chainOf, sentencesOf, tasksOf } from './chain';
import { sentence } from './reasons';

describe('the chain of causes', { timeout: 60_000 }, () => {
  it('of two jobs on one core: who took the CPU before, and which CPU took the job', async () => {
    const lab = await openLab('s.bfs-smt');
    const stop = leadToMoments(lab);
    const [lane] = lab.run.lanes;
    if (!lane) throw new Error('no lane');
    await lab.steps.toMoment();
    const { sight } = lab.moment;
    if (!sight) throw new Error('no moment');
    const chain = await chainOf(lab.run, lane, await lab.run.explain(lane.index, sight.asked.of));
    const [first, second] = chain?.steps ?? [];
    const [came = -1] = sight.tasks;
    expect(first).toMatchObject({ head: 'A daemon took cpu 1.', left: came });
    expect(first?.tasks).toHaveLength(2);
    // By what the daemon came first, and where the job was until then.
    expect(first?.note).toBe('deadline + distance');
    const [won, lost] = first?.numbers ?? [];
    expect([won?.task, lost?.task]).toEqual(first?.tasks);
    for (const of of [won, lost]) expect(of?.text).toMatch(/^\d+\sms$/);
    expect(chain?.left).toBe(1);
    // What is wrong, with the names of the picture.
    const beside = sight.tasks.map((task) => lane.nameOf(task));
    expect(chain?.wrong).toBe(
      `cpu 4 took ${beside[0] ?? ''} beside ${beside[1] ?? ''}, although core 1 has no job.`,
    );
    expect(chain && [...tasksOf(chain)].sort()).toEqual(
      [...new Set([...sight.tasks, ...(first?.tasks ?? [])])].sort(),
    );
    expect(second).toMatchObject({ isShared: true, isMain: true, where: 'core 0' });
    expect([...(second?.tasks ?? [])].sort()).toEqual([...sight.tasks].sort());
    stop();
  });

  it.each([
    'bfs-smt',
    's0-v890',
    's3-nice',
    's2c-512-threads',
    's3-browsers',
    'cfs-eevdf',
    's2e-one-thread-per-core',
    's2b-request-server',
    's1-yield-storm',
  ])('of %s has no sentence of more than 20 words', async (id) => {
    await loadTexts();
    const lab = await openLab(`s.${id}`);
    const stop = leadToMoments(lab);
    const long: string[] = [];
    for (let i = 0; i < 4; i++) {
      await lab.steps.toMoment();
      const { sight } = lab.moment;
      const lane = sight && lab.run.lanes[sight.lane];
      if (!lane) break;
      const chain = await chainOf(lab.run, lane, await lab.run.explain(lane.index, sight.asked.of));
      if (!chain) continue;
      const says = [
        ...chain.steps.map(({ head }) => head),
        chain.wrong,
        ...sentencesOf(sentence(lane.scheduler, chain.main)),
      ];
      long.push(...says.filter((words) => words.split(' ').length > 20));
    }
    stop();
    expect(long).toEqual([]);
  });

  it.each(['s1-yield-storm', 'queueing'])('cards of %s have short sentences', async (id) => {
    await loadTexts();
    const lab = await openLab(`s.${id}`);
    const long = new Set<string>();
    for (const atNs of [300_000, 1_000_000, 50_000_000]) {
      await lab.playback.seek(atNs);
      for (const lane of lab.run.lanes) {
        const query = { from: -1, newer: false, max: 400, task: -1, cpu: -1, kind: '' };
        for (const told of await lab.run.decisions({ ...query, lane: lane.index }))
          for (const words of sentencesOf(sentence(lane.scheduler, told)))
            if (words.split(' ').length > 20) long.add(told.reason);
      }
    }
    expect([...long]).toEqual([]);
  });
});
