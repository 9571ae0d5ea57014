/** Paints slots and what they say about their threads: names, speed, and what slows them by cause. */
import { causeToken } from '../../lib/color';
import { percent } from '../../lib/format';
import type { Rect } from '../../lib/geom';
import { CpuState } from '../../sim/frame';
import type { Slot } from './layout';
import type { Trail } from './motion';
import {
  CHURN_FROM,
  fitText,
  groupName,
  hatch,
  hueOf,
  isBackground,
  type Picture,
  roundRect,
  setFont,
  widthOf,
} from './picture';
import { slotParts } from './slot';

/** Speed below which a thread counts as slowed; ticks and switches alone cost less. */
const SLOWED_BELOW = 0.945;

/** Machines of at most so many CPUs have all their words over the moves. */
const FEW = 16;

const NONE: ReadonlySet<number> = new Set();

/** CPUs whose words moves cross, so that they would be hard to read under these. */
export function crossedBy(trails: readonly Trail[], slots: readonly Slot[]): ReadonlySet<number> {
  if (trails.length === 0) return NONE;
  const cpus =
    slots.length <= FEW ? slots.map((s) => s.cpu) : trails.flatMap((t) => [t.from, t.to]);
  return new Set(cpus.filter((cpu) => slots[cpu]?.density !== 'dot'));
}

/** Paints one slot, without its thread and without words that are lifted. */
export function paintSlot(p: Picture, slot: Slot): void {
  paintSlotGround(p, slot);
  if (slot.density !== 'dot' && !p.lifted.has(slot.cpu)) paintSlotWords(p, slot);
}

function paintSlotGround(p: Picture, slot: Slot): void {
  const { ctx, frame, theme } = p;
  const isBusy = (frame.cpu('curr')[slot.cpu] ?? -1) >= 0;
  roundRect(ctx, slot.rect, slot.density === 'dot' ? 1 : 6);
  if (isBusy) {
    ctx.fillStyle = theme.slot;
    ctx.fill();
  }
  ctx.lineWidth = 1;
  ctx.strokeStyle = !isBusy && slot.density === 'dot' ? theme.edge : theme.hair;
  ctx.stroke();
  if (p.selectedCpu !== slot.cpu) return;
  ctx.strokeStyle = theme.accent;
  ctx.lineWidth = 2.5;
  ctx.stroke();
  ctx.lineWidth = 1;
}

/** Paints what a slot says. */
export function paintSlotWords(p: Picture, slot: Slot): void {
  const task = p.frame.cpu('curr')[slot.cpu] ?? -1;
  if (task < 0) {
    paintIdle(p, slot, p.frame.cpu('state')[slot.cpu] ?? 0);
    return;
  }
  const parts = slotParts(slot.rect, slot.density);
  if (slot.density === 'square') paintNumberBeside(p, slot, parts.token);
  if (parts.text) paintRunning(p, slot, task, parts.text);
  paintSpeedBar(p, task, parts.bar);
}

function cpuName(p: Picture, slot: Slot): string {
  const full = `cpu ${String(slot.cpu)}`;
  return widthOf(p.ctx, full) <= slot.rect.w - 10 ? full : String(slot.cpu);
}

/** Number of the CPU, in the upper left of its slot. */
function paintCpuName(p: Picture, slot: Slot): void {
  const { ctx, theme } = p;
  const px = Math.min(15, Math.max(10.5, Math.min(slot.rect.w * 0.16, slot.rect.h * 0.2)));
  setFont(p, px);
  ctx.textAlign = 'left';
  ctx.fillStyle = theme.muted;
  ctx.fillText(cpuName(p, slot), slot.rect.x + 8, slot.rect.y + 6 + px * 0.5);
}

/** Number of the CPU in the corner beside a token, where there is room for it. */
function paintNumberBeside(p: Picture, { cpu, rect }: Slot, token: Rect): void {
  const { ctx, theme } = p;
  setFont(p, 10);
  // All of a machine have their numbers, or none.
  if (widthOf(ctx, String(p.frame.cpus - 1)) > token.x - rect.x - 2) return;
  ctx.textAlign = 'left';
  ctx.fillStyle = theme.muted;
  ctx.fillText(String(cpu), rect.x + 2, rect.y + 7);
}

function paintIdle(p: Picture, slot: Slot, state: number): void {
  const { ctx, theme } = p;
  const { rect } = slot;
  const isWakingUp = state === CpuState.signalled;
  const word = isWakingUp ? 'waking' : state === CpuState.overhead ? 'switching' : 'idle';
  ctx.textAlign = 'center';
  ctx.fillStyle = theme.muted;
  if (slot.density === 'square') {
    const px = Math.min(12, rect.w * 0.3);
    if (px < 7) return;
    setFont(p, px);
    fitText(ctx, String(slot.cpu), rect.x + rect.w / 2, rect.y + rect.h / 2, rect.w);
    return;
  }
  const px = Math.min(19, Math.max(12, Math.min(rect.h, rect.w) * 0.17));
  paintCpuName(p, slot);
  ctx.textAlign = 'center';
  setFont(p, px);
  fitText(ctx, word, rect.x + rect.w / 2, rect.y + rect.h / 2 + px * 0.3, rect.w - 12);
}

/** Name of the thread, its CPU, and how fast it runs compared with being alone. */
function paintRunning(p: Picture, slot: Slot, task: number, text: Rect): void {
  const { ctx, theme, names } = p;
  const churn = p.churn[slot.cpu] ?? 0;
  const name = churn >= CHURN_FROM ? 'take turns' : (names.tasks[task] ?? '');
  const rate = p.frame.task('rate')[task] ?? 0;
  const isSlowed = rate > 0 && rate < SLOWED_BELOW;
  if (slot.density === 'tall') {
    // The longest that must be read, `100 %`, has to fit.
    const px = Math.min(22, text.h * 0.78, text.w / 2.9);
    paintCpuName(p, slot);
    ctx.textAlign = 'center';
    setFont(p, px, isSlowed ? 650 : 400);
    ctx.fillStyle = isSlowed ? theme.ink : theme.muted;
    // The number is on the token: the name of the group is enough where there is no room for both.
    const short = widthOf(ctx, name) <= text.w ? name : groupName(name);
    const words = isSlowed || rate === 0 ? percent(rate) : short;
    fitText(ctx, words, text.x + text.w / 2, text.y + text.h * 0.45, text.w);
    return;
  }
  // A name that cannot be read is left out: its number is on the token.
  setFont(p, 11, 600);
  const lines = text.h >= 50 && widthOf(ctx, name) <= text.w ? 3 : 2;
  const px = Math.min(22, Math.max(11.5, text.h / (lines + 1.1)), Math.max(9.5, text.w / 3.5));
  const step = text.h / lines;
  const y = (i: number) => text.y + step * (i + 0.5);
  ctx.textAlign = 'left';
  ctx.fillStyle = theme.muted;
  setFont(p, Math.max(10.5, px * 0.82));
  fitText(ctx, `cpu ${String(slot.cpu)}`, text.x, y(0), text.w);
  ctx.fillStyle = theme.ink;
  setFont(p, px, isBackground(p, task) ? 400 : 600);
  if (lines === 2) {
    fitText(ctx, rate > 0 ? percent(rate) : name, text.x, y(1), text.w);
    return;
  }
  fitText(ctx, name, text.x, y(1), text.w);
  setFont(p, px, isSlowed ? 650 : 400);
  ctx.fillStyle = isSlowed ? theme.ink : theme.muted;
  if (rate > 0) fitText(ctx, percent(rate), text.x, y(2), text.w);
}

/** The speed bar: useful work in the hue of the thread, then what takes the rest, by cause. */
function paintSpeedBar(p: Picture, task: number, bar: Rect): void {
  if (bar.h < 2) return;
  const { ctx, frame, theme } = p;
  ctx.save();
  roundRect(ctx, bar, Math.min(3, bar.h / 2));
  ctx.clip();
  ctx.fillStyle = theme.hair;
  ctx.fillRect(bar.x, bar.y, bar.w, bar.h);
  const own = hueOf(p, task);
  let x = bar.x;
  const { causes, nowOf } = frame.schema;
  for (let i = 0; i < causes.length; i++) {
    const part = frame.task(nowOf[i] ?? '')[task] ?? 0;
    const w = Math.max(0, part) * bar.w;
    const token = causeToken(causes[i] ?? '');
    ctx.fillStyle = token === null ? own : theme.of(token);
    if (w > 0) {
      ctx.fillRect(x, bar.y, w, bar.h);
      if (token !== null) hatch(ctx, { x, y: bar.y, w, h: bar.h }, theme.slot);
    }
    x += w;
  }
  ctx.restore();
}
