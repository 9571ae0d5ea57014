/** Where each thread of a frame stands in the layout: a pure function, one true state at a time. */
import { TaskState } from '../../sim/frame';
import type { MachineTree } from '../../sim/types/MachineTree';
import { cpuOrder } from './areas';
import type { MachineLayout } from './layout';
import { BACKGROUND_SCALE, type Out, type Overflow, type Placed, type PlaceKind } from './placed';
import type { QueueInput } from './queues/input';
import { type Strip, stripsIn } from './queues/strip';
import { slotParts } from './slot';

/** Everything that is drawn of a frame. */
export interface Scene {
  readonly placed: readonly Placed[];
  /** Who waits, in the form of the scheduler's queues. */
  readonly strips: readonly Strip[];
  readonly overflow: readonly Overflow[];
  /** Threads that sleep and that have finished, without those of the background. */
  readonly asleep: number;
  readonly finished: number;
  /** Background threads that sleep; they are only counted. */
  readonly dozing: number;
}

/** What the scene needs to know of the lane. */
export interface SceneInput extends QueueInput {
  readonly tree: MachineTree;
}

/** Width of the word before a row of the tray, and of the number after it. */
const WORDS = 62;
const MORE = 46;
/** Width of the number of moves at the right. */
const MOVES = 130;

/** Sleeping and finished threads, in a row at the bottom. */
function inTray(
  layout: MachineLayout,
  tasks: { sleep: number[]; done: number[] },
  { placed, overflow }: Out,
): void {
  const { tray } = layout;
  const size = Math.min(20, tray.h - 8);
  const half = tray.w / 2;
  const put = (kind: PlaceKind, list: number[], from: number, width: number) => {
    // Beside them stands what they are, and how many more there are.
    const inside = width - WORDS - MORE;
    const room = Math.max(0, Math.floor(inside / (size + 3)));
    list.slice(0, room).forEach((task, i) => {
      placed.push({
        task,
        kind,
        cpu: -1,
        x: from + WORDS + i * (size + 3) + size / 2,
        y: tray.y + tray.h / 2,
        size,
      });
    });
    const count = list.length - room;
    // Without room for anybody the words of the row say how many there are.
    if (count <= 0 || room === 0) return;
    const end = from + WORDS + room * (size + 3) + 8 + 7.7 * String(count).length + 8;
    overflow.push({ x: end, y: tray.y + tray.h / 2, count });
  };
  // Until somebody has finished, those who sleep have all of it but the place where moves are counted.
  const isAlone = tasks.done.length === 0;
  const alone = Math.max(half, tray.w - Math.min(MOVES, tray.w * 0.35));
  put('sleep', tasks.sleep, tray.x, isAlone ? alone : half);
  put('done', tasks.done, tray.x + half, half);
}

/** Places everything. */
export function sceneOf(layout: MachineLayout, input: SceneInput): Scene {
  const { frame } = input;
  const placed: Placed[] = [];
  const overflow: Overflow[] = [];
  const state = frame.task('state');
  const cpu = frame.task('cpu');
  const tray = { sleep: [] as number[], done: [] as number[] };
  let dozing = 0;
  for (let task = 0; task < frame.tasks; task++) {
    const s = state[task];
    const isBackground = input.isBackground(task);
    if (s === TaskState.running) {
      const slot = layout.slots[cpu[task] ?? -1];
      if (!slot) continue;
      const { token } = slotParts(slot.rect, slot.density);
      const size = isBackground ? token.w * BACKGROUND_SCALE : token.w;
      placed.push({
        task,
        kind: 'slot',
        cpu: slot.cpu,
        x: token.x + token.w / 2,
        y: token.y + token.h / 2,
        size,
      });
    } else if (s === TaskState.sleeping) {
      if (isBackground) dozing += 1;
      else tray.sleep.push(task);
    } else if (s === TaskState.finished && !isBackground) {
      tray.done.push(task);
    }
  }
  const out = { placed, overflow };
  const strips = stripsIn(layout.queue, cpuOrder(input.tree), input, out);
  inTray(layout, tray, out);
  const [asleep, finished] = [tray.sleep.length, tray.done.length];
  return { placed, strips, overflow, asleep, finished, dozing };
}
