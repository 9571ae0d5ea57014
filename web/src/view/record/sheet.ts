/**
 * A picture made of parts: drawings and lines of text at their places. It can be painted on a canvas, or written to
 * an SVG file in which text stays text.
 */
import type { Rect } from '../../lib/geom';
import { fileFonts } from '../figure/file-fonts';

/** A line of text; `x` is its beginning, or its end if it is right-aligned. */
export interface Line {
  readonly text: string;
  readonly x: number;
  /** The baseline of the text. */
  readonly y: number;
  readonly px: number;
  readonly weight: number;
  /** Stack of fonts. */
  readonly font: string;
  readonly ink: string;
  readonly isRight?: boolean;
}

/** A coloured disc with an edge, for legends. */
export interface Disc {
  readonly x: number;
  readonly y: number;
  readonly r: number;
  readonly fill: string;
  readonly rim: string;
}

/** A drawn part. */
export interface Part {
  readonly canvas: HTMLCanvasElement;
  readonly at: Rect;
}

/** See the module comment. All in units of the picture. */
export interface Sheet {
  readonly width: number;
  readonly height: number;
  readonly paper: string;
  readonly parts: readonly Part[];
  readonly lines: readonly Line[];
  readonly discs: readonly Disc[];
}

const fontOf = ({ px, weight, font }: Line): string => `${String(weight)} ${String(px)}px ${font}`;

/** Paints it; `ratio`: pixels per unit. */
export function paintSheet(ctx: CanvasRenderingContext2D, sheet: Sheet, ratio: number): void {
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.fillStyle = sheet.paper;
  ctx.fillRect(0, 0, sheet.width, sheet.height);
  // Canvases have exactly the pixels of their place; scaling would blur them.
  ctx.imageSmoothingEnabled = false;
  for (const { canvas, at } of sheet.parts) ctx.drawImage(canvas, at.x, at.y, at.w, at.h);
  ctx.textBaseline = 'alphabetic';
  for (const line of sheet.lines) {
    ctx.font = fontOf(line);
    ctx.fillStyle = line.ink;
    ctx.textAlign = line.isRight ? 'right' : 'left';
    ctx.fillText(line.text, line.x, line.y);
  }
  for (const { x, y, r, fill, rim } of sheet.discs) {
    ctx.beginPath();
    ctx.arc(x, y, r, 0, 2 * Math.PI);
    ctx.fillStyle = fill;
    ctx.fill();
    ctx.strokeStyle = rim;
    ctx.lineWidth = 1;
    ctx.stroke();
  }
}

const SVG = 'http://www.w3.org/2000/svg';

function element(name: string, attributes: Record<string, string | number>, text = ''): Element {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.textContent = text;
  return made;
}

/** Writes it as an SVG file; `about` is for programs and screen readers. */
export function sheetToSvg(
  sheet: Sheet,
  about: { readonly title: string; readonly lines: readonly string[] },
): string {
  const { width, height } = sheet;
  const svg = element('svg', { width, height, viewBox: `0 0 ${String(width)} ${String(height)}` });
  svg.append(
    element('title', {}, about.title),
    element('desc', {}, about.lines.join('\n')),
    element('rect', { width, height, fill: sheet.paper }),
    ...sheet.parts.map(({ canvas, at }) =>
      element('image', {
        href: canvas.toDataURL('image/png'),
        x: at.x,
        y: at.y,
        width: at.w,
        height: at.h,
      }),
    ),
    ...sheet.lines.map(({ text, x, y, px, weight, font, ink, isRight }) =>
      element(
        'text',
        {
          x,
          y,
          fill: ink,
          'font-size': px,
          'font-weight': weight,
          'font-family': fileFonts(font),
          'text-anchor': isRight ? 'end' : 'start',
        },
        text,
      ),
    ),
    ...sheet.discs.map(({ x, y, r, fill, rim }) =>
      element('circle', { cx: x, cy: y, r, fill, stroke: rim }),
    ),
  );
  return new XMLSerializer().serializeToString(svg);
}
