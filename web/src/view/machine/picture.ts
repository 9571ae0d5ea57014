/** The data that every paint function of the machine view gets, and small helpers to draw with. */
import type { Rect } from '../../lib/geom';
import type { Theme } from '../../lib/color';
import { taskHue } from '../../lib/thread-hues';
import type { Frame } from '../../sim/frame';
import type { LaneNames } from '../../sim/protocol';
import type { LimitNow } from '../../sim/types/LimitNow';
import type { MachineTree } from '../../sim/types/MachineTree';
import type { MemorySpec } from '../../sim/types/MemorySpec';
import type { ThermalSpec } from '../../sim/types/ThermalSpec';
import type { Sight } from '../../state/shown-moment.svelte';
import { forgetsLetters } from '../fonts';
import type { Fading } from './fade';
import type { Ghost } from './ghost';
import type { OnNode } from './memory';
import type { MachineLayout } from './layout';
import type { Drawn, Trail } from './motion';
import type { HeldRefusal } from './refusals';
import type { Pairing } from './sharing';
import type { Scene } from './scene';
import type { Target } from './hit';
import type { Band, Flows, Link } from './totals';
import type { CacheShares } from './warmth';

/** The data that is needed to draw a queue. */
export interface Pen {
  readonly ctx: CanvasRenderingContext2D;
  readonly theme: Theme;
  /** Id of the scheduler. */
  readonly scheduler: string;
  readonly frame: Frame;
  readonly names: LaneNames;
  /** Thread that is selected in every lane. */
  readonly selected: number | null;
  /** CPU that is selected in this lane. */
  readonly selectedCpu: number | null;
  /** Simulated ns that pass in a drawn second. */
  readonly speed: number;
  /** Threads of an announced moment, while all others are dim. */
  readonly led?: readonly number[] | null;
  /** Whether everything changes too fast to be read: then waiting threads are not named. */
  readonly isRapid: boolean;
}

/** One picture of one lane. */
export interface Picture extends Pen {
  readonly layout: MachineLayout;
  readonly tree: MachineTree;
  readonly scene: Scene;
  readonly drawn: readonly Drawn[];
  readonly trails: readonly Trail[];
  /** Refusals of idle CPUs, as long as they hold. */
  readonly refused: readonly HeldRefusal[];
  /** Whether the rest of each slice is drawn. */
  readonly hasRings: boolean;
  /** Whether moves are summed instead of drawn one by one. */
  readonly isTotal: boolean;
  /** Sums of moves, and the lines for them; none while moves are drawn one by one. */
  readonly flows: Flows | null;
  readonly links: readonly Link[];
  /** CPUs whose slots show bands of the last drawn second: their threads change too fast for tokens. */
  readonly banded: ReadonlySet<number>;
  /** The bands of a CPU. */
  readonly bandsOf: (cpu: number) => readonly Band[];
  /** Rises when the bands of a CPU are made again. */
  readonly filledNo: (cpu: number) => number;
  /** Number of workload threads by CPU, if slots show these numbers: see `jobsOn`. */
  readonly jobsOn: Float64Array | null;
  /** Rises when threads of a large group get or lose hues of their own. */
  readonly hueNo: number;
  /** The control groups that have a limit, at the time of the frame. */
  readonly limits: readonly LimitNow[];
  /** Cores that threads share while another one has none, and those without any thread beside them. */
  readonly sharing: Pairing;
  /** Whether background threads are drawn. */
  readonly showDaemons: boolean;
  /** The announced moment of this lane, and the drawn ms for which it has been shown. */
  readonly sight: (Sight & { readonly forMs: number }) | null;
  /** Room for the chip that asks why, on the line before the words. */
  readonly chip: number;
  /** Texts for the line under the machine, each with the longest wording first, and a second text. */
  readonly said: {
    readonly main: readonly string[];
    readonly isLoud: boolean;
    readonly more: string;
  };
  /** What is still seen of the words before. */
  readonly fading: Fading | null;
  /** The place that the thread of an open answer had to leave; null for none. */
  readonly ghost: Ghost | null;
  /** Name of the machine. */
  readonly machineName: string;
  readonly memory: MemorySpec | null;
  /** The nodes of the selected thread's memory, on machines with several nodes. */
  readonly lies: readonly OnNode[];
  readonly thermal: ThermalSpec | null;
  /** Number of the move under the pointer; null for none. */
  readonly arrow: number | null;
  /** Position of the keyboard while the canvas has the focus. */
  readonly cursor: Target | null;
}

/** The ground of a picture, under the threads. */
export interface GroundPicture extends Picture {
  /** The content of each cache, by number of the cache. */
  readonly tenants: CacheShares;
}

/** Whether a thread belongs to the background. */
export function isBackground(p: Pick<Picture, 'names'>, task: number): boolean {
  return p.names.groups[p.names.taskGroup[task] ?? -1]?.background === true;
}

/** Opacity of a thread beside the selected one, or beside those of an announced moment. */
export function strengthOf({ selected, led }: Pick<Pen, 'selected' | 'led'>, task: number): number {
  if (led) return led.includes(task) ? 1 : 0.55;
  return selected !== null && selected !== task ? 0.28 : 1;
}

/** Hue of a thread. */
export function hueOf(p: Pick<Picture, 'names' | 'theme' | 'selected'>, task: number): string {
  return p.theme.of(taskHue(p.names, task, p.selected).fill);
}

/** Colour of a thread's edge. */
export function rimOf(p: Pick<Picture, 'names' | 'theme' | 'selected'>, task: number): string {
  return p.theme.of(taskHue(p.names, task, p.selected).rim);
}

/** Traces a rectangle with round corners. */
export function roundRect(ctx: CanvasRenderingContext2D, r: Rect, radius: number): void {
  ctx.beginPath();
  ctx.roundRect(r.x, r.y, r.w, r.h, Math.max(0, Math.min(radius, r.w / 2, r.h / 2)));
}

/** Font of each canvas: reading it from the canvas is slow. */
const fonts = new WeakMap<CanvasRenderingContext2D, string>();
const fontNames = new Map<number, string>();
let fontFamily = '';

/** To be called for each new picture: a canvas that was resized has lost its settings. */
export function beginPicture(ctx: CanvasRenderingContext2D): void {
  fonts.delete(ctx);
  ratios.set(ctx, ctx.getTransform().a);
}

const ratios = new WeakMap<CanvasRenderingContext2D, number>();

/** Pixels of a canvas to one of the picture. */
export function ratioOf(ctx: CanvasRenderingContext2D): number {
  return ratios.get(ctx) ?? ctx.getTransform().a;
}

/** Sets the font. */
export function setFont(p: Pick<Picture, 'ctx' | 'theme'>, px: number, weight = 400): void {
  // Whole half pixels: each further size would have to be measured.
  const halves = Math.round(px * 2);
  if (fontFamily !== p.theme.sans) {
    fontNames.clear();
    fontFamily = p.theme.sans;
  }
  const id = weight * 1000 + halves;
  let font = fontNames.get(id);
  if (font === undefined) {
    font = `${String(weight)} ${String(halves / 2)}px ${fontFamily}`;
    fontNames.set(id, font);
  }
  if (fonts.get(p.ctx) === font) return;
  fonts.set(p.ctx, font);
  p.ctx.font = font;
}

/** Draws text that stays within its width: an ellipsis replaces the rest. */
export function fitText(
  ctx: CanvasRenderingContext2D,
  text: string,
  x: number,
  y: number,
  width: number,
): void {
  if (width <= 4) return;
  const fitting = widthOf(ctx, text) <= width ? text : cutTo(ctx, text, width);
  if (fitting !== '') ctx.fillText(fitting, x, y);
}

/** Draws the first text that fits; if none does, the last one is cut. */
export function fitOne(
  ctx: CanvasRenderingContext2D,
  texts: readonly [string, ...string[]],
  x: number,
  y: number,
  width: number,
): void {
  const text = texts.find((t) => widthOf(ctx, t) <= width) ?? texts.at(-1) ?? '';
  fitText(ctx, text, x, y, width);
}

const cuts = new Map<string, string>();

/** The longest beginning with an ellipsis that fits, before the number at the end of a name. */
function cutTo(ctx: CanvasRenderingContext2D, text: string, width: number): string {
  const key = `${String(Math.floor(width))}|${fonts.get(ctx) ?? ctx.font}|${text}`;
  let cut = cuts.get(key);
  if (cut === undefined) {
    if (cuts.size >= MAX_WIDTHS) cuts.clear();
    const [, tail = ''] = /\S(-\d+)$/.exec(text) ?? [];
    let n = text.length - tail.length - 1;
    while (n > 0 && ctx.measureText(`${text.slice(0, n)}…${tail}`).width > width) n -= 1;
    cut = n > 0 ? `${text.slice(0, n)}…${tail}` : '';
    cuts.set(key, cut);
  }
  return cut;
}

const widths = new Map<string, number>();
/** Number of remembered widths; a machine needs a few hundred at most. */
const MAX_WIDTHS = 4000;

/** Width of a text in the present font; measured once. */
export function widthOf(ctx: CanvasRenderingContext2D, text: string): number {
  const key = `${fonts.get(ctx) ?? ctx.font}|${text}`;
  let width = widths.get(key);
  if (width === undefined) {
    if (widths.size >= MAX_WIDTHS) widths.clear();
    width = ctx.measureText(text).width;
    widths.set(key, width);
  }
  return width;
}

forgetsLetters(() => {
  widths.clear();
  cuts.clear();
});

/** Hatches lost or foreign parts, so that colour is not the only difference. */
export function hatch(ctx: CanvasRenderingContext2D, r: Rect, color: string, width = 1): void {
  const strength = ctx.globalAlpha;
  ctx.strokeStyle = color;
  ctx.globalAlpha = strength * 0.55;
  ctx.lineWidth = width;
  ctx.beginPath();
  for (let x = r.x + 2; x < r.x + r.w + r.h; x += 4 + width) {
    ctx.moveTo(Math.min(x, r.x + r.w), r.y + Math.max(0, x - r.x - r.w));
    ctx.lineTo(Math.max(r.x, x - r.h), r.y + Math.min(r.h, x - r.x));
  }
  ctx.stroke();
  ctx.globalAlpha = strength;
}
