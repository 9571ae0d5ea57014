/**
 * Where every part of a machine is drawn: a pure function of its areas and of the space.
 *
 * Areas are nested grids. All sensible numbers of columns are tried at every depth; those with the largest token win,
 * so that 1 to 192 CPUs fit without scrolling. Captions are the first to be left out.
 */
import { cell, type Rect } from '../../lib/geom';
import { type Area, runsOf } from './areas';
import { type Density, densityInClassroom, densityOf, worth } from './slot';

/** An area with its place. */
export interface Box {
  readonly area: Area;
  readonly rect: Rect;
  /** Line for name, caches and memory, inside `rect`; no height where there is no room. */
  readonly caption: Rect;
}

/** Place of one CPU. */
export interface Slot {
  readonly cpu: number;
  readonly core: number;
  readonly rect: Rect;
  readonly density: Density;
}

/** A laid-out machine. */
export interface MachineLayout {
  readonly width: number;
  readonly height: number;
  /** In the order of the areas: parents before children. */
  readonly boxes: readonly Box[];
  /** By CPU number. */
  readonly slots: readonly Slot[];
  /**
   * The line under the machine, with a fixed height: waiting threads of a global queue, the last event, sleeping
   * threads.
   */
  readonly line: Rect;
  /** Boxes of control groups with a limit, between the CPUs and the line. */
  readonly limits: readonly Rect[];
  /** Whether threads that wait for a CPU stand on the line, too, where a hall can read them; else in its slot. */
  readonly isWaitOnLine: boolean;
}

/** Sizes of everything but tokens. */
interface Spacing {
  readonly gap: number;
  readonly pad: number;
  readonly corePad: number;
  /** Height of captions: of the whole machine, of groups, of cores. */
  readonly machine: number;
  readonly group: number;
  readonly core: number;
  /** Smallest token for which so much room goes into words. */
  readonly token: number;
}

/** From roomy to tight; the first one with large enough tokens is taken. */
const SPACINGS: readonly [Spacing, ...Spacing[]] = [
  { gap: 10, pad: 8, corePad: 6, machine: 22, group: 22, core: 21, token: 46 },
  { gap: 10, pad: 8, corePad: 5, machine: 0, group: 20, core: 17, token: 36 },
  { gap: 6, pad: 6, corePad: 2, machine: 0, group: 20, core: 17, token: 36 },
  { gap: 7, pad: 6, corePad: 4, machine: 20, group: 20, core: 19, token: 30 },
  { gap: 6, pad: 5, corePad: 3, machine: 20, group: 18, core: 0, token: 15 },
  { gap: 4, pad: 4, corePad: 2, machine: 18, group: 15, core: 0, token: 8 },
  { gap: 2, pad: 2, corePad: 1, machine: 18, group: 0, core: 0, token: 4 },
  { gap: 1, pad: 1, corePad: 0, machine: 16, group: 0, core: 0, token: 0 },
];

/** In front of a class threads are larger, and the machine's name goes first. */
const IN_CLASSROOM: readonly [Spacing, ...Spacing[]] = [
  SPACINGS[0],
  ...SPACINGS.slice(1, 3),
  // The names of cores stay, where the words above take much of the room.
  { gap: 4, pad: 3, corePad: 1, machine: 0, group: 0, core: 14, token: 26 },
  { gap: 3, pad: 2, corePad: 0, machine: 0, group: 18, core: 0, token: 22 },
  ...SPACINGS.slice(3),
];

/** The same where a core is one CPU, whose name stands in its slot. */
const NO_CORES: Spacing = {
  ...{ gap: 8, pad: 4, corePad: 0, machine: 0, group: 20, core: 0 },
  token: 36,
};

/** Height of the line under the machine. */
const LINE = 28;
/**
 * The same in front of a class: a waiting thread is at least half as large as a running one. Where no shares stand
 * below it, it is as large, also beside the words of a lesson; beside a reason, nobody may wait.
 */
const LINES_IN_CLASSROOM = { '': 36, tall: 64, words: 62, low: 6 } as const;

/** A box of a control group is so high, as a part of the picture, and within these bounds. */
const LIMIT = { part: 0.34, least: 52, most: 104 } as const;
/** Boxes of two groups stand beside each other where each is at least so wide. */
const LIMIT_WIDTH = 260;
/** Most boxes of control groups, and the room that they leave to the CPUs. */
const MOST_LIMITS = 2;
const GAP_OF_LIMITS = 6;
const LEFT_TO_CPUS = 96;

/** With more kinds of children than this they are drawn as if they were alike. */
const MAX_RUNS = 3;

const isCore = (area: Area): boolean => area.children.length === 0;

function captionOf(area: Area, s: Spacing): number {
  if (area.parent === null) return s.machine;
  return isCore(area) ? s.core : s.group;
}

function padOf(area: Area, s: Spacing): number {
  if (area.parent === null) return 0;
  return isCore(area) ? s.corePad : s.pad;
}

/** How the children of an area are arranged. */
interface Plan {
  readonly score: number;
  /** Columns of the grid of each run of alike children. */
  readonly columns: readonly number[];
  /** Whether the runs stand beside each other rather than below each other. */
  readonly isRow: boolean;
}

/** Numbers of columns worth trying: one for each number of rows. */
function columnChoices(n: number): readonly number[] {
  const out = new Set<number>();
  for (let rows = 1; rows <= n; rows++) out.add(Math.ceil(n / rows));
  return [...out];
}

/** Runs of alike children; a single run if there are too many. */
function partsOf(area: Area): readonly (readonly Area[])[] {
  const runs = runsOf(area);
  return runs.length <= MAX_RUNS ? runs : [area.children];
}

function weightOf(run: readonly Area[]): number {
  return run.reduce((sum, a) => sum + a.cpus.length, 0);
}

/** Divides a rectangle among runs by their number of CPUs. */
function split(
  r: Rect,
  runs: readonly (readonly Area[])[],
  isRow: boolean,
  gap: number,
): readonly Rect[] {
  const total = runs.reduce((sum, run) => sum + weightOf(run), 0);
  const length = (isRow ? r.w : r.h) - gap * (runs.length - 1);
  let at = isRow ? r.x : r.y;
  return runs.map((run) => {
    const size = (length * weightOf(run)) / total;
    const from = at;
    at += size + gap;
    return isRow ? { x: from, y: r.y, w: size, h: r.h } : { x: r.x, y: from, w: r.w, h: size };
  });
}

/** Finds the best grids for one spacing; results for a shape and a size are remembered. */
class Planner {
  readonly #spacing: Spacing;
  readonly #known = new Map<string, Plan>();

  constructor(spacing: Spacing) {
    this.#spacing = spacing;
  }

  plan(area: Area, w: number, h: number): Plan {
    const key = `${area.shape}|${String(isCore(area))}|${w.toFixed(1)}|${h.toFixed(1)}`;
    let plan = this.#known.get(key);
    if (!plan) {
      plan = this.#make(area, w, h);
      this.#known.set(key, plan);
    }
    return plan;
  }

  #inside(area: Area, w: number, h: number): readonly [number, number] {
    const pad = padOf(area, this.#spacing);
    return [w - 2 * pad, h - 2 * pad - captionOf(area, this.#spacing)];
  }

  #make(area: Area, w: number, h: number): Plan {
    const [iw, ih] = this.#inside(area, w, h);
    if (iw <= 0 || ih <= 0) return { score: Math.min(iw, ih), columns: [1], isRow: false };
    if (isCore(area)) {
      // Siblings stand side by side; more than two in a square.
      const n = area.cpus.length;
      const columns = n <= 2 ? n : Math.ceil(Math.sqrt(n));
      const [cw, ch] = cellSize(iw, ih, n, columns, this.#spacing.corePad);
      return { score: worth(cw, ch), columns: [columns], isRow: false };
    }
    const runs = partsOf(area);
    if (runs.length === 1) {
      const [score, columns] = this.#grid(area.children, iw, ih);
      return { score, columns: [columns], isRow: false };
    }
    const plans = [true, false].map((isRow): Plan => {
      const places = split({ x: 0, y: 0, w: iw, h: ih }, runs, isRow, this.#spacing.gap);
      const each = runs.map((run, i) => this.#grid(run, places[i]?.w ?? 0, places[i]?.h ?? 0));
      return { score: Math.min(...each.map((e) => e[0])), columns: each.map((e) => e[1]), isRow };
    });
    return plans.reduce((a, b) => (b.score > a.score + 0.01 ? b : a));
  }

  /** The best grid for a run: its quality, and its number of columns. */
  #grid(run: readonly Area[], w: number, h: number): readonly [number, number] {
    const kinds = [...new Map(run.map((a) => [a.shape, a])).values()];
    let best: [number, number] = [-Infinity, 1];
    for (const columns of columnChoices(run.length)) {
      const [cw, ch] = cellSize(w, h, run.length, columns, this.#spacing.gap);
      const child = Math.min(...kinds.map((a) => this.plan(a, cw, ch).score));
      // An incomplete last row costs a little: grids without holes are easier to read.
      const empty = Math.ceil(run.length / columns) * columns - run.length;
      const score = child > 0 ? child * Math.max(0.5, 1 - 0.04 * empty) : child;
      if (score > best[0] + 0.01) best = [score, columns];
    }
    return best;
  }
}

function cellSize(
  w: number,
  h: number,
  n: number,
  columns: number,
  gap: number,
): readonly [number, number] {
  const rows = Math.ceil(n / columns);
  return [(w - gap * (columns - 1)) / columns, (h - gap * (rows - 1)) / rows];
}

/** Rectangles of `n` cells in a grid inside `r`. */
function cells(r: Rect, n: number, columns: number, gap: number): Rect[] {
  const rows = Math.ceil(n / columns);
  return Array.from({ length: n }, (_, i) => {
    const [x, w] = cell(r.x, r.w, columns, i % columns, gap);
    const [y, h] = cell(r.y, r.h, rows, Math.floor(i / columns), gap);
    return { x, y, w, h };
  });
}

function choose(
  root: Area,
  { w, h }: Rect,
  spacings: readonly [Spacing, ...Spacing[]],
): readonly [Spacing, Planner] {
  let choice = spacings[0];
  let planner = new Planner(choice);
  for (const spacing of spacings) {
    choice = spacing;
    planner = new Planner(spacing);
    if (planner.plan(root, w, h).score >= spacing.token) break;
  }
  return [choice, planner];
}

/** Places areas and CPUs in a rectangle, with the roomiest spacing that leaves tokens large enough. */
function arrange(
  areas: readonly Area[],
  rect: Rect,
  spacings: readonly [Spacing, ...Spacing[]],
  sizeOf = densityOf,
): Pick<MachineLayout, 'boxes' | 'slots'> {
  const boxes: Box[] = [];
  const slots: Slot[] = [];
  const [root] = areas;
  if (root) {
    const [spacing, planner] = choose(root, rect, spacings);
    place(root, rect, spacing, planner, { boxes, slots, sizeOf });
  }
  boxes.sort((a, b) => a.area.index - b.area.index);
  slots.sort((a, b) => a.cpu - b.cpu);
  return { boxes, slots };
}

const BARE = { machine: 0, group: 0, core: 0 } as const;
const SMALL: readonly [Spacing, ...Spacing[]] = [
  { gap: 4, pad: 3, corePad: 2, token: 9, ...BARE },
  { gap: 2.5, pad: 2, corePad: 1, token: 4, ...BARE },
  { gap: 1, pad: 1, corePad: 0.5, token: 0, ...BARE },
];

/** The same with the names of cores, where they have room. */
const NAMED: typeof SMALL = [
  { gap: 8, pad: 0, corePad: 4, token: 20, ...BARE, core: 19 },
  ...SMALL,
];

/** Lays out a machine as a picture without words but the names of its cores. */
export function layoutSmall(
  areas: readonly Area[],
  size: { readonly width: number; readonly height: number },
  isNamed = false,
): Pick<MachineLayout, 'boxes' | 'slots'> {
  const rect = { x: 0.5, y: 0.5, w: size.width - 1, h: size.height - 1 };
  return arrange(areas, rect, isNamed ? NAMED : SMALL);
}

/** Boxes for control groups at the lower end of a rectangle; none where they would leave too little to the CPUs. */
function limitsIn({ x, y, w, h }: Rect, limited: number): readonly Rect[] {
  const n = Math.min(limited, MOST_LIMITS);
  const columns = n > 1 && w >= n * LIMIT_WIDTH ? n : 1;
  const rows = Math.ceil(n / columns);
  const room = Math.min(h * LIMIT.part, h - LEFT_TO_CPUS);
  const each = Math.min(LIMIT.most, room / Math.max(1, rows));
  if (n === 0 || each < LIMIT.least / rows) return [];
  const all = { x, y: y + h - rows * each, w, h: rows * each };
  return cells(all, n, columns, GAP_OF_LIMITS).map((r) => ({ ...r, h: r.h - GAP_OF_LIMITS }));
}

/** Lays out a machine from its parts and the space only, so that no event moves a slot. `limited`: control groups with a limit. */
export function layoutMachine(
  areas: readonly Area[],
  size: { readonly width: number; readonly height: number },
  isInClassroom = false,
  line: keyof typeof LINES_IN_CLASSROOM = '',
  limited = 0,
): MachineLayout {
  const { width, height } = size;
  const tall = isInClassroom ? LINES_IN_CLASSROOM[line] : LINE;
  // A core of one CPU would say its number twice.
  const isPlain = areas.every((area) => !isCore(area) || area.cpus.length === 1);
  const inClassroom: typeof IN_CLASSROOM = isPlain
    ? // Words of a lesson need the room; they speak of CPUs.
      [
        line === 'words' ? { ...NO_CORES, group: 0 } : NO_CORES,
        ...IN_CLASSROOM.filter(({ core }) => core === 0),
      ]
    : IN_CLASSROOM;
  // Half of a line's width lies outside of its rectangle.
  const all: Rect = { x: 1, y: 1, w: Math.max(20, width - 2), h: Math.max(20, height - tall - 2) };
  const limits = limitsIn(all, limited);
  const [first] = limits;
  const page = first ? { ...all, h: first.y - GAP_OF_LIMITS - all.y } : all;
  return {
    width,
    height,
    ...arrange(
      areas,
      page,
      isInClassroom ? inClassroom : SPACINGS,
      isInClassroom ? densityInClassroom : densityOf,
    ),
    line: { x: 0, y: height - tall, w: width, h: tall },
    limits,
    isWaitOnLine: isInClassroom,
  };
}

function place(
  area: Area,
  rect: Rect,
  s: Spacing,
  planner: Planner,
  out: { boxes: Box[]; slots: Slot[]; sizeOf: typeof densityOf },
): void {
  const pad = padOf(area, s);
  const caption = captionOf(area, s);
  out.boxes.push({
    area,
    rect,
    caption: { x: rect.x + pad, y: rect.y, w: Math.max(0, rect.w - 2 * pad), h: caption },
  });
  const inside: Rect = {
    x: rect.x + pad,
    y: rect.y + pad + caption,
    w: Math.max(0.5, rect.w - 2 * pad),
    h: Math.max(0.5, rect.h - 2 * pad - caption),
  };
  const plan = planner.plan(area, rect.w, rect.h);
  if (isCore(area)) {
    const columns = plan.columns[0] ?? 1;
    const places = cells(inside, area.cpus.length, columns, s.corePad);
    area.cpus.forEach((cpu, i) => {
      const r = places[i] ?? inside;
      out.slots.push({ cpu, core: area.ids.core ?? 0, rect: r, density: out.sizeOf(r.w, r.h) });
    });
    return;
  }
  const runs = partsOf(area);
  const halves = runs.length === 1 ? [inside] : split(inside, runs, plan.isRow, s.gap);
  runs.forEach((run, k) => {
    const places = cells(halves[k] ?? inside, run.length, plan.columns[k] ?? 1, s.gap);
    run.forEach((child, i) => {
      place(child, places[i] ?? inside, s, planner, out);
    });
  });
}
