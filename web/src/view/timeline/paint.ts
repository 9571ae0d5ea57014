/** Paints who ran where: one row per CPU, siblings side by side, the present at the right end. */
import { groupToken, type Theme } from '../../lib/color';
import type { History, Slice } from '../../sim/history';
import type { LaneNames } from '../../sim/protocol';
import type { MachineTree } from '../../sim/types/MachineTree';
import { cpuOrder } from '../machine/areas';

/** A picture of a timeline. */
export interface TimelinePicture {
  readonly ctx: CanvasRenderingContext2D;
  readonly theme: Theme;
  readonly width: number;
  readonly height: number;
  readonly fromNs: number;
  readonly toNs: number;
  readonly nowNs: number;
  readonly history: History;
  readonly tree: MachineTree;
  readonly names: LaneNames;
  readonly selected: number | null;
}

/** Room for the CPU numbers. */
export const LABEL_WIDTH = 22;

/** Position of the first slice that ends after a time. */
export function firstAfter(slices: readonly Slice[], ns: number): number {
  let low = 0;
  let high = slices.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((slices[middle]?.to ?? Infinity) <= ns) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Paints everything. */
export function paintTimeline(p: TimelinePicture): void {
  const { ctx, theme, width, height, tree } = p;
  ctx.clearRect(0, 0, width, height);
  const order = cpuOrder(tree);
  const cores = new Set(tree.core).size;
  const coreGap = height > cores * 9 ? 3 : height > cores * 4 ? 1 : 0;
  const row = (height - coreGap * (cores - 1)) / Math.max(1, order.length);
  const px = Math.min(12, row * 1.05);
  let y = 0;
  let lastCore: number | undefined;
  for (const cpu of order) {
    const core = tree.core[cpu];
    if (lastCore !== undefined && core !== lastCore) y += coreGap;
    lastCore = core;
    ctx.fillStyle = theme.core;
    ctx.fillRect(LABEL_WIDTH, y, width - LABEL_WIDTH, Math.max(1, row - 1));
    if (px >= 8) {
      ctx.fillStyle = theme.muted;
      ctx.font = `${px.toFixed(1)}px ${theme.sans}`;
      ctx.textAlign = 'right';
      ctx.textBaseline = 'middle';
      ctx.fillText(String(cpu), LABEL_WIDTH - 6, y + row / 2);
    }
    paintRow(p, cpu, y, Math.max(1, row - 1));
    y += row;
  }
  if (p.history.knownFrom > p.fromNs) paintUnknown(p);
  if (p.nowNs < p.toNs) {
    const x = LABEL_WIDTH + ((p.nowNs - p.fromNs) / (p.toNs - p.fromNs)) * (width - LABEL_WIDTH);
    ctx.fillStyle = theme.accent;
    ctx.fillRect(x, 0, 1.5, height);
  }
}

/** What lies before the records that are kept is not empty but unknown: it is struck through. */
function paintUnknown(p: TimelinePicture): void {
  const { ctx, theme, height } = p;
  const part = Math.min(1, (p.history.knownFrom - p.fromNs) / (p.toNs - p.fromNs));
  const width = part * (p.width - LABEL_WIDTH);
  ctx.strokeStyle = theme.hair;
  ctx.lineWidth = 1;
  ctx.save();
  ctx.beginPath();
  ctx.rect(LABEL_WIDTH, 0, width, height);
  ctx.clip();
  ctx.beginPath();
  for (let x = LABEL_WIDTH - height; x < LABEL_WIDTH + width; x += 7) {
    ctx.moveTo(x, height);
    ctx.lineTo(x + height, 0);
  }
  ctx.stroke();
  ctx.restore();
}

function paintRow(p: TimelinePicture, cpu: number, y: number, h: number): void {
  const { ctx, theme, width, fromNs, toNs, names } = p;
  const slices = p.history.slices[cpu] ?? [];
  const scale = (width - LABEL_WIDTH) / (toNs - fromNs);
  const known = Math.max(fromNs, p.history.knownFrom);
  let painted = Number.NEGATIVE_INFINITY;
  for (let i = firstAfter(slices, known); i < slices.length; i++) {
    const slice = slices[i];
    if (!slice || slice.from >= toNs) break;
    if (slice.task < 0) continue;
    const x0 = LABEL_WIDTH + (Math.max(slice.from, known) - fromNs) * scale;
    const x1 = LABEL_WIDTH + (Math.min(slice.to, p.nowNs, toNs) - fromNs) * scale;
    // What lies within a pixel that is painted already would only be painted over.
    if (x1 < painted + 0.5 && x1 - x0 < 0.75) continue;
    painted = Math.max(x1, x0 + 0.75);
    const group = names.taskGroup[slice.task] ?? 0;
    const isDaemon = names.groups[group]?.background === true;
    ctx.globalAlpha = p.selected !== null && p.selected !== slice.task ? 0.28 : 1;
    ctx.fillStyle = theme.of(groupToken(group, isDaemon));
    // Background threads are thinner: not only their colour tells them apart.
    const inset = isDaemon ? h * 0.25 : 0;
    const w = Math.max(0.75, x1 - x0);
    ctx.fillRect(x0, y + inset, w, h - 2 * inset);
    if (w > 4 && slice.from > fromNs) {
      // A switch: a cut in the colour of the ground.
      ctx.fillStyle = theme.paper;
      ctx.fillRect(x0, y, 1, h);
    }
    const name = names.tasks[slice.task] ?? '';
    if (h >= 9 && !isDaemon && x1 - x0 > 26) {
      ctx.fillStyle = theme.on(theme.of(groupToken(group, false)));
      ctx.textAlign = 'left';
      ctx.font = `${Math.min(12, h * 0.95).toFixed(1)}px ${theme.sans}`;
      ctx.fillText(name.slice(name.lastIndexOf('-') + 1), x0 + 5, y + h / 2 + 0.5);
    }
  }
  ctx.globalAlpha = 1;
}
