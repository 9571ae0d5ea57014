/** The causes of a moment in order, each with the threads that it is about: what a class sees of an answer. */
import type { DecisionView } from '../../sim/types/DecisionView';
import type { LaneState } from '../../state/lane.svelte';
import type { Run } from '../../state/run.svelte';
import type { Asked } from '../../state/selection.svelte';
import { sharingOf } from '../machine/sharing';
import { displacedBefore } from './cause';

/** One cause. */
export interface Cause {
  /** What happened, in at most eight words. */
  readonly head: string;
  /** The threads of it, drawn in this order. */
  readonly tasks: readonly number[];
  /** The thread that had to leave. */
  readonly left: number | null;
  /** Where they are, in words. */
  readonly where: string;
  /** What followed for the thread. */
  readonly then: string;
  readonly isShared: boolean;
  /** Whether it is the decision that was asked about. */
  readonly isMain: boolean;
  /** A second decision of the same moment. */
  readonly also: DecisionView | null;
}

/** The decision that was asked about, and the causes that led to it and follow from it. */
export interface Chain {
  readonly main: DecisionView;
  readonly steps: readonly Cause[];
}

const cpuName = (cpu: number) => `cpu ${String(cpu)}`;

/** Who took the CPU that the thread had before. */
function before(lane: LaneState, { atNs, cpu, task }: DecisionView): Cause | null {
  const displaced = task === null ? null : displacedBefore(lane.history.slices, task, atNs);
  if (!displaced || task === null || displaced.cpu === cpu) return null;
  const { by } = displaced;
  const who = lane.isBackground(by) ? 'A daemon' : lane.nameOf(by);
  return {
    head: `${who} took ${cpuName(displaced.cpu)}.`,
    tasks: [by, task],
    left: task,
    where: '',
    then: `${lane.nameOf(task)} had to leave.`,
    isShared: false,
    isMain: false,
    also: null,
  };
}

/** What the decision did: the thread, and who has the same core now. */
function effect(lane: LaneState, main: DecisionView, also: DecisionView | null): Cause {
  const { cpu, task } = main;
  const { shared } = sharingOf(lane);
  const pair = shared.find(({ tasks }) => task !== null && tasks.includes(task));
  const name = task === null ? null : lane.nameOf(task);
  const isThere = task !== null && lane.frame.task('cpu')[task] === cpu;
  const head =
    cpu === null
      ? (name ?? '')
      : name === null
        ? `${cpuName(cpu)} decided.`
        : isThere
          ? `${cpuName(cpu)} took ${name}.`
          : `${cpuName(cpu)} and ${name}.`;
  return {
    head,
    tasks: pair && isThere ? pair.tasks : task === null ? [] : [task],
    left: null,
    where: pair && isThere ? `core ${String(pair.core)}` : cpu === null ? '' : cpuName(cpu),
    then: '',
    isShared: pair !== undefined && isThere,
    isMain: true,
    // The same rule twice would be the same sentence twice.
    also: also && also.id !== main.id && also.reason !== main.reason ? also : null,
  };
}

/** Asks for the decisions of a question; null if nothing was decided. */
export async function chainOf(run: Run, lane: LaneState, { of }: Asked): Promise<Chain | null> {
  const { decision, also } = await run.explain(lane.index, of);
  const main = decision ?? also;
  if (!main) return null;
  const first = before(lane, main);
  const last = effect(lane, main, decision ? also : null);
  return { main, steps: first ? [first, last] : [last] };
}

/** A text sentence by sentence, without the numbers in brackets: they stand beside it. */
export function sentencesOf(text: string): readonly string[] {
  const plain = text.replace(/\s*\([^()]*\)/g, '');
  return plain.split(/(?<=[.!?…])\s+(?=\p{L})/u).filter((part) => part !== '');
}
