/** The causes of a moment in order, each with the threads that it is about: what a class sees of an answer. */
import { clock, duration, exactDuration } from '../../lib/format';
import { coreWords } from '../../lib/language';
import { TaskState } from '../../sim/frame';
import type { Why, WhyOf } from '../../sim/protocol';
import type { DecisionView } from '../../sim/types/DecisionView';
import { heldBy, standingOf, usedOf } from '../../state/held';
import type { LaneState } from '../../state/lane.svelte';
import type { Run } from '../../state/run.svelte';
import { heldOf, refusalOf } from '../machine/refusals';
import { sharingOf } from '../machine/sharing';
import { ranges } from '../machine/tell-area';
import { type Displaced, displacedBefore } from './cause';
import { timesOf } from './reasons';

/** One cause. */
export interface Cause {
  /** When it was decided. */
  readonly atNs: number;
  /** What happened, in at most eight words. */
  readonly head: string;
  /** The threads of it, drawn in this order. */
  readonly tasks: readonly number[];
  /** The thread that had to leave. */
  readonly left: number | null;
  /** Times of these threads. With a note the first of them won over the second by these. */
  readonly numbers: readonly { readonly task: number; readonly text: string }[];
  /** What was compared; empty where nothing was. */
  readonly note: string;
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
  /** What is wrong with the place that it gave to a thread, or why a thread stands still there; else empty. */
  readonly wrong: string;
  readonly steps: readonly Cause[];
  /** The CPU that the thread had to leave; null if it had none. */
  readonly left: number | null;
}

const cpuName = (cpu: number) => `cpu ${String(cpu)}`;

/** The times of the winner and of the thread that lost, if the decision compared them. */
function compared(decision: DecisionView | null, by: number, task: number) {
  const of = (who: number) => decision?.candidates.find((c) => c.task === who);
  const [won, lost] = [of(by), of(task)];
  if (!decision || !won || !lost || won.score >= lost.score) return { numbers: [], note: '' };
  const [first, second] = timesOf(decision, [won, lost]) ?? [];
  if (first === undefined || second === undefined) return { numbers: [], note: '' };
  const numbers = [
    { task: by, text: first },
    { task, text: second },
  ];
  return { numbers, note: coreWords(won.note) };
}

/** Who took the CPU that the thread had before. */
function before(
  lane: LaneState,
  { atNs, task }: { readonly atNs: number; readonly task: number },
  displaced: Displaced,
  decision: DecisionView | null,
): Cause {
  const { by } = displaced;
  const who = lane.isBackground(by) ? 'A daemon' : lane.nameOf(by);
  return {
    ...compared(decision, by, task),
    atNs: decision?.atNs ?? atNs,
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

/** A thread was put beside another one while a core is free; empty where that is not so. */
function besideOf(lane: LaneState, { cpu, task }: DecisionView): string {
  const sharing = sharingOf(lane);
  const { idle, free } = sharing;
  const pair = sharing.shared.find(({ tasks }) => task !== null && tasks.includes(task));
  const other = pair?.tasks.find((t) => t !== task);
  const [core = free[0]] = idle;
  if (!pair || task === null || other === undefined || core === undefined) return '';
  if (cpu === null || lane.frame.task('cpu')[task] !== cpu) return '';
  const spare = idle.length > 0 ? 'is idle' : 'has no job';
  const took = `${cpuName(cpu)} took ${lane.nameOf(task)} beside ${lane.nameOf(other)}`;
  return `${took}, although core ${String(core)} ${spare}.`;
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
    atNs: main.atNs,
    head,
    numbers: [],
    note: '',
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

/** What a cause has that compared nothing, took nobody's place and is not about two threads on a core. */
const PLAIN = { left: null, numbers: [], note: '', isShared: false, isMain: false, also: null };

/** Who was on the CPU until it became idle; null if nobody is known. */
function becameIdle(lane: LaneState, cpu: number): Cause | null {
  const slices = lane.history.slices[cpu] ?? [];
  const last = slices.findLast(({ task }) => task >= 0 && !lane.isBackground(task));
  if (!last) return null;
  const { task, to } = last;
  const isFinished = lane.frame.task('state')[task] === TaskState.finished;
  const name = lane.nameOf(task);
  const head = isFinished
    ? `${name} has finished on ${cpuName(cpu)}.`
    : `${name} left ${cpuName(cpu)}.`;
  const then = `${cpuName(cpu)} has no job since ${clock(to)}.`;
  return { ...PLAIN, atNs: to, head, tasks: [task], where: '', then };
}

/** Why a CPU became idle, and whom it does not take; null if the decision refused nobody who still waits. */
function refusalChain(lane: LaneState, main: DecisionView): Chain | null {
  const refusal = refusalOf(lane.scheduler, main);
  const [held] = heldOf(refusal ? [refusal] : [], lane.frame, (task) => lane.isBackground(task));
  if (!held) return null;
  const { from, task, to } = held;
  const [name, cpu] = [lane.nameOf(task), cpuName(from)];
  const refused: Cause = {
    ...PLAIN,
    atNs: main.atNs,
    head: `${cpuName(to)} does not take ${name}.`,
    tasks: [task],
    where: cpu,
    then: `${name} waits in the queue of ${cpu}.`,
    isMain: true,
  };
  const first = becameIdle(lane, to);
  return { main, wrong: '', steps: first ? [first, refused] : [refused], left: null };
}

/** Most threads whose use of a limit is told one by one. */
const MOST_USERS = 3;

/** How the time of a control group was used up, who stands still since, and when it comes back; null if nobody does. */
function heldChain(lane: LaneState, task: number, main: DecisionView): Chain | null {
  const held = heldBy(lane, task);
  if (!held) return null;
  const { cpu, limit, sinceNs } = held;
  const { name, filledAtNs, periodNs, quotaNs, refillAtNs } = limit;
  const { nowNs } = lane.frame;
  const who = lane.nameOf(task);
  const used = usedOf(lane, limit, nowNs);
  const all = (used ?? []).reduce((sum, { ns }) => sum + ns, 0);
  const cpus = ranges([...new Set((used ?? []).flatMap((one) => one.cpus))]);
  const users = used?.slice(0, MOST_USERS) ?? [];
  const before: Cause = {
    ...PLAIN,
    atNs: filledAtNs,
    where: '',
    head: `${name} may use ${exactDuration(quotaNs)} of each ${exactDuration(periodNs)}.`,
    tasks: users.map((one) => one.task),
    numbers: users.map((one) => ({ task: one.task, text: duration(one.ns) })),
    then: used
      ? `Used: ${duration(all)} on cpu ${cpus} since ${clock(filledAtNs)}.`
      : `It got them at ${clock(filledAtNs)}.`,
  };
  const now: Cause = {
    ...PLAIN,
    atNs: sinceNs,
    head: `${who} stands still on ${cpuName(cpu)}.`,
    tasks: [task],
    where: cpuName(cpu),
    then: `It is ready since ${clock(sinceNs)}, and no CPU may take it.`,
    isMain: true,
  };
  const after: Cause = {
    ...PLAIN,
    atNs: refillAtNs,
    where: '',
    head: `A period begins at ${clock(refillAtNs)}.`,
    tasks: [],
    then: `${name} gets ${exactDuration(quotaNs)} then.`,
  };
  return {
    main: { ...main, task, taskName: who },
    wrong: `${who} stands still: control group ${name} has used its ${exactDuration(quotaNs)}. More comes at ${clock(refillAtNs)}.`,
    steps: [before, now, after],
    left: null,
  };
}

/** Since when a real-time thread stands still; null if it does not. */
function stoppedChain(lane: LaneState, task: number, main: DecisionView): Chain | null {
  const standing = standingOf(lane, task);
  if (!standing) return null;
  const { cpu, sinceNs } = standing;
  const step: Cause = {
    ...PLAIN,
    atNs: sinceNs,
    head: `${lane.nameOf(task)} stands still on ${cpuName(cpu)}.`,
    tasks: [task],
    where: cpuName(cpu),
    then: `It is ready since ${clock(sinceNs)}.`,
    isMain: true,
  };
  return { main, wrong: '', steps: [step], left: null };
}

/** What led to the decisions of a question, and followed; null if nothing was decided. */
export async function chainOf(
  run: Pick<Run, 'explain'>,
  lane: LaneState,
  { decision, also }: Why,
  of: WhyOf | null = null,
): Promise<Chain | null> {
  const main = decision ?? also;
  if (!main) return null;
  if (of?.kind === 'held') {
    const standing = of.group === null ? stoppedChain : heldChain;
    const held = standing(lane, of.task, main);
    if (held) return held;
  }
  const refused = refusalChain(lane, main);
  if (refused) return refused;
  const { atNs, cpu, task } = main;
  const last = effect(lane, main, decision ? also : null);
  const wrong = besideOf(lane, main);
  const displaced = task === null ? null : displacedBefore(lane.history, task, atNs);
  if (!displaced || task === null || displaced.cpu === cpu)
    return { main, wrong, steps: [last], left: null };
  const question = { kind: 'decisions', decision: displaced.decision, also: -1 } as const;
  const { decision: taken } = await run.explain(lane.index, question);
  const first = before(lane, { atNs, task }, displaced, taken);
  return { main, wrong, steps: [first, last], left: displaced.cpu };
}

/** All threads that an answer names. */
export function tasksOf({ main, steps }: Chain): readonly number[] {
  const own = main.task === null ? [] : [main.task];
  return [...new Set([...own, ...steps.flatMap(({ tasks }) => tasks)])];
}

/** A text sentence by sentence. */
export function split(text: string): readonly string[] {
  return text.split(/(?<=[.!?…])\s+(?=\p{L})/u).filter((part) => part !== '');
}

/** The same without the numbers in brackets: they stand beside it. */
export function sentencesOf(text: string): readonly string[] {
  return split(text.replace(/\s*\([^()]*\)/g, ''));
}
