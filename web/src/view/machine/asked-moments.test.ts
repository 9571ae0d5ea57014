/**
 * W explains what the chip says: in every shipped scenario and lesson, the answer is the very decision that made the
 * announced moment so, at a desk and in front of a class.
 */
import { describe, expect, it } from 'vitest';
import { Host } from '../../sim/host';
import { lessonList } from '../../sim/lesson/list';
import { realCore } from '../../sim/test-core';
import type { DecisionView } from '../../sim/types/DecisionView';
import type { MomentKind } from '../../sim/types/MomentKind';
import type { Sight } from '../../state/shown-moment.svelte';
import type { Lab } from '../../state/lab.svelte';
import type { LaneState } from '../../state/lane.svelte';
import { heldBy, isHeld } from '../../state/held';
import { idle, openLab } from '../../state/test-lab';
import { askAgain } from '../explain/ask';
import { chainOf } from '../explain/chain';
import { sentence } from '../explain/reasons';
import { loadTexts, moverOf, refusalsOf } from '../schedulers/folder';
import { leadToMoments } from './leading';
import { askRefusals, heldOf, idleBesideWaiting } from './refusals';
import { drawnTime } from './test-frames';

/** Drawn time for which each scenario plays. */
const WATCHED_MS = 8000;

const drawn = drawnTime();

const { scenarios } = new Host(realCore, {
  clock: () => performance.now(),
  breathe: () => Promise.resolve(),
  alive: () => undefined,
}).catalog;
/** Lessons with own policies need the second package. */
const lessons = (await lessonList()).filter(({ ownPolicies }) => !ownPolicies);

/** Kinds that shipped scenarios show too late, or after others that come first. */
const crowd = {
  version: 1,
  name: 'a crowd',
  seed: 1,
  machine: 'i7860',
  schedulers: ['cfs', 'ule'].map((id) => ({ id })),
  groups: [
    { name: 'hog', count: 11, behaviour: { kind: 'compute' } },
    { name: 'type', count: 6, behaviour: { kind: 'interactive' } },
  ],
  end: { atNs: 60e9 },
};
const nine = lessons.find(({ id }) => id === 'l01-one-too-many')?.scenario ?? {};
const later = [
  {
    id: 'an idle CPU that is refused',
    scenario: { ...nine, moments: ['refusal'], opening: { atNs: 10e9, speed: 50e6 } },
  },
  {
    id: 'a CPU that steals',
    scenario: { ...crowd, moments: ['steal'], opening: { atNs: 300e6, speed: 200e6 } },
  },
];

const kindsSeen = new Set<MomentKind>();

/** Who got the CPU that a thread had up to a time, and where; null if it had none. */
function takerOf({ history }: LaneState, task: number, atNs: number) {
  for (const [cpu, row] of history.slices.entries()) {
    const at = row.findLastIndex((slice) => slice.task === task && slice.to === atNs);
    const next = at < 0 ? undefined : row[at + 1];
    if (next?.from === atNs) return { cpu, task: next.task };
  }
  return null;
}

/** What is wrong with the decisions of an answer; null if one of them made the moment so. */
function wrongIn(lane: LaneState, sight: Sight, decisions: readonly DecisionView[]): string | null {
  const { atNs, kind, to } = sight;
  const [task = -1] = sight.tasks;
  const isThen = (d: DecisionView) => d.atNs === atNs;
  const isOf = (d: DecisionView) => d.task === task;
  const made: Readonly<Record<MomentKind, (d: DecisionView) => boolean>> = {
    // The one that put the second thread there; what daemons do later changes nothing of it.
    sharedCore: (d) => d.atNs <= atNs && isOf(d) && d.cpu === lane.frame.task('cpu')[task],
    refusal: (d) => isThen(d) && d.cpu === to && refusalsOf(lane.scheduler).includes(d.reason),
    steal: (d) =>
      isThen(d) && isOf(d) && moverOf(lane.scheduler, sight.move?.reason ?? null) === kind,
    balance: (d) =>
      isThen(d) && isOf(d) && moverOf(lane.scheduler, sight.move?.reason ?? null) === kind,
    migration: (d) => isThen(d) && isOf(d),
    wakeup: (d) => isThen(d) && isOf(d),
    // Another thread got the CPU that it had; who had none was put into a queue by the choice of a CPU.
    wait: (d) => {
      const taker = takerOf(lane, task, atNs);
      if (!isThen(d)) return false;
      // A limit holds it: nobody took its CPU.
      if (heldBy(lane, task)) return d.cpu === to && d.reason.startsWith('cgroup_throttled');
      if (isHeld(lane.frame, task)) return d.cpu === to && d.reason === 'rt_throttled';
      if (taker) return d.cpu === taker.cpu && d.task === taker.task;
      return isOf(d) && d.kind === 'selectCpu';
    },
    // Who has the CPU afterwards.
    exit: (d) => isThen(d) && d.cpu === to,
  };
  // Of a wait, the first is the one that is told; of a move, the second may be what took the thread along.
  if (decisions.slice(0, kind === 'wait' ? 1 : undefined).some(made[kind])) return null;
  const told = decisions.map((d) => `${d.kind} ${d.reason} ${String(d.taskName)} ${String(d.cpu)}`);
  return `${kind} in lane ${lane.name} at ${String(atNs)}, ${sight.words[0]}: ${told.join('; ')}`;
}

/** What is asked about now; for the compiler, which takes the value that was set before. */
const askedOf = (lab: Lab) => lab.selection.asked;

/** Presses W at the moment that has the chip, as somebody at a desk or as a lecturer. */
async function pressW(lab: Lab, lane: LaneState, sight: Sight, isPresenting: boolean) {
  lab.prefs.isPresenting = isPresenting;
  lab.selection.asked = null;
  expect(askAgain(lab)).toBe(true);
  const asked = askedOf(lab);
  expect(asked).toMatchObject({ lane: lane.index, key: sight.asked.key });
  if (!asked) throw new Error('no answer');
  return lab.run.explain(lane.index, asked.of);
}

/** Plays until a moment has its chip that is not among those seen; null when time is over. */
async function nextChip(
  lab: Lab,
  seen: ReadonlySet<Sight>,
  untilMs: number,
): Promise<Sight | null> {
  const refusals = new Map<number, Awaited<ReturnType<typeof askRefusals>>>();
  for (const lane of lab.run.lanes)
    lab.moment.sees(lane.index, () =>
      heldOf(refusals.get(lane.index) ?? [], lane.frame, (task) => lane.isBackground(task)),
    );
  return new Promise((resolve) => {
    const end = lab.playback.paintWith(() => {
      for (const lane of lab.run.lanes) {
        const idle = idleBesideWaiting(lane.frame, (task) => lane.isBackground(task));
        if (idle.length > 0)
          void askRefusals(lab.run, lane, idle).then((r) => refusals.set(lane.index, r));
      }
      const { hasChip, sight } = lab.moment;
      const found = hasChip && sight && !seen.has(sight) ? sight : null;
      if (!found && drawn.ms < untilMs && lab.playback.isPlaying) return false;
      end();
      resolve(found);
      return false;
    });
    lab.playback.play();
  });
}

describe('the answer to W', { timeout: 120_000 }, () => {
  it.each([...scenarios, ...lessons, ...later])('is what made each chip of $id so', async (one) => {
    await loadTexts();
    const lab = await openLab('s.bfs-smt');
    expect(await lab.openScenario(one.scenario, 'given')).toBe(true);
    lab.prefs.reducedMotion = false;
    const stop = leadToMoments(lab);
    const wrong: string[] = [];
    const seen = new Set<Sight>();
    for (const untilMs = drawn.ms + WATCHED_MS; ;) {
      const sight = await nextChip(lab, seen, untilMs);
      if (!sight) break;
      seen.add(sight);
      kindsSeen.add(sight.kind);
      lab.playback.pause();
      await idle(lab);
      const lane = lab.run.lanes[sight.lane];
      if (!lane || lab.moment.sight !== sight) continue;
      for (const isPresenting of [false, true]) {
        const why = await pressW(lab, lane, sight, isPresenting);
        const decisions = [why.decision, why.also].filter((d) => d !== null);
        const found = wrongIn(lane, sight, decisions);
        if (found !== null) wrong.push(found);
        if (!isPresenting) continue;
        const chain = await chainOf(lab.run, lane, why);
        const said = chain && sentence(lane.scheduler, chain.main);
        if (!said || !decisions.some(({ id }) => id === chain.main.id))
          wrong.push(`${sight.kind} at ${String(sight.atNs)}: the class is told ${String(said)}`);
      }
      lab.prefs.isPresenting = false;
      lab.selection.asked = null;
    }
    lab.playback.pause();
    stop();
    expect(wrong).toEqual([]);
  });

  it('was read for moments of every kind', () => {
    expect([...kindsSeen].sort()).toEqual(
      ['balance', 'exit', 'migration', 'refusal', 'sharedCore', 'steal', 'wait', 'wakeup'].sort(),
    );
  });
});
