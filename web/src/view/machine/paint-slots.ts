/**
 * Paints slots: the CPU, the speed of its thread, the causes that slow it, or the threads that had it in the last
 * drawn second.
 */
import { standsForOthers } from '../../lib/thread-hues';
import { labelsOf } from '../../lib/thread-labels';
import { causeToken, heatToken } from '../../lib/color';
import { count } from '../../lib/format';
import type { Rect } from '../../lib/geom';
import { CpuState } from '../../sim/frame';
import { paintGhost } from './ghost';
import type { Slot } from './layout';
import {
  fitText,
  hatch,
  hueOf,
  isBackground,
  type Picture,
  roundRect,
  setFont,
  strengthOf,
  widthOf,
} from './picture';
import { numberAt, type NumberPlace, slotParts } from './slot';
import type { Band } from './totals';

/** Bands narrower than this have no number. */
const NUMBERED = 7.5;
/** Height of a slot from which on the CPU's number stands above the bands. */
const TALL = 40;

/** Paints one slot, without its thread. */
export function paintSlot(p: Picture, slot: Slot): void {
  const task = p.frame.cpu('curr')[slot.cpu] ?? -1;
  const isBanded = p.banded.has(slot.cpu);
  const jobs = p.jobsOn?.[slot.cpu];
  if (jobs !== undefined) {
    paintCount(p, slot, jobs);
    return;
  }
  const bands = isBanded ? p.bandsOf(slot.cpu) : [];
  const begins = p.scene.begins.has(slot.cpu);
  const isIdle = isBanded ? bands.length === 0 : task < 0 && !begins;
  const isHidden = task >= 0 && !p.showDaemons && isBackground(p, task);
  // Daemons come and go too fast for a ground of their own: it would flash.
  paintSlotGround(p, slot, isIdle, isIdle || (isHidden && !isBanded));
  if (isBanded) {
    if (bands.length > 0) paintBands(p, slot, bands);
    if (slot.rect.h >= TALL) paintCpuNumber(p, slot, true);
    return;
  }
  if (slot.density === 'dot') return;
  paintCpuNumber(p, slot, isIdle);
  if (begins) return;
  if (p.ghost?.cpu === slot.cpu) paintGhost(p, slot, p.ghost);
  else if (task < 0) {
    paintWord(p, slot, wordOf(p, slot.cpu));
    if (p.scene.held > 0 && p.scene.movable === 0) paintMayNot(p, slot);
  } else if (isHidden) paintWord(p, slot, hiddenWord(p, task));
  else {
    const { bar } = slotParts(slot.rect, slot.density);
    paintSpeedBar(p, task, { ...bar, w: numberOf(p, slot)?.barW ?? bar.w });
  }
}

/** What stands for a thread that is not drawn. */
function hiddenWord({ names }: Picture, task: number): string {
  // @wc-include
  const [others, daemon] = ['others', 'daemon'];
  return standsForOthers(names, task) ? others : daemon;
}

function wordOf({ frame }: Picture, cpu: number): string {
  const state = frame.nowNs === 0 ? CpuState.idle : frame.cpu('state')[cpu];
  if (state === CpuState.signalled) return 'waking';
  return state === CpuState.overhead ? 'switching' : 'idle';
}

/** A slot without a job is dashed; an idle one is crimson if a thread waits elsewhere that may run here. */
function paintSlotGround(p: Picture, slot: Slot, isIdle: boolean, isFree = isIdle): void {
  const { ctx, theme } = p;
  const isDot = slot.density === 'dot';
  roundRect(ctx, slot.rect, isDot ? 1 : 6);
  if (!isFree) {
    ctx.fillStyle = theme.slot;
    ctx.fill();
  }
  const isAsked = p.layout.isWaitOnLine ? p.refused.some(({ to }) => to === slot.cpu) : true;
  const isWanted = isIdle && isAsked && p.scene.movable > 0;
  const isStrong = isWanted && p.layout.isWaitOnLine;
  ctx.lineWidth = isDot ? 1 : isStrong ? 2.5 : isWanted ? 2 : 1;
  ctx.strokeStyle = isWanted ? theme.accent : isFree ? theme.edge : theme.hair;
  ctx.setLineDash(isFree && !isDot && !isStrong ? [4, 3] : []);
  ctx.stroke();
  ctx.setLineDash([]);
  if (p.selectedCpu === slot.cpu) {
    ctx.strokeStyle = theme.accent;
    ctx.lineWidth = 2.5;
    ctx.stroke();
  }
  ctx.lineWidth = 1;
}

/** The middle of a CPU's name below the edge of its slot, as a part of its size: a selected token's ring is below it. */
const NAME_MIDDLE = 0.57;

/** Number of the CPU, at the right of its slot, where the token leaves room; in an idle slot, where the word does. */
function paintCpuNumber(p: Picture, { cpu, rect, density }: Slot, isFree: boolean): void {
  const { ctx, theme } = p;
  const px = numberPx(rect);
  setFont(p, px);
  if (density === 'named') {
    ctx.textAlign = 'center';
    ctx.fillStyle = theme.muted;
    ctx.fillText(`cpu ${String(cpu)}`, rect.x + rect.w / 2, rect.y + px * NAME_MIDDLE);
    return;
  }
  const free = isFree && rect.h >= TALL ? { x: rect.x + rect.w - 4, y: rect.y + px * 0.7 } : null;
  const at = free ?? numberOf(p, { rect, density });
  if (!at) return;
  ctx.textAlign = 'right';
  ctx.fillStyle = theme.muted;
  ctx.fillText(String(cpu), at.x, at.y);
}

/** The place of the number beside a token: the same for all CPUs of a machine. */
function numberOf(p: Picture, slot: Pick<Slot, 'rect' | 'density'>): NumberPlace | null {
  const { rect, density } = slot;
  if (density === 'named') return null;
  const px = numberPx(rect);
  setFont(p, px);
  const width = widthOf(p.ctx, String(p.frame.cpus - 1));
  return numberAt(rect, slotParts(rect, density), width, px);
}

const numberPx = ({ w, h }: Rect) => (Math.min(w, h) >= 90 ? 14 : 12);

/** A word for a CPU that runs no thread of the workload. */
function paintWord(p: Picture, { rect }: Slot, word: string): void {
  const { ctx, theme } = p;
  setFont(p, Math.min(19, Math.max(12, Math.min(rect.h, rect.w) * 0.17)));
  if (widthOf(ctx, word) > rect.w - 6) return;
  ctx.textAlign = 'center';
  ctx.fillStyle = theme.muted;
  fitText(ctx, word, rect.x + rect.w / 2, rect.y + rect.h / 2 + 2, rect.w - 6);
}

/** An idle CPU beside threads that a limit holds: it may not take them. */
function paintMayNot(p: Picture, { rect }: Slot): void {
  const { ctx, theme, limits } = p;
  const names = limits.filter(({ held }) => held.length > 0).map(({ name }) => name);
  const px = 12;
  if (rect.h < 64 || names.length === 0) return;
  setFont(p, px);
  ctx.textAlign = 'center';
  ctx.fillStyle = theme.muted;
  const text = `${names.join(', ')} may not`;
  const word = Math.min(19, Math.max(12, Math.min(rect.h, rect.w) * 0.17));
  if (widthOf(ctx, text) <= rect.w - 6)
    ctx.fillText(text, rect.x + rect.w / 2, rect.y + rect.h / 2 + 2 + (word + px) * 0.66);
}

/** Number of a CPU's workload threads, running and waiting: darker for more. */
function paintCount(p: Picture, slot: Slot, jobs: number): void {
  const { ctx, theme } = p;
  const { rect } = slot;
  paintSlotGround(p, slot, jobs === 0);
  const text = count(jobs);
  const px = Math.min(18, rect.h * 0.6);
  setFont(p, px, 650);
  const fill = jobs === 0 ? theme.coreIdle : theme.of(heatToken(jobs));
  if (jobs > 0) {
    ctx.fillStyle = fill;
    roundRect(ctx, { x: rect.x, y: rect.y, w: rect.w, h: rect.h }, Math.min(5, rect.w * 0.15));
    ctx.fill();
  }
  if (px < 8 || widthOf(ctx, text) > rect.w - 2) return;
  ctx.textAlign = 'center';
  ctx.fillStyle = jobs === 0 ? theme.muted : theme.on(fill);
  ctx.fillText(text, rect.x + rect.w / 2, rect.y + rect.h / 2 + 0.5);
}

/** The place of a slot's bands. */
export function bandRect({ rect }: Slot): Rect {
  const top = Math.min(rect.w, rect.h) >= 90 ? 20 : rect.h >= TALL ? 15 : 2;
  const pad = rect.w < 10 ? 0.5 : 2;
  return { x: rect.x + pad, y: rect.y + top, w: rect.w - 2 * pad, h: rect.h - top - pad };
}

/** The threads that had a CPU: a band for each, as wide as its part of the time. */
function paintBands(p: Picture, slot: Slot, bands: readonly Band[]): void {
  const { ctx, theme } = p;
  const area = bandRect(slot);
  ctx.save();
  roundRect(ctx, area, Math.min(4, area.w * 0.15));
  ctx.clip();
  let { x } = area;
  for (const { task, part } of bands) {
    const w = part * area.w;
    ctx.globalAlpha = strengthOf(p, task);
    const hue = task < 0 ? theme.of('--background-thread') : hueOf(p, task);
    ctx.fillStyle = hue;
    // One pixel of ground separates two threads of the same hue.
    const gap = w > 4 && bands.length > 1 ? 0.75 : 0;
    ctx.fillRect(x, area.y, w - gap, area.h);
    if (task >= 0) paintBandNumber(p, task, hue, { x, y: area.y, w, h: area.h });
    if (p.selected === task) {
      ctx.strokeStyle = theme.accent;
      ctx.lineWidth = Math.min(3, w / 2);
      const half = ctx.lineWidth / 2;
      ctx.strokeRect(x + half, area.y + half, w - 2 * half, area.h - 2 * half);
    }
    x += w;
  }
  ctx.globalAlpha = 1;
  ctx.restore();
}

function paintBandNumber(p: Picture, task: number, hue: string, r: Rect): void {
  if (r.w < NUMBERED || r.h < 12) return;
  const { ctx, theme } = p;
  const name = labelsOf(p.names)[task] ?? '';
  // Names of neighbours do not run into each other.
  const room = r.w - 3;
  const px = Math.min(22, r.h * 0.55, 5 + (room / name.length) * 0.9);
  if (px < 10) return;
  setFont(p, px, 650);
  if (widthOf(ctx, name) > room) return;
  ctx.textAlign = 'center';
  ctx.fillStyle = theme.on(hue);
  ctx.fillText(name, r.x + r.w / 2, r.y + r.h / 2 + 0.5);
}

/** The speed bar: work in the hue of the thread, then the causes that take the rest. */
function paintSpeedBar(p: Picture, task: number, bar: Rect): void {
  if (bar.h < 2 || bar.w <= 0) return;
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
