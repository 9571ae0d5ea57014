/** Paints the machine itself: areas, slots and what a slot says about its thread. */
import { causeToken } from '../../lib/color';
import { percent } from '../../lib/format';
import type { Rect } from '../../lib/geom';
import { CpuState } from '../../sim/frame';
import { type Slot, slotParts } from './layout';
import { paintMoves } from './paint-moves';
import { paintAxis, paintColumns, paintOverflow, paintTray } from './paint-queue';
import { paintCursor, paintTokens } from './paint-tokens';
import { CHURN_FROM, fitText, isBackground, type Picture, roundRect, setFont } from './picture';

/** Speed below which a thread counts as slowed; ticks and switches alone cost less. */
const SLOWED_BELOW = 0.945;

/** Paints everything, back to front. */
export function paintMachine(p: Picture): void {
  const { ctx, layout } = p;
  ctx.clearRect(0, 0, layout.width, layout.height);
  ctx.textBaseline = 'middle';
  paintAreas(p);
  for (const slot of layout.slots) paintSlotGround(p, slot);
  paintMoves(p);
  if (layout.density !== 'dot') for (const slot of layout.slots) paintSlotWords(p, slot);
  if (p.scene.axis) paintAxis(p, p.scene.axis);
  else paintColumns(p, p.scene.columns);
  paintTray(p);
  paintTokens(p);
  paintOverflow(p);
  if (p.cursor) paintCursor(p, p.cursor);
}

function label(p: Picture, text: string, r: Rect, px: number): void {
  setFont(p, px);
  p.ctx.fillStyle = p.theme.muted;
  p.ctx.textAlign = 'left';
  fitText(p.ctx, text, r.x + 7, r.y + px * 0.85 + 2, r.w - 14);
}

/** Cores with no workload thread on any of their CPUs. */
function idleCores(p: Picture): ReadonlySet<number> {
  const curr = p.frame.cpu('curr');
  const busy = new Set<number>();
  p.tree.core.forEach((core, cpu) => {
    if ((curr[cpu] ?? -1) >= 0) busy.add(core);
  });
  return new Set(p.layout.cores.map((c) => c.id).filter((id) => !busy.has(id)));
}

function paintAreas(p: Picture): void {
  const { ctx, layout, theme } = p;
  ctx.lineWidth = 1;
  if (layout.nodeLabel > 0) {
    for (const node of layout.nodes) {
      ctx.strokeStyle = theme.hair;
      ctx.lineWidth = 1;
      roundRect(ctx, node.rect, 8);
      ctx.stroke();
      label(p, `node ${String(node.id)}`, node.rect, 11);
    }
  }
  if (layout.llcLabel > 0) {
    for (const llc of layout.llcs) {
      ctx.strokeStyle = theme.hair;
      roundRect(ctx, llc.rect, 6);
      ctx.stroke();
      label(p, p.llcName, llc.rect, 11);
    }
  }
  const idle = idleCores(p);
  for (const core of layout.cores) {
    const isIdle = idle.has(core.id);
    roundRect(ctx, core.rect, layout.density === 'dot' ? 2 : 8);
    ctx.fillStyle = isIdle ? theme.coreIdle : theme.core;
    ctx.fill();
    ctx.setLineDash(isIdle && layout.density !== 'dot' ? [4, 4] : []);
    ctx.strokeStyle = isIdle ? theme.edge : theme.hair;
    ctx.stroke();
    ctx.setLineDash([]);
    if (layout.coreLabel > 0)
      label(p, `core ${String(core.id)}${isIdle ? ' · idle' : ''}`, core.rect, 12);
  }
}

function paintSlotGround(p: Picture, slot: Slot): void {
  const { ctx, frame, layout, theme } = p;
  const isBusy = (frame.cpu('curr')[slot.cpu] ?? -1) >= 0;
  roundRect(ctx, slot.rect, layout.density === 'dot' ? 1 : 6);
  if (isBusy) {
    ctx.fillStyle = theme.slot;
    ctx.fill();
  }
  ctx.lineWidth = 1;
  ctx.strokeStyle = !isBusy && layout.density === 'dot' ? theme.edge : theme.hair;
  ctx.stroke();
  if (p.selectedCpu !== slot.cpu) return;
  ctx.strokeStyle = theme.accent;
  ctx.lineWidth = 2.5;
  ctx.stroke();
  ctx.lineWidth = 1;
}

function paintSlotWords(p: Picture, slot: Slot): void {
  const task = p.frame.cpu('curr')[slot.cpu] ?? -1;
  if (task < 0) {
    paintIdle(p, slot, p.frame.cpu('state')[slot.cpu] ?? 0);
    return;
  }
  const parts = slotParts(slot.rect, p.layout.density);
  if (parts.text) paintRunning(p, slot, task, parts.text);
  paintSpeedBar(p, task, parts.bar);
}

function cpuName(p: Picture, slot: Slot): string {
  const full = `cpu ${String(slot.cpu)}`;
  return p.ctx.measureText(full).width <= slot.rect.w - 10 ? full : String(slot.cpu);
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

function paintIdle(p: Picture, slot: Slot, state: number): void {
  const { ctx, layout, theme } = p;
  const { rect } = slot;
  const isWakingUp = state === CpuState.signalled;
  const word = isWakingUp ? 'waking' : state === CpuState.overhead ? 'switching' : 'idle';
  ctx.textAlign = 'center';
  ctx.fillStyle = theme.muted;
  if (layout.density === 'square') {
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
  const name = churn >= CHURN_FROM ? 'in turn' : (names.tasks[task] ?? '');
  const rate = p.frame.task('rate')[task] ?? 0;
  const isSlowed = rate > 0 && rate < SLOWED_BELOW;
  if (p.layout.density === 'tall') {
    const px = Math.min(22, text.h * 0.78);
    paintCpuName(p, slot);
    ctx.textAlign = 'center';
    setFont(p, px, isSlowed ? 650 : 400);
    ctx.fillStyle = isSlowed ? theme.ink : theme.muted;
    const words = isSlowed || rate === 0 ? percent(rate) : name;
    fitText(ctx, words, text.x + text.w / 2, text.y + text.h * 0.45, text.w);
    return;
  }
  const lines = text.h >= 50 ? 3 : 2;
  const px = Math.min(22, Math.max(11.5, text.h / (lines + 1.1)));
  const step = text.h / lines;
  const y = (i: number) => text.y + step * (i + 0.5);
  ctx.textAlign = 'left';
  ctx.fillStyle = theme.muted;
  setFont(p, px * 0.82);
  fitText(ctx, `cpu ${String(slot.cpu)}`, text.x, y(0), text.w);
  ctx.fillStyle = theme.ink;
  setFont(p, px, isBackground(p, task) ? 400 : 600);
  if (lines === 2) {
    fitText(ctx, isSlowed ? percent(rate) : name, text.x, y(1), text.w);
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
  const radius = Math.min(3, bar.h / 2);
  ctx.save();
  roundRect(ctx, bar, radius);
  ctx.clip();
  ctx.fillStyle = theme.hair;
  ctx.fillRect(bar.x, bar.y, bar.w, bar.h);
  const group = p.names.taskGroup[task] ?? 0;
  const own = isBackground(p, task)
    ? theme.of('--background-thread')
    : theme.of(`--group-${String(group % 8)}`);
  let x = bar.x;
  for (const cause of frame.schema.causes) {
    const part = frame.task(`now:${cause}`)[task] ?? 0;
    const w = Math.max(0, part) * bar.w;
    const token = causeToken(cause);
    ctx.fillStyle = token === null ? own : theme.of(token);
    if (w > 0) {
      ctx.fillRect(x, bar.y, w, bar.h);
      if (token !== null) hatch(ctx, { x, y: bar.y, w, h: bar.h }, theme.slot);
    }
    x += w;
  }
  ctx.restore();
}

/** Lost time is hatched, so that colour is not all that tells it from work. */
function hatch(ctx: CanvasRenderingContext2D, r: Rect, color: string): void {
  ctx.strokeStyle = color;
  ctx.globalAlpha = 0.55;
  ctx.lineWidth = 1;
  ctx.beginPath();
  for (let x = r.x + 2; x < r.x + r.w + r.h; x += 5) {
    ctx.moveTo(Math.min(x, r.x + r.w), r.y + Math.max(0, x - r.x - r.w));
    ctx.lineTo(Math.max(r.x, x - r.h), r.y + Math.min(r.h, x - r.x));
  }
  ctx.stroke();
  ctx.globalAlpha = 1;
}
