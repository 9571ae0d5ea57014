/** Every sentence that names threads or CPUs is true of the picture under it, in every shipped scenario and every lesson. */
import { describe, expect, it } from 'vitest';
import { TaskState } from '../../sim/frame';
import { lessonList } from '../../sim/lesson/list';
import { realCore } from '../../sim/test-core';
import { Host } from '../../sim/host';
import type { Lab } from '../../state/lab.svelte';
import type { LaneState } from '../../state/lane.svelte';
import { openLab } from '../../state/test-lab';
import { type Heading, headingAt, headingSince } from '../stage/heading';
import { wordsNow } from './holds';
import { leadToMoments } from './leading';
import { askRefusals, heldOf, idleBesideWaiting } from './refusals';
import { drawnTime, FRAME_MS } from './test-frames';

/** Drawn time for which each scenario is watched. */
const WATCHED_MS = 3000;

drawnTime();

/** What is wrong with a sentence, judged from a picture alone; null if nothing is. */
function wrongIn(sentence: string, lane: LaneState): string | null {
  const { frame, tree } = lane;
  const [curr, state, at] = [frame.cpu('curr'), frame.task('state'), frame.task('cpu')];
  const taskOf = (name: string) => {
    const found = lane.names.tasks.findIndex((n) => n === name || n.endsWith(`-${name}`));
    return found;
  };
  const onCore = (core: number) =>
    tree.core.flatMap((c, cpu) => (c === core ? [curr[cpu] ?? -1] : []));
  const queueOf = (task: number) => {
    const waiters = frame.waiters();
    for (let row = 0; row < waiters.length; row++)
      if (waiters.task(row) === task) return waiters.queue(row);
    return null;
  };
  const isJob = (t: number) => t >= 0 && !lane.isBackground(t);
  const counts: [RegExp, (part: readonly string[]) => boolean][] = [
    [
      /^(\d+) of \d+ cores busy/,
      ([n]) =>
        [...new Set(tree.core)].filter((core) => onCore(core).some(isJob)).length === Number(n),
    ],
    [
      / · (\d+) waits?\b/,
      ([n]) => [...state].filter((s, t) => s === TaskState.queued && isJob(t)).length === Number(n),
    ],
  ];
  const facts: [RegExp, (part: readonly string[]) => boolean][] = [
    ...counts,
    [
      /(?:jobs )?(\S+) and (\S+) share core (\d+)/,
      ([a = '', b = '', core]) =>
        [a, b].every((name) =>
          onCore(Number(core)).some((t) => {
            const is = lane.nameOf(t);
            return t >= 0 && (is === name || is.endsWith(`-${name}`)) && !lane.isBackground(t);
          }),
        ),
    ],
    [/core (\d+) idle/, ([core]) => onCore(Number(core)).every((t) => t < 0)],
    [
      /(\d+) cores idle/,
      ([n]) =>
        [...new Set(tree.core)].filter((core) => onCore(core).every((t) => t < 0)).length ===
        Number(n),
    ],
    [
      /cpu (\d+) idles and does not take (\S+) from cpu (\d+)/,
      ([to, name = '', from]) =>
        (curr[Number(to)] ?? 0) < 0 && queueOf(taskOf(name)) === Number(from),
    ],
    [/^(\S+) waits in the global queue/, ([name = '']) => queueOf(taskOf(name)) === -1],
    [/^(\S+) waits for cpu (\d+)/, ([name = '', cpu]) => queueOf(taskOf(name)) === Number(cpu)],
    [/cpu (\d+) steals (\S+) from/, ([cpu, name = '']) => at[taskOf(name)] === Number(cpu)],
    [/moves (\S+): cpu \d+ → cpu (\d+)/, ([name = '', cpu]) => at[taskOf(name)] === Number(cpu)],
    [
      /^(\S+) (?:wakes up|moves|may not stay): cpu \d+ → cpu (\d+)/,
      ([name = '', cpu]) => at[taskOf(name)] === Number(cpu),
    ],
    [
      /^(\S+) wakes up (?:on|in)/,
      ([name = '']) =>
        ![TaskState.sleeping, TaskState.finished].some((s) => state[taskOf(name)] === s),
    ],
    [/^(\S+) finishes/, ([name = '']) => state[taskOf(name)] === TaskState.finished],
  ];
  for (const [pattern, isSo] of facts) {
    const found = pattern.exec(sentence);
    if (found && !isSo(found.slice(1)))
      return `at ${String(frame.nowNs)}: ${sentence} (${[...curr].join(' ')})`;
  }
  return null;
}

/** The lines above the machines; each changes when it is due, and else only where it is no longer so. */
class Headings {
  readonly #of = new Map<number, Heading>();

  look(lane: LaneState, isDue: boolean, isEachMove: boolean): string {
    const was = this.#of.get(lane.index);
    const now = was && !isDue ? headingSince(lane, was, isEachMove) : headingAt(lane);
    this.#of.set(lane.index, now);
    return now.line;
  }
}

/** The words of the announced moment that are on the page. */
function announced({ moment: { sight } }: Lab, lane: LaneState): readonly string[] {
  const words = sight?.lane === lane.index ? wordsNow(lane, sight) : null;
  return words ? [words[0]] : [];
}

const catalog = new Host(realCore, {
  clock: () => performance.now(),
  breathe: () => Promise.resolve(),
  alive: () => undefined,
}).catalog;

// Lessons with own policies need the second package.
const lessons = (await lessonList()).filter(({ ownPolicies }) => !ownPolicies);
const all = [...catalog.scenarios, ...lessons];

describe('visible sentences', { timeout: 60_000 }, () => {
  it.each(all)('of $id are true of their picture', async ({ scenario }) => {
    const lab = await openLab('s.bfs-smt');
    expect(await lab.openScenario(scenario, 'given')).toBe(true);
    lab.prefs.reducedMotion = false;
    const refusals = new Map<number, Awaited<ReturnType<typeof askRefusals>>>();
    for (const lane of lab.run.lanes)
      lab.moment.sees(lane.index, () =>
        heldOf(refusals.get(lane.index) ?? [], lane.frame, (task) => lane.isBackground(task)),
      );
    const stop = leadToMoments(lab);
    const wrong = new Set<string>();
    const headings = new Headings();
    let watchedMs = 0;
    await new Promise<void>((resolve) => {
      const end = lab.playback.paintWith(() => {
        watchedMs += FRAME_MS;
        for (const lane of lab.run.lanes) {
          const isEachMove = watchedMs < WATCHED_MS / 2;
          const line = headings.look(lane, watchedMs % 600 === 0, isEachMove);
          for (const sentence of [line, ...announced(lab, lane)]) {
            const found = wrongIn(sentence, lane);
            if (found !== null) wrong.add(found);
          }
          const idle = idleBesideWaiting(lane.frame, (task) => lane.isBackground(task));
          if (idle.length > 0 && watchedMs % 250 === 0)
            void askRefusals(lab.run, lane, idle).then((r) => refusals.set(lane.index, r));
        }
        if (watchedMs < WATCHED_MS && lab.playback.isPlaying) return false;
        end();
        resolve();
        return false;
      });
      lab.playback.play();
    });
    lab.playback.pause();
    stop();
    expect([...wrong].slice(0, 5)).toEqual([]);
  });
});
