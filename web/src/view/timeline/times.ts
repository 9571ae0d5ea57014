/** Times on a timeline: now, the edits, the time under the pointer, a fork's first difference, and the marked span. */
import type { Theme } from '../../lib/color';
import { type Axis, LABEL_WIDTH, xOf } from './axis';

/** The times to draw, in ns. */
export interface Times {
  readonly nowNs: number;
  /** Whether what comes later is as strong as what was. */
  readonly isWhole?: boolean;
  readonly edits: readonly { readonly atNs: number }[];
  readonly differNs: number | null;
  readonly cursorNs: number | null;
  /** The span whose sums are shown. */
  readonly marked: { readonly fromNs: number; readonly toNs: number } | null;
}

/** Draws them above the chart. */
export function paintTimes(
  box: { readonly ctx: CanvasRenderingContext2D; readonly height: number },
  axis: Axis & { readonly theme: Theme },
  times: Times,
): void {
  const { ctx, height } = box;
  const { accent, ink, muted, paper } = axis.theme;
  const at = (ns: number, colour: string, w: number) => {
    if (ns < axis.fromNs || ns > axis.toNs) return;
    ctx.fillStyle = colour;
    ctx.fillRect(xOf(axis, ns) - w / 2, 0, w, height);
  };
  if (times.nowNs < axis.toNs && times.isWhole !== true) {
    // The known part of the future is paler.
    ctx.fillStyle = paper;
    ctx.globalAlpha = 0.55;
    ctx.fillRect(xOf(axis, Math.max(axis.fromNs, times.nowNs)), 0, axis.width, height);
    ctx.globalAlpha = 1;
  }
  let drawn = -1;
  for (const { atNs } of times.edits) {
    // Thousands may be in one pixel.
    const x = Math.round(xOf(axis, atNs));
    if (x !== drawn) at(atNs, accent, 1);
    drawn = x;
  }
  if (times.differNs !== null) at(times.differNs, ink, 1.5);
  at(times.nowNs, accent, 1.5);
  if (times.cursorNs !== null) at(times.cursorNs, muted, 1);
  if (times.marked) {
    const x0 = Math.max(LABEL_WIDTH, xOf(axis, times.marked.fromNs));
    const x1 = Math.min(axis.width, xOf(axis, times.marked.toNs));
    ctx.globalAlpha = 0.2;
    ctx.fillStyle = accent;
    if (x1 > x0) ctx.fillRect(x0, 0, x1 - x0, height);
    ctx.globalAlpha = 1;
    at(times.marked.fromNs, accent, 1.5);
    at(times.marked.toNs, accent, 1.5);
  }
}
