/** The place of each thread of a frame in the layout: a pure function of one true state. */
import { duration } from '../../lib/format';
import { centre, type Rect } from '../../lib/geom';
import { TaskState } from '../../sim/frame';
import type { LimitNow } from '../../sim/types/LimitNow';
import type { FirstPlaces } from '../../state/first-places';
import { type HeldBy, heldOn } from '../../state/held';
import type { MachineLayout, Slot } from './layout';
import {
  BACKGROUND_SCALE,
  type PlacedParts,
  type Overflow,
  type Placed,
  type PlaceKind,
} from './placed';
import { limitParts, tokenGrid } from './limit-box';
import type { QueueInput } from './queues/input';
import { slotParts } from './slot';

/** Words before tokens on the line. */
export interface Label {
  readonly text: string;
  readonly x: number;
  /** The CPU that it names. */
  readonly cpu?: number;
}

/** Everything that is drawn of a frame. */
export interface Scene {
  readonly placed: readonly Placed[];
  readonly overflow: readonly Overflow[];
  readonly labels: readonly Label[];
  /** The part of the line under the machine that is left for words. */
  readonly words: Rect;
  /** Threads of the workload that wait. */
  readonly waiting: number;
  /** Waiting threads that may run on every CPU: an idle one might take them. */
  readonly movable: number;
  /** Waiting threads that no CPU may take, because the time of their control group is used up. */
  readonly held: number;
  /** By CPU: threads that are drawn where they will begin. */
  readonly begins: ReadonlyMap<number, number>;
}

/** The data of a scene. */
export interface SceneInput extends QueueInput {
  /** The control groups that have a limit. */
  readonly limits: readonly LimitNow[];
}

/** Which threads are drawn. */
export interface Shown {
  readonly daemons: boolean;
  /** Whether waiting threads are drawn. */
  readonly queues: boolean;
  /** Where threads will begin, before they do; they are drawn there. */
  readonly first?: FirstPlaces | null;
  /** Whether threads that neither run nor wait are left out. */
  readonly isBusyOnly?: boolean;
}

/** Tokens in the pocket of a slot. */
const IN_POCKET = 2;
/** A token there is at most as large, or this part of a large running one. */
const WAITS_IN_POCKET = 26;
const WAITING_SHARE = 0.6;
/** Two tokens are drawn where each is at least as large. */
const LEAST_OF_TWO = 9;
/** Room for the count of the others. */
const COUNT = 12;
/** Sizes of tokens on the line: of waiting and of resting threads. */
const WAITS = 22;
const RESTS = 15;
/** The words before rows of tokens: of those that wait, and of those that rest. */
const WAITING = { text: 'queue' };
const RESTING = {
  // @wc-context: threads on the stage
  sleep: { text: 'asleep' },
  // @wc-context: threads on the stage
  stop: { text: 'stopped' },
  // @wc-context: threads on the stage
  done: { text: 'finished' },
} as const;
/** Width of a number after a row. */
const MORE = 30;
/** Room for a word before a row, in whatever language. */
const roomOf = (word: string): number => 6.4 * word.length + 12;
/** Parts of the line for rows of tokens. */
const MOST_WAITING = 0.45;
const MOST_RESTING = 0.4;

/** The waiting threads of a CPU, in its pocket: the next to be served lowest. */
function inPocket(slot: Slot, waits: Waits, input: QueueInput, out: PlacedParts): void {
  const all = waits.count[slot.cpu] ?? 0;
  if (all === 0) return;
  const { pocket, token } = slotParts(slot.rect, slot.density);
  if (pocket.w <= 0) return;
  const isRow = pocket.w > pocket.h;
  // A waiting thread is what many a picture is about: it takes the room that is there, and its count what that needs.
  const counted = all <= IN_POCKET ? 0 : isRow ? MORE : COUNT;
  const length = (isRow ? pocket.w : pocket.h) - counted;
  const wanted = length < IN_POCKET * LEAST_OF_TWO ? 1 : Math.min(all, IN_POCKET);
  const most = Math.min(
    Math.max(WAITS_IN_POCKET, token.w * WAITING_SHARE),
    isRow ? pocket.h : pocket.w,
    length / wanted - 1,
  );
  const size = Math.max(Math.min(pocket.w, pocket.h, 7), most);
  // There is always room for one; a long enough pocket has room for a second one beside or above it.
  const room = length >= wanted * size ? wanted : 1;
  const right = pocket.x + pocket.w;
  const bottom = pocket.y + pocket.h;
  const left = pocket.x + Math.max(0, length - room * (size + 1)) / 2;
  for (let i = 0; i < room; i++) {
    const task = waits.first[slot.cpu * IN_POCKET + i] ?? -1;
    const own = input.isBackground(task) ? size * BACKGROUND_SCALE : size;
    const along = i * (size + 1) + size / 2;
    const [x, y] = isRow
      ? [left + along, pocket.y + pocket.h / 2]
      : [pocket.x + pocket.w / 2, bottom - along];
    out.placed.push({ task, kind: 'queue', cpu: slot.cpu, x, y, size: own });
  }
  const count = all - room;
  if (count <= 0) return;
  const y = isRow ? pocket.y + pocket.h / 2 : bottom - room * (size + 1) - 6;
  out.overflow.push({ x: isRow ? slot.rect.x + slot.rect.w - 2 : right, y, count });
}

/** Threads that a limit holds, in the box of their control group. */
function inBoxes({ limits }: MachineLayout, { held }: Waits, out: PlacedParts): void {
  limits.forEach((rect, i) => {
    const all = held.filter(({ box }) => box === i);
    const { tokens } = limitParts(rect);
    const { size, places } = tokenGrid(tokens, all.length);
    places.forEach(({ x, y }, at) => {
      const one = all[at];
      if (one) out.placed.push({ task: one.task, kind: 'held', cpu: one.cpu, x, y, size });
    });
    const count = all.length - places.length;
    if (count > 0) out.overflow.push({ x: tokens.x + tokens.w, y: tokens.y + tokens.h - 6, count });
  });
}

/** The waiting threads of the global queue, on the line: the next to be served first. Returns where they end. */
function onLine(layout: MachineLayout, waits: Waits, input: QueueInput, out: PlacedParts): number {
  const { line } = layout;
  const all = waits.ofAll.length;
  if (all === 0) return line.x;
  const word = roomOf(WAITING.text);
  const from = line.x + word;
  const width = line.w * MOST_WAITING - word;
  const most = layout.isWaitOnLine ? waitingSize(layout, Math.floor(width / all) - 3) : WAITS;
  const step = most + 3;
  const room = Math.max(1, Math.floor(width / step));
  const y = line.y + line.h / 2;
  const next = waits.next?.slice(0, room) ?? nextOf(waits.ofAll, room, input);
  next.forEach((task, i) => {
    const size = input.isBackground(task) ? most * BACKGROUND_SCALE : most;
    out.placed.push({ task, kind: 'queue', cpu: -1, x: from + i * step + most / 2, y, size });
  });
  const end = from + Math.min(room, all) * step;
  const count = all - room;
  if (count <= 0) return end;
  out.overflow.push({ x: end + MORE, y, count });
  return end + MORE;
}

/** The part of a running thread's size that is left beside the ring of its slice. */
const RINGLESS = 0.82;

/** In front of a class: as large as a running thread where there is room, at least half as large. */
function waitingSize({ line, slots }: MachineLayout, room: number): number {
  const [slot] = slots;
  const token = slot ? slotParts(slot.rect, slot.density).token.w : WAITS;
  const least = Math.max(WAITS, Math.ceil(token / 2));
  return Math.min(line.h - 4, Math.max(least, Math.min(token * RINGLESS, room)));
}

/** Room for the name of a CPU after the threads that wait for it. */
const CPU_NAME = 42;
/** Space between the queues of two CPUs. */
const APART = 10;

/** Whose queue it is; or when threads run again that a limit holds. */
function sayQueue(cpu: number, by: HeldBy | null, nowNs: number): string {
  if (!by) return `cpu ${String(cpu)}`;
  const { name, refillAtNs } = by.limit;
  return `${name} is back in ${duration(Math.max(0, refillAtNs - nowNs))}`;
}

/** A thread that waits alone. */
const sayThread = (name: string, by: HeldBy | null): string =>
  by ? `${name} stands still` : `${name} waits`;

/**
 * The waiting threads of all CPUs on the line, each before the name of its CPU, or before its own name if it is alone.
 * Those that find room under their CPU stand there, tied to it. Returns where they end.
 */
function onLineByCpu(
  layout: MachineLayout,
  waits: Waits,
  input: SceneInput,
  out: PlacedParts & { labels: Label[] },
  isExplained: boolean,
): number {
  const { line, slots } = layout;
  const queues = slots.filter(({ cpu }) => (waits.count[cpu] ?? 0) > 0);
  if (queues.length === 0) return line.x;
  const drawn = queues.reduce(
    (sum, { cpu }) => sum + Math.min(IN_POCKET, waits.count[cpu] ?? 0),
    0,
  );
  const named = queues.length * (CPU_NAME + APART + MORE);
  const size = waitingSize(layout, Math.floor((line.w * MOST_WAITING - named) / drawn) - 3);
  const y = line.y + line.h / 2;
  const isAlone = drawn === 1 && waits.count[queues[0]?.cpu ?? 0] === 1;
  const most = line.x + line.w * MOST_WAITING - size - CPU_NAME;
  let x = line.x + 4;
  let hidden = 0;
  for (const { cpu, rect } of queues) {
    const all = waits.count[cpu] ?? 0;
    if (hidden > 0 || (x > line.x + 4 && x > most)) {
      hidden += all;
      continue;
    }
    const middle = rect.x + rect.w / 2;
    const end = rect.y + rect.h;
    const isUnder = middle - size / 2 <= most && middle >= x && line.y - end < rect.h;
    if (isUnder) x = Math.max(x, middle - size / 2);
    const shown = Math.min(IN_POCKET, all);
    for (let i = 0; i < shown; i++) {
      const task = waits.first[cpu * IN_POCKET + i] ?? -1;
      const own = input.isBackground(task) ? size * BACKGROUND_SCALE : size;
      const stem = isUnder && i === 0 ? { stem: { x: middle, y: end } } : {};
      out.placed.push({ task, kind: 'queue', cpu, x: x + size / 2, y, size: own, ...stem });
      x += size + 3;
    }
    if (all > shown) {
      out.overflow.push({ x: x + MORE - 4, y, count: all - shown });
      x += MORE;
    }
    const first = waits.first[cpu * IN_POCKET] ?? -1;
    const by = heldOn(input, first, cpu);
    const name = isExplained && isAlone ? input.nameOf?.(first) : undefined;
    const text = name === undefined ? sayQueue(cpu, by, input.frame.nowNs) : sayThread(name, by);
    // Tied to its CPU, it needs no name where the words of the line have one.
    if (isAlone && isUnder && !isExplained && !by) continue;
    out.labels.push({ text, x: x + 2, cpu });
    x += (name === undefined && !by ? CPU_NAME : roomOf(text)) + APART;
  }
  if (hidden === 0) return out.labels.length > 0 ? x - APART : x + 4;
  out.overflow.push({ x: x + MORE, y, count: hidden });
  return x + MORE;
}

/** Threads that neither run nor wait, at the right end of the line. Returns where they begin. */
function resting(
  line: Rect,
  right: number,
  how: keyof typeof RESTING,
  tasks: readonly number[],
  out: PlacedParts & { labels: Label[] },
): number {
  if (tasks.length === 0) return right;
  const { text } = RESTING[how];
  const word = roomOf(text);
  const kind: PlaceKind = how === 'done' ? 'done' : 'sleep';
  const step = RESTS + 2;
  const room = Math.floor((line.w * (MOST_RESTING / 2) - word - MORE) / step);
  const y = line.y + line.h / 2;
  // Without room for tokens only the word gives their number.
  if (room < Math.min(2, tasks.length)) {
    const said = `${String(tasks.length)} ${text}`;
    const x = right - word - 7 * String(tasks.length).length - 6;
    out.labels.push({ text: said, x });
    return x - 10;
  }
  const count = tasks.length - room;
  const end = count > 0 ? right - MORE : right;
  if (count > 0) out.overflow.push({ x: right, y, count });
  const shown = tasks.slice(0, room);
  const from = end - shown.length * step;
  shown.forEach((task, i) => {
    out.placed.push({ task, kind, cpu: -1, x: from + i * step + RESTS / 2, y, size: RESTS });
  });
  out.labels.push({ text, x: from - word });
  return from - word - 10;
}

/** Places everything. */
export function sceneOf(layout: MachineLayout, input: SceneInput, shown: Shown): Scene {
  const { frame } = input;
  const labels: Label[] = [];
  const out = { placed: [] as Placed[], overflow: [] as Overflow[], labels };
  const state = frame.task('state');
  const cpu = frame.task('cpu');
  const [asleep, stopped, finished]: [number[], number[], number[]] = [[], [], []];
  for (let task = 0; task < frame.tasks; task++) {
    const s = state[task];
    const isDaemon = input.isBackground(task);
    if (s === TaskState.running) {
      const slot = layout.slots[cpu[task] ?? -1];
      if (!slot || (isDaemon && !shown.daemons)) continue;
      const { token } = slotParts(slot.rect, slot.density);
      out.placed.push({
        task,
        kind: 'slot',
        cpu: slot.cpu,
        x: token.x + token.w / 2,
        y: token.y + token.h / 2,
        size: isDaemon ? token.w * BACKGROUND_SCALE : token.w,
      });
    } else if (isDaemon) continue;
    else if (s === TaskState.sleeping) asleep.push(task);
    else if (s === TaskState.stopped) stopped.push(task);
    else if (s === TaskState.finished) finished.push(task);
  }
  const { line } = layout;
  const waits = shown.first
    ? waitsAt(shown.first, frame.cpus)
    : waitingOf(input, shown, layout.limits.length);
  shown.first?.onCpu.forEach((task, at) => {
    const slot = layout.slots[at];
    if (!slot) return;
    const { token } = slotParts(slot.rect, slot.density);
    const { x, y } = centre(token);
    out.placed.push({ task, kind: 'slot', cpu: at, x, y, size: token.w });
  });
  let left = line.x;
  if (shown.queues) {
    inBoxes(layout, waits, out);
    if (layout.isWaitOnLine)
      left = onLineByCpu(layout, waits, input, out, shown.isBusyOnly === true);
    else for (const slot of layout.slots) inPocket(slot, waits, input, out);
    left = Math.max(left, onLine(layout, waits, input, out));
    if (waits.ofAll.length > 0) labels.push({ ...WAITING, x: line.x + 4 });
  }
  let right = line.x + line.w - 4;
  if (shown.isBusyOnly !== true) {
    right = resting(line, right, 'done', finished, out);
    right = resting(line, right, 'stop', stopped, out);
    right = resting(line, right, 'sleep', asleep, out);
  }
  const from = left === line.x ? line.x + 4 : left + 8;
  return {
    ...out,
    words: { x: from, y: line.y, w: Math.max(0, right - from), h: line.h },
    waiting: waits.jobs,
    movable: waits.movable,
    held: waits.held.length,
    begins: shown.first?.onCpu ?? NOBODY,
  };
}

const NOBODY: ReadonlyMap<number, number> = new Map();

/** The waiting threads by queue. */
interface Waits {
  /** By CPU: the number of waiting threads, and the first few of them. */
  readonly count: Uint32Array;
  readonly first: Int32Array;
  /** Rows of the global queue. */
  readonly ofAll: readonly number[];
  /** Its threads in their order, where they are not those of the frame. */
  readonly next?: readonly number[];
  readonly jobs: number;
  readonly movable: number;
  /** Threads that a limit holds; `box`: the number of the limit, where it has a box. */
  readonly held: readonly { readonly task: number; readonly cpu: number; readonly box: number }[];
}

/** The threads that will wait, before they do. */
function waitsAt({ waits }: FirstPlaces, cpus: number): Waits {
  const count = new Uint32Array(cpus);
  const first = new Int32Array(cpus * IN_POCKET);
  const next: number[] = [];
  for (const [task, cpu] of waits) {
    const n = count[cpu] ?? 0;
    if (cpu < 0) next.push(task);
    else if (n < IN_POCKET) first[cpu * IN_POCKET + n] = task;
    if (cpu >= 0) count[cpu] = n + 1;
  }
  return { count, first, ofAll: next, next, jobs: waits.size, movable: 0, held: [] };
}

function waitingOf(input: SceneInput, { daemons, queues }: Shown, boxes: number): Waits {
  const { frame, limits } = input;
  const allowed = frame.task('allowedCount');
  const waiters = frame.waiters();
  const count = new Uint32Array(frame.cpus);
  const first = new Int32Array(frame.cpus * IN_POCKET);
  const ofAll: number[] = [];
  const held: Waits['held'][number][] = [];
  let [jobs, movable] = [0, 0];
  for (let row = 0; row < waiters.length; row++) {
    const task = waiters.task(row);
    const isDaemon = input.isBackground(task);
    if (!isDaemon) jobs += 1;
    // Before a run begins nobody has been refused.
    if (!isDaemon && frame.nowNs > 0 && (allowed[task] ?? 0) >= frame.cpus) movable += 1;
    if (!queues || (isDaemon && !daemons)) continue;
    const cpu = waiters.queue(row);
    const by = limits.length > 0 && allowed[task] === 0 ? heldOn(input, task, cpu) : null;
    const box = by ? limits.indexOf(by.limit) : -1;
    if (by) held.push({ task, cpu, box });
    if (by && box < boxes) continue;
    if (cpu < 0) ofAll.push(row);
    else {
      const n = count[cpu] ?? 0;
      if (n < IN_POCKET) first[cpu * IN_POCKET + n] = task;
      count[cpu] = n + 1;
    }
  }
  return { count, first, ofAll, jobs, movable, held };
}

/** The first few threads of some rows: by deadline if the queue has deadlines, else in order. */
function nextOf(
  rows: readonly number[],
  most: number,
  { frame, shape }: QueueInput,
): readonly number[] {
  const waiters = frame.waiters();
  const taskOf = (row: number) => waiters.task(row);
  if (shape.global[0]?.kind !== 'deadlines') return rows.slice(0, most).map(taskOf);
  // Sorts only these few: there may be hundreds.
  const next: number[] = [];
  for (const row of rows) {
    const key = waiters.key(row);
    let at = next.length;
    while (at > 0 && waiters.key(next[at - 1] ?? 0) > key) at -= 1;
    if (at >= most) continue;
    next.splice(at, 0, row);
    if (next.length > most) next.pop();
  }
  return next.map(taskOf);
}
