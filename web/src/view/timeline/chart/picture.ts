/** The drawing surface of charts over the axis: their part of the canvas, its scale, words. */
import type { Theme } from '../../../lib/color';
import type { LaneNames } from '../../../sim/protocol';
import type { Samples } from '../../../sim/samples';
import { type Axis, LABEL_WIDTH, letterPx } from '../axis';

/** The surface, scale and colours of a chart. */
export interface ChartPicture extends Axis {
  readonly ctx: CanvasRenderingContext2D;
  readonly theme: Theme;
  readonly samples: Samples;
  readonly names: LaneNames;
  readonly selected: number | null;
}

/** Paints to the right of the labels only. */
export function clip(p: ChartPicture, paint: () => void): void {
  const { ctx } = p;
  ctx.save();
  ctx.beginPath();
  ctx.rect(LABEL_WIDTH, 0, p.width - LABEL_WIDTH, p.height);
  ctx.clip();
  paint();
  ctx.restore();
}

/** The numbers at the top and the bottom of the scale. */
export function scale(p: ChartPicture, top: string, bottom: string): void {
  const { ctx, theme } = p;
  ctx.fillStyle = theme.muted;
  ctx.font = `${String(letterPx(p))}px ${theme.sans}`;
  ctx.textAlign = 'right';
  ctx.textBaseline = 'top';
  ctx.fillText(top, LABEL_WIDTH - 3, 0);
  ctx.textBaseline = 'bottom';
  ctx.fillText(bottom, LABEL_WIDTH - 3, p.height);
}

/** A few words with a background, so that lines do not cross them. */
export function note(p: ChartPicture, text: string, y: number): void {
  const { ctx, theme } = p;
  ctx.font = `${String(letterPx(p))}px ${theme.sans}`;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  ctx.fillStyle = theme.paper;
  ctx.globalAlpha = 0.8;
  ctx.fillRect(LABEL_WIDTH, y - 7, ctx.measureText(text).width + 6, 14);
  ctx.globalAlpha = 1;
  ctx.fillStyle = theme.muted;
  ctx.fillText(text, LABEL_WIDTH + 3, y);
}
