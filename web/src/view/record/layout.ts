/** The places of all parts of a recorded stage: question, numbers, machines, timelines, legend and caption. */
import type { Rect } from '../../lib/geom';

/** The parts to place. */
export interface SheetInput {
  /** Pixels of the picture. */
  readonly pixels: { readonly width: number; readonly height: number };
  readonly lanes: number;
  readonly cpus: number;
}

/** Places in units of the picture; each unit is `ratio` pixels. */
export interface Places {
  readonly width: number;
  readonly height: number;
  readonly ratio: number;
  readonly margin: number;
  /** Baseline of the question. */
  readonly questionY: number;
  /** By lane: the places of its name and number, its machine, and its timeline. */
  readonly lanes: readonly {
    readonly head: Rect;
    readonly machine: Rect;
    readonly timeline: Rect;
  }[];
  /** Axes of time: one for all lanes, or one for each. */
  readonly axes: readonly Rect[];
  /** Width of the lane's name before its timeline; 0 if the timeline is below its machine. */
  readonly who: number;
  readonly legendY: number;
  /** Baselines of the two lines of the caption. */
  readonly captionY: readonly [number, number];
}

/** Units across: with fewer, letters are larger. */
const NARROW = 960;
const WIDE = 1280;
/** More lanes than this need the wider picture. */
const FEW = 2;
/** With more CPUs than this, timelines are below their machines, as on the page. */
const MOST_ROWS = 16;

const MARGIN = 16;
const QUESTION = 34;
const HEAD = 52;
const LEGEND = 22;
const CAPTION = 38;
const AXIS = 18;
const GAP = 8;
const WHO = 76;
/** Part of the remaining height for machines. */
const MACHINES = 0.56;

/** Places everything. */
export function placesOf({ pixels, lanes, cpus }: SheetInput): Places {
  const width = lanes <= FEW ? NARROW : WIDE;
  const ratio = pixels.width / width;
  // Canvases begin and end at whole pixels.
  const snap = (units: number): number => Math.round(units * ratio) / ratio;
  const height = pixels.height / ratio;
  const each = (width - 2 * MARGIN - (lanes - 1) * 2 * GAP) / lanes;
  const top = QUESTION + HEAD;
  const bottom = height - LEGEND - CAPTION - AXIS;
  const split = snap(top + (bottom - top) * MACHINES);
  const isBelow = cpus > MOST_ROWS;
  const row = (bottom - split - GAP) / lanes;
  const at = Array.from({ length: lanes }, (_, i) => {
    const x = snap(MARGIN + i * (each + 2 * GAP));
    const w = snap(each);
    const machine = { x, y: snap(top), w, h: snap(split - top) };
    const timeline = isBelow
      ? { x, y: snap(split + GAP), w, h: snap(bottom - split - GAP) }
      : {
          x: MARGIN + WHO,
          y: snap(split + GAP + i * row),
          w: snap(width - 2 * MARGIN - WHO),
          h: snap(row - GAP / 2),
        };
    return { head: { x, y: QUESTION, w, h: HEAD }, machine, timeline };
  });
  const axis = ({ timeline }: (typeof at)[number]): Rect => ({
    ...timeline,
    y: snap(bottom),
    h: snap(AXIS),
  });
  return {
    width,
    height,
    ratio,
    margin: MARGIN,
    questionY: QUESTION - 8,
    lanes: at,
    axes: (isBelow ? at : at.slice(0, 1)).map(axis),
    who: isBelow ? 0 : WHO,
    legendY: height - CAPTION - LEGEND / 2,
    captionY: [height - CAPTION + 14, height - CAPTION + 30],
  };
}
