/** What every paint function of the machine view is given, and small helpers to draw with. */
import type { Rect } from '../../lib/geom';
import type { Theme } from '../../lib/color';
import { taskHue } from '../../lib/thread-hues';
import type { Frame } from '../../sim/frame';
import type { LaneNames } from '../../sim/protocol';
import type { MachineTree } from '../../sim/types/MachineTree';
import type { MemorySpec } from '../../sim/types/MemorySpec';
import type { ThermalSpec } from '../../sim/types/ThermalSpec';
import type { Sight } from '../../state/eye.svelte';
import type { OnNode } from './memory';
import type { MachineLayout } from './layout';
import type { Drawn, Trail } from './motion';
import type { HeldRefusal } from './refusals';
import type { Scene } from './scene';
import type { Target } from './hit';
import type { Band, Flows, Link } from './totals';
import type { Tenants } from './warmth';

/** What is needed to draw a queue. */
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
  /** Threads that the eye is led to, while all others are dim. */
  readonly led?: readonly number[] | null;
  /** Whether all changes too fast to be read: then those who wait are not named. */
  readonly isRapid: boolean;
}

/** One picture of one lane. */
export interface Picture extends Pen {
  readonly layout: MachineLayout;
  readonly tree: MachineTree;
  readonly scene: Scene;
  readonly drawn: readonly Drawn[];
  readonly trails: readonly Trail[];
  /** What idle CPUs have not taken, as long as that holds. */
  readonly refused: readonly HeldRefusal[];
  /** Whether the rest of each slice is drawn. */
  readonly hasRings: boolean;
  /** Whether moves are added up instead of drawn one by one. */
  readonly isTotal: boolean;
  /** Moves added up, and the lines that say so; none while they are drawn one by one. */
  readonly flows: Flows | null;
  readonly links: readonly Link[];
  /** CPUs whose slot shows who had it in the last drawn second: their threads change too fast for tokens. */
  readonly banded: ReadonlySet<number>;
  /** Who had a CPU then. */
  readonly bandsOf: (cpu: number) => readonly Band[];
  /** Rises when what fills the slot of a CPU that shows bands is counted anew. */
  readonly filledNo: (cpu: number) => number;
  /** By CPU, its threads of the workload, where these numbers stand in the slots: see `jobsOn`. */
  readonly jobsOn: Float64Array | null;
  /** Rises when threads of a crowd get or lose hues of their own. */
  readonly hueNo: number;
  /** Whether background threads are drawn. */
  readonly showDaemons: boolean;
  /** The moment whose words stand in the line, and for how many drawn ms; of another lane none. */
  readonly sight: (Sight & { readonly forMs: number }) | null;
  /** Room on the line, before the words, for the chip that asks why. */
  readonly chip: number;
  /** Words of the line under the machine, each the longest first, and what else there is to say. */
  readonly said: {
    readonly main: readonly string[];
    readonly isLoud: boolean;
    readonly more: string;
  };
  /** Name of the machine. */
  readonly machineName: string;
  readonly memory: MemorySpec | null;
  /** Where the memory of the selected thread lies, on machines of several nodes. */
  readonly lies: readonly OnNode[];
  readonly thermal: ThermalSpec | null;
  /** Number of the move that is pointed at; null for none. */
  readonly arrow: number | null;
  /** Where the keyboard is, while the canvas has the focus. */
  readonly cursor: Target | null;
}

/** The ground of a picture: what its threads stand on. */
export interface GroundPicture extends Picture {
  /** Whose data is in which cache, by piece of cache. */
  readonly tenants: Tenants;
}

/** Whether a thread belongs to the background. */
export function isBackground(p: Pick<Picture, 'names'>, task: number): boolean {
  return p.names.groups[p.names.taskGroup[task] ?? -1]?.background === true;
}

/** How much of a thread is seen beside the one that is selected, or that the eye is led to. */
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

const knownShort = new WeakMap<LaneNames, readonly string[]>();

/** The short label of a thread: its number in the group. */
export function shortName(names: LaneNames, task: number): string {
  let short = knownShort.get(names);
  if (!short) {
    short = names.tasks.map((name) => {
      const cut = name.lastIndexOf('-');
      return cut < 0 ? name.slice(0, 3) : name.slice(cut + 1);
    });
    knownShort.set(names, short);
  }
  return short[task] ?? '';
}

/** Traces a rectangle with round corners. */
export function roundRect(ctx: CanvasRenderingContext2D, r: Rect, radius: number): void {
  ctx.beginPath();
  ctx.roundRect(r.x, r.y, r.w, r.h, Math.max(0, Math.min(radius, r.w / 2, r.h / 2)));
}

/** Font of each canvas: asking the canvas itself is slow. */
const fonts = new WeakMap<CanvasRenderingContext2D, string>();
const fontNames = new Map<number, string>();
let fontFamily = '';

/** A new picture begins: what a canvas was set to may be lost, for it may have another size. */
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
  // Whole half pixels: every size of its own would have to be measured for itself.
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

/** Draws text that never runs out of its width: it ends in an ellipsis instead. */
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

/** Draws the first of some texts that fits; the last one is cut if none does. */
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

/** The longest beginning with an ellipsis that fits. */
function cutTo(ctx: CanvasRenderingContext2D, text: string, width: number): string {
  const key = `${String(Math.floor(width))}|${fonts.get(ctx) ?? ctx.font}|${text}`;
  let cut = cuts.get(key);
  if (cut === undefined) {
    if (cuts.size >= MAX_WIDTHS) cuts.clear();
    let n = text.length - 1;
    while (n > 0 && ctx.measureText(`${text.slice(0, n)}…`).width > width) n -= 1;
    cut = n > 0 ? `${text.slice(0, n)}…` : '';
    cuts.set(key, cut);
  }
  return cut;
}

const widths = new Map<string, number>();
/** Texts whose width is remembered; a machine has a few hundred at most. */
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

/** Lost or foreign things are hatched, so that colour is not all that tells them apart. */
export function hatch(ctx: CanvasRenderingContext2D, r: Rect, color: string): void {
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
