/** Asking why: about a slice, a move, a thread's place, or a decision. Each question names its decisions by number. */
import { clock } from '../../lib/format';
import { TaskState } from '../../sim/frame';
import type { Move, Slice } from '../../sim/history';
import type { Placing } from '../../sim/placings';
import { UNKNOWN } from '../../sim/trace';
import { oneRefusal, type Refused } from '../../state/shown-moment.svelte';
import { standingOf } from '../../state/held';
import type { Lab } from '../../state/lab.svelte';
import type { LaneState } from '../../state/lane.svelte';
import type { Asked } from '../../state/selection.svelte';

/** A question, without the way in which it was asked. */
export type Question = Omit<Asked, 'isByKey'>;

type Lane = Pick<LaneState, 'frame' | 'history' | 'index' | 'limits' | 'nameOf' | 'names'>;

const NOW = 'Why it runs now';
const HERE = 'Why it is on this CPU';

const cpuName = (cpu: number) => `cpu ${String(cpu)}`;

/** Asks why a CPU had a thread (or none) in a slice. */
export function askSlice(lane: Lane, cpu: number, slice: Slice, atNs: number): Question {
  const { decision, also } = slice;
  const isKnown = decision !== UNKNOWN && also !== UNKNOWN;
  const isIdle = slice.task < 0;
  const who = isIdle ? `${cpuName(cpu)} idle` : `${lane.nameOf(slice.task)} on ${cpuName(cpu)}`;
  return {
    lane: lane.index,
    // The core knows more about a slice whose beginning is not known here.
    of: isKnown
      ? { kind: 'decisions', decision, also }
      : { kind: 'slice', cpu, atNs: Math.floor(atNs) },
    title: `${who} from ${clock(slice.from)} on`,
    heads: isIdle ? ['Why it is idle', ''] : [NOW, HERE],
    key: `slice ${String(cpu)} ${String(slice.from)}`,
  };
}

/** Asks why a CPU had its thread at a time; the core searches for the slice. */
export function askSliceAt(lane: Lane, cpu: number, atNs: number): Question {
  return {
    lane: lane.index,
    of: { kind: 'slice', cpu, atNs: Math.floor(atNs) },
    title: `${cpuName(cpu)} at ${clock(atNs)}`,
    heads: [NOW, HERE],
    key: `slice ${String(cpu)} at ${String(atNs)}`,
  };
}

/** A move in words. */
export function tellMove(lane: Pick<Lane, 'nameOf'>, { task, from, to, atNs }: Move): string {
  const way = from < 0 ? 'was placed on' : `moved from ${cpuName(from)} to`;
  return `${lane.nameOf(task)} ${way} ${cpuName(to)} at ${clock(atNs)}`;
}

/** Why a thread moved. */
export function askMove(lane: Lane, move: Move): Question {
  return {
    lane: lane.index,
    of: { kind: 'decisions', decision: move.decision, also: move.also },
    title: tellMove(lane, move),
    heads: [HERE, NOW],
    key: `move ${String(move.seq)}`,
  };
}

function placed(name: string, p: Placing): Pick<Question, 'title' | 'heads'> {
  const at = clock(p.atNs);
  switch (p.kind) {
    case 'switch':
      return { title: `${name} on ${cpuName(p.cpu)} from ${at} on`, heads: [NOW, HERE] };
    case 'migrate': {
      const from = p.other < 0 ? '' : ` from ${cpuName(p.other)}`;
      return { title: `${name} moved${from} to ${cpuName(p.cpu)} at ${at}`, heads: [HERE, NOW] };
    }
    case 'queue': {
      const to = p.cpu < 0 ? 'the global queue' : `the queue of ${cpuName(p.cpu)}`;
      return { title: `${name} was put into ${to} at ${at}`, heads: ['Why it waits there', NOW] };
    }
    case 'wakeup':
    case 'fork': {
      const what = p.kind === 'fork' ? 'was forked' : 'woke';
      return {
        title: `${name} ${what} at ${at}`,
        heads: ['Why it waits there', ''],
      };
    }
  }
}

/** Asks why a thread stands still, if a limit holds it. */
function askHeld(lane: Lane, task: number): Question | null {
  const held = standingOf(lane, task);
  if (!held) return null;
  const { cpu, limit, sinceNs } = held;
  const name = lane.nameOf(task);
  return {
    lane: lane.index,
    of: { kind: 'held', task, cpu, group: limit?.name ?? null },
    title: `${name} stands still since ${clock(sinceNs)}`,
    heads: ['Why it stands still', ''],
    // @wc-ignore
    key: `held ${name} ${String(sinceNs)}`,
  };
}

/** Asks why a thread is where it is, or why it stands still there. */
export function askThread(lane: Lane, task: number): Question {
  const held = askHeld(lane, task);
  if (held) return held;
  const name = lane.nameOf(task);
  const last = lane.history.placings.get(task);
  const base = { lane: lane.index, key: `thread ${name} ${String(last?.atNs ?? '')}` };
  if (last)
    return {
      ...base,
      ...placed(name, last),
      of: { kind: 'decisions', decision: last.decision, also: last.also },
    };
  const cpu = lane.frame.task('cpu')[task] ?? -1;
  const runs = lane.frame.task('state')[task] === TaskState.running && cpu >= 0;
  if (runs)
    return {
      ...base,
      of: { kind: 'slice', cpu, atNs: lane.frame.nowNs },
      title: `${name} on ${cpuName(cpu)}`,
      heads: [NOW, HERE],
    };
  return {
    ...base,
    of: { kind: 'thread', task },
    title: `${name} at ${clock(lane.frame.nowNs)}`,
    heads: ['How it came there', ''],
  };
}

/** Why something was decided. */
export function askDecision(lane: number, id: number): Question {
  return {
    lane,
    of: { kind: 'decisions', decision: id, also: -1 },
    title: '',
    heads: ['', ''],
    key: `decision ${String(id)}`,
  };
}

/** Why an idle CPU did not take a thread that waits. */
export function askRefused(
  lane: Pick<LaneState, 'index' | 'nameOf'>,
  { atNs, id, task, to }: Refused,
): Question {
  const title = `${cpuName(to)} did not take ${lane.nameOf(task)} at ${clock(atNs)}`;
  return { ...askDecision(lane.index, id), title, heads: ['Why it takes nobody', ''] };
}

/** The parts of the page that a question needs. */
export type AskingPage = Pick<Lab, 'look' | 'playback' | 'prefs' | 'selection'>;
/** And those that a question about what is announced needs. */
export type ToldPage = AskingPage & Pick<Lab, 'speech'>;
/** And those that a question about what is there now needs. */
type PresentPage = ToldPage & Pick<Lab, 'moment' | 'lessons' | 'run'>;

/** Opens the card of a question, where there is room for cards. While presenting, time stands for the answer. */
export function ask(lab: AskingPage, question: Question, isByKey = false): void {
  const { look, playback, prefs, selection } = lab;
  if (!look.has('inspect')) return;
  if (prefs.isPresenting) playback.pause();
  selection.lane = question.lane;
  selection.asked = { ...question, isByKey };
  if (prefs.isPresenting) return;
  if (prefs.isNarrow) prefs.setupOpen = false;
  if (prefs.isNarrow || prefs.inspectOpen === false || !isSomethingSelected(lab))
    prefs.inspectOpen = true;
}

function isSomethingSelected({ selection }: AskingPage): boolean {
  return selection.thread !== null || selection.cpu !== null;
}

/** Asks why about a thread, which is selected; in front of a class only as long as the answer is open. */
function askAbout(lab: AskingPage, question: Question, thread: string | null): void {
  const { prefs, selection } = lab;
  if (thread !== null && prefs.isPresenting) selection.pickForAnswer(thread, question.lane);
  else if (thread !== null) selection.pick(thread, question.lane);
  ask(lab, question, true);
}

/** Asks why the last announced event happened. */
export function askAnnounced(lab: ToldPage): void {
  const { announced } = lab.speech;
  if (announced) askAbout(lab, announced.asked, announced.thread);
}

/** Whether the stage still shows what was announced: its moment is so, or time stands where it happened. */
function isShown({ moment, run, speech }: PresentPage): boolean {
  const { announced } = speech;
  if (!announced) return false;
  return moment.sight?.asked.key === announced.asked.key || announced.atNs === run.nowNs;
}

/** The newest thing that a lane decided about the workload: its last move, else its last pick; null before any. */
function newest(lane: LaneState): { readonly of: Question; readonly task: number } | null {
  const { history } = lane;
  const move = history.moves.findLast(
    ({ from, task, to }) => from !== to && !lane.isBackground(task),
  );
  if (move) return { of: askMove(lane, move), task: move.task };
  const picks = history.slices.flatMap((row, cpu) => {
    const slice = row.findLast(({ decision, task }) => {
      const isOfJob = task >= 0 && !lane.isBackground(task);
      return isOfJob && (decision >= 0 || decision === UNKNOWN);
    });
    return slice ? [{ cpu, slice }] : [];
  });
  const [last] = picks.toSorted((a, b) => b.slice.from - a.slice.from);
  if (!last) return null;
  const { cpu, slice } = last;
  const atNs = Math.min(slice.to, lane.frame.nowNs);
  return { of: askSlice(lane, cpu, slice, Math.max(slice.from, atNs - 1)), task: slice.task };
}

/** What holds the selected thread, or else another one, if a limit holds it. */
function newestHeld(
  { selection }: Pick<Lab, 'selection'>,
  lane: LaneState,
): { readonly of: Question; readonly task: number } | null {
  const selected = lane.idOf.get(selection.thread ?? '') ?? -1;
  for (const task of [selected, ...lane.jobs]) {
    const of = askHeld(lane, task);
    if (of) return { of, task };
  }
  return null;
}

/** The refusal that a lane's stage shows now. */
function shownRefusal(
  { moment, selection }: Pick<Lab, 'moment' | 'selection'>,
  lane: LaneState,
): { readonly of: Question; readonly task: number } | null {
  const refused = oneRefusal(moment.lanes.get(lane.index)?.() ?? [], selection.cpu);
  return refused && { of: askRefused(lane, refused), task: refused.task };
}

/** The key of a question that has no decision: its title says why there is none. */
export const NOTHING = 'nothing';

/** Why W has no decision to explain to a class. */
function nothing(lane: number, title: string): Question {
  const of = { kind: 'decisions', decision: -1, also: -1 } as const;
  return { lane, of, title, heads: ['', ''], key: NOTHING };
}

/**
 * Explains to a class what it sees: what stands still now, else what the chosen lane decided last. Says why there is nothing
 * to explain.
 */
function askNewest(lab: PresentPage): void {
  const { lessons, run, selection } = lab;
  const lane = run.lanes[selection.lane] ?? run.lanes[0];
  if (!lane) return;
  if (lessons.open?.isSecret) {
    ask(lab, nothing(lane.index, 'The lesson tells the reasons when it tells the names.'), true);
    return;
  }
  const found = newestHeld(lab, lane) ?? shownRefusal(lab, lane) ?? newest(lane);
  if (found) askAbout(lab, found.of, lane.nameOf(found.task));
  else if (lessons.open) ask(lab, nothing(lane.index, 'Nothing has been decided yet.'), true);
  else ask(lab, nothing(lane.index, 'Nothing has been decided yet: press Space.'), true);
}

/** Explains why the selected thread stands still. Returns whether it does, and somebody else was explained. */
function askStanding(lab: PresentPage): boolean {
  const { lessons, run, selection } = lab;
  const lane = run.lanes[selection.lane] ?? run.lanes[0];
  const task = selection.thread === null ? undefined : lane?.idOf.get(selection.thread);
  if (!lane || task === undefined || lessons.open?.isSecret === true) return false;
  const held = askHeld(lane, task);
  if (!held || held.key === selection.asked?.key) return false;
  ask(lab, held, true);
  return true;
}

/** Explains what was decided last about the selected thread. Returns whether one is selected. */
function askSelected(lab: PresentPage): boolean {
  const { lessons, run, selection } = lab;
  const lane = run.lanes[selection.lane] ?? run.lanes[0];
  const task = selection.thread === null ? undefined : lane?.idOf.get(selection.thread);
  if (!lane || task === undefined || lessons.open?.isSecret === true) return false;
  ask(lab, askThread(lane, task), true);
  return true;
}

/**
 * The same by its key; while the answer is open, it marks the next candidate. Where nothing was announced, it is about
 * the selected thread. A presented answer is closed, and a class
 * always gets one, about what it sees. Returns whether there was anything to ask.
 */
export function askAgain(lab: PresentPage): boolean {
  const { lessons, prefs, selection, speech } = lab;
  const { announced } = speech;
  const { asked } = selection;
  if (prefs.isPresenting) {
    if (asked) selection.closeAnswer();
    else if (isShown(lab) && !lessons.open?.isSecret) askAnnounced(lab);
    else askNewest(lab);
    return true;
  }
  // What is so now comes before what was decided.
  if (askStanding(lab)) return true;
  if (!announced && !asked) return askSelected(lab);
  const isOpen =
    asked &&
    prefs.inspectOpen !== false &&
    (!announced || (announced.asked.key === asked.key && announced.asked.lane === asked.lane));
  if (isOpen) selection.nextCandidate();
  else if (announced) askAnnounced(lab);
  else if (asked) ask(lab, asked, true);
  return true;
}

/** Asks why a selected CPU is idle. */
export function askIdle(lab: AskingPage, lane: LaneState, cpu: number, isByKey = false): void {
  const { selection } = lab;
  selection.asked = null;
  const isSelected = selection.cpu === cpu && selection.lane === lane.index;
  const isIdle = (lane.frame.cpu('curr')[cpu] ?? -1) < 0;
  if (!isSelected || !isIdle) return;
  const slice = lane.history.slices[cpu]?.at(-1);
  const { nowNs } = lane.frame;
  ask(lab, slice ? askSlice(lane, cpu, slice, nowNs) : askSliceAt(lane, cpu, nowNs), isByKey);
}

/** Selects a thread and asks why it is where it is; the same thread again clears both. */
export function askToken(lab: AskingPage, lane: LaneState, task: number, isByKey = false): void {
  const { prefs, selection } = lab;
  selection.toggleThread(lane.nameOf(task), lane.index);
  selection.isClicked = selection.thread !== null && !isByKey && !prefs.isNarrow;
  if (selection.thread === null) selection.asked = null;
  // On a phone a touch only shows the thread; the answer is in the sheet.
  else if (prefs.isNarrow && !isByKey)
    selection.asked = { ...askThread(lane, task), isByKey: false };
  else ask(lab, askThread(lane, task), isByKey);
}
