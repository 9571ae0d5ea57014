/** Goes to the next or the previous moment of some kinds, in one lane. */
import { tick } from 'svelte';
import type { Position, StepKind } from '../../sim/protocol';
import type { MomentKind } from '../../sim/types/MomentKind';
import type { Refused, Sight } from '../../state/shown-moment.svelte';
import type { Lab } from '../../state/lab.svelte';
import type { LaneState } from '../../state/lane.svelte';
import { ANYTHING } from '../../state/playback.svelte';
import { refusalsOf } from '../schedulers/folder';
import { heldOf, refusalOf } from './refusals';
import { sightsOf } from './sights';

/** Most steps of a kind that are skipped because they are no moment. */
const MAX_STEPS = 2000;

/** Events at which a moment of a kind may begin. */
function stepsTo(kind: MomentKind, { reasons, scheduler }: LaneState): readonly StepKind[] {
  switch (kind) {
    case 'refusal': {
      return refusalsOf(scheduler)
        .filter((id) => reasons.has(id))
        .map((id): StepKind => `reason:${id}`);
    }
    case 'sharedCore':
    case 'wait':
      return ['switch'];
    case 'steal':
    case 'balance':
    case 'migration':
      return ['migration'];
    case 'exit':
    case 'wakeup':
      return [kind];
  }
}

/** See the module comment. If there is none, time stays where it was, and the result is null. */
export async function seekMoment(
  lab: Pick<Lab, 'playback' | 'run'>,
  lane: LaneState,
  kinds: readonly MomentKind[],
  back: boolean,
): Promise<Sight | null> {
  const { playback, run } = lab;
  playback.isPlaying = false;
  const from: Place = { ns: run.nowNs, position: run.position };
  let best: (Place & { sight: Sight }) | null = null;
  const ways = new Map<StepKind, MomentKind[]>();
  for (const kind of kinds)
    for (const step of stepsTo(kind, lane)) ways.set(step, [...(ways.get(step) ?? []), kind]);
  for (const [step, wantedHere] of ways) {
    if (run.nowNs !== from.ns || run.position !== from.position)
      await playback.seek(from.ns, from.position);
    const found = await firstOf(lab, lane, step, wantedHere, { back, from, limitNs: best?.ns });
    if (found && (!best || (back ? found.ns > best.ns : found.ns < best.ns))) best = found;
  }
  await playback.seek(best?.ns ?? from.ns, best ? best.position : from.position);
  if (!best) {
    playback.message = back ? 'No moment before this one.' : 'No further moment found.';
    return null;
  }
  // The announcer has spoken about the step by then.
  await tick();
  return best.sight;
}

interface Place {
  readonly ns: number;
  readonly position: Position | null;
}

/** The first moment that begins at a step of a kind, not later than another one that is known. */
async function firstOf(
  { playback, run }: Pick<Lab, 'playback' | 'run'>,
  lane: LaneState,
  step: StepKind,
  kinds: readonly MomentKind[],
  { back, from, limitNs }: { back: boolean; from: Place; limitNs: number | undefined },
): Promise<(Place & { sight: Sight }) | null> {
  for (let tries = 0; tries < MAX_STEPS; tries += 1) {
    if (!(await playback.step(lane.index, step, back, ANYTHING))) return null;
    const ns = run.nowNs;
    if (limitNs !== undefined && (back ? ns < limitNs : ns > limitNs)) return null;
    const refused = kinds.includes('refusal') ? await refusedNow(run, lane, step) : [];
    const sights = sightsOf(
      lane,
      kinds,
      { happened: ns - 1, began: ns - 1, until: Infinity },
      refused,
    );
    const sight = sights.find(({ atNs }) => atNs === ns && atNs !== from.ns);
    if (sight) return { ns, position: run.position, sight };
  }
  return null;
}

async function refusedNow(
  run: Lab['run'],
  lane: LaneState,
  step: StepKind,
): Promise<readonly Refused[]> {
  const kind = step.replace('reason:', '');
  const query = { lane: lane.index, from: -1, newer: false, max: 1, ...ANYTHING, kind };
  const found = await run.decisions(query);
  const refusals = found.flatMap((d) => refusalOf(lane.scheduler, d) ?? []);
  return heldOf(refusals, lane.frame, (task) => lane.isBackground(task));
}
