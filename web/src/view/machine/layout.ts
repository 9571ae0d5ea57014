/**
 * Where everything of a machine is drawn: a pure function of its tree and of the space there is.
 *
 * Nodes, cache groups and cores are grids inside each other. All numbers of columns are tried; the
 * one that gives the largest token wins, so that 1 to 192 contexts fit without scrolling.
 */
import { cell, type Rect } from '../../lib/geom';
import type { MachineTree } from '../../sim/types/MachineTree';

/** A named area: node, cache group or core. */
export interface Area {
  readonly id: number;
  readonly rect: Rect;
}

/** Place of one CPU. */
export interface Slot {
  readonly cpu: number;
  readonly core: number;
  readonly rect: Rect;
}

/**
 * How much a slot can say: words beside the token, words above and below it, a token with its number
 * alone, or only a coloured square.
 */
export type Density = 'wide' | 'tall' | 'square' | 'dot';

/** A laid-out machine. */
export interface MachineLayout {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly Area[];
  readonly llcs: readonly Area[];
  readonly cores: readonly Area[];
  /** By CPU number. */
  readonly slots: readonly Slot[];
  readonly density: Density;
  /** Height of the line of text above a core; 0 where there is no room for one. */
  readonly coreLabel: number;
  readonly llcLabel: number;
  readonly nodeLabel: number;
  /** Under the machine: who waits. */
  readonly queue: Rect;
  /** At the very bottom: who sleeps and who has finished. */
  readonly tray: Rect;
}

interface Counts {
  nodes: number[][];
  cores: Map<number, number[]>;
  llcs: Map<number, number[]>;
  maxLlcs: number;
  maxCores: number;
  maxThreads: number;
}

interface Spacing {
  gap: number;
  pad: number;
  corePad: number;
  node: number;
  llc: number;
  core: number;
}

interface Grid {
  nodeColumns: number;
  llcColumns: number;
  coreColumns: number;
  threadColumns: number;
}

/** Whether a slot has room for a name beside its token. */
function isWide(w: number, h: number): boolean {
  return w >= 88 && h >= 34;
}

/** Whether a slot has room for words above and below its token. */
function isTall(w: number, h: number): boolean {
  return w >= 40 && h >= 84;
}

function densityOf(w: number, h: number): Density {
  if (isTall(w, h) && (!isWide(w, h) || h > w * 0.8)) return 'tall';
  if (isWide(w, h)) return 'wide';
  return Math.min(w, h) >= 22 ? 'square' : 'dot';
}

/** How good a size of slot is: the token that fits, and a bonus for words. */
function worth(w: number, h: number): number {
  if (w <= 0 || h <= 0) return Math.min(w, h);
  const density = densityOf(w, h);
  const token = slotParts({ x: 0, y: 0, w, h }, density).token.w;
  return density === 'wide' ? token * 1.25 : density === 'tall' ? token * 1.2 : token;
}

function group(keys: readonly number[], values: readonly number[]): Map<number, number[]> {
  const out = new Map<number, number[]>();
  keys.forEach((key, i) => {
    const value = values[i] ?? 0;
    const list = out.get(key) ?? [];
    if (!list.includes(value)) list.push(value);
    out.set(
      key,
      list.sort((a, b) => a - b),
    );
  });
  return out;
}

function countOf(tree: MachineTree): Counts {
  const llcs = group(tree.node, tree.llc);
  const cores = group(tree.llc, tree.core);
  const cpus = tree.core.map((_, cpu) => cpu);
  const perCore = group(tree.core, cpus);
  const longest = (m: Map<number, number[]>) =>
    Math.max(1, ...[...m.values()].map((v) => v.length));
  return {
    nodes: [...llcs.values()],
    llcs,
    cores,
    maxLlcs: longest(llcs),
    maxCores: longest(cores),
    maxThreads: longest(perCore),
  };
}

function spacingFor(cpus: number, c: Counts, height: number): Spacing {
  const gap = cpus <= 16 ? 10 : cpus <= 64 ? 6 : 3;
  const roomy = cpus <= 32 && height > 220;
  return {
    gap,
    pad: cpus <= 64 ? 8 : 4,
    corePad: cpus <= 16 ? 6 : cpus <= 64 ? 3 : 1,
    node: c.nodes.length > 1 ? 18 : 0,
    llc: c.nodes.length * c.maxLlcs > 1 ? 16 : 0,
    core: roomy ? 18 : 0,
  };
}

function inner(size: number, n: number, gap: number, pad: number, label: number): number {
  return (size - gap * (n - 1)) / n - 2 * pad - label;
}

function slotSize(w: number, h: number, c: Counts, s: Spacing, g: Grid): [number, number] {
  const rows = (n: number, columns: number) => Math.ceil(n / columns);
  const nodePad = s.node > 0 ? s.pad : 0;
  const llcPad = s.llc > 0 ? s.pad : 0;
  const nodeW = inner(w, g.nodeColumns, s.gap, nodePad, 0);
  const nodeH = inner(h, rows(c.nodes.length, g.nodeColumns), s.gap, nodePad, s.node);
  const llcW = inner(nodeW, g.llcColumns, s.gap, llcPad, 0);
  const llcH = inner(nodeH, rows(c.maxLlcs, g.llcColumns), s.gap, llcPad, s.llc);
  const coreW = inner(llcW, g.coreColumns, s.gap, s.corePad, 0);
  const coreH = inner(llcH, rows(c.maxCores, g.coreColumns), s.gap, s.corePad, s.core);
  const slotW = (coreW - s.corePad * (g.threadColumns - 1)) / g.threadColumns;
  const slotH =
    (coreH - s.corePad * (rows(c.maxThreads, g.threadColumns) - 1)) /
    rows(c.maxThreads, g.threadColumns);
  return [slotW, slotH];
}

function bestGrid(w: number, h: number, c: Counts, s: Spacing): Grid {
  const threadColumns = c.maxThreads <= 2 ? c.maxThreads : Math.ceil(Math.sqrt(c.maxThreads));
  let best: Grid = { nodeColumns: 1, llcColumns: 1, coreColumns: 1, threadColumns };
  let bestScore = -Infinity;
  for (let nodeColumns = 1; nodeColumns <= c.nodes.length; nodeColumns++) {
    for (let llcColumns = 1; llcColumns <= c.maxLlcs; llcColumns++) {
      for (let coreColumns = 1; coreColumns <= c.maxCores; coreColumns++) {
        const grid = { nodeColumns, llcColumns, coreColumns, threadColumns };
        const [sw, sh] = slotSize(w, h, c, s, grid);
        const empty = Math.ceil(c.maxCores / coreColumns) * coreColumns - c.maxCores;
        // A ragged last row costs a little: grids without holes are easier to read.
        const score = worth(sw, sh) * Math.max(0.5, 1 - 0.04 * empty);
        if (score > bestScore + 0.01) {
          bestScore = score;
          best = grid;
        }
      }
    }
  }
  return best;
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

function within(r: Rect, pad: number, label: number): Rect {
  return {
    x: r.x + pad,
    y: r.y + pad + label,
    w: Math.max(1, r.w - 2 * pad),
    h: Math.max(1, r.h - 2 * pad - label),
  };
}

/** Lays out a machine. */
export function layoutMachine(
  tree: MachineTree,
  size: { readonly width: number; readonly height: number },
): MachineLayout {
  const { width, height } = size;
  const trayHeight = Math.min(30, Math.max(22, height * 0.07));
  const queueHeight = Math.min(140, Math.max(78, height * 0.22));
  const area: Rect = {
    x: 0,
    y: 0,
    w: width,
    h: Math.max(20, height - trayHeight - queueHeight - 6),
  };
  const c = countOf(tree);
  const s = spacingFor(tree.core.length, c, area.h);
  const g = bestGrid(area.w, area.h, c, s);
  const nodes: Area[] = [];
  const llcs: Area[] = [];
  const cores: Area[] = [];
  const slots: Slot[] = [];
  const nodePad = s.node > 0 ? s.pad : 0;
  const llcPad = s.llc > 0 ? s.pad : 0;
  const nodeRects = cells(area, c.nodes.length, g.nodeColumns, s.gap);
  [...c.llcs.entries()].forEach(([node, nodeLlcs], n) => {
    const nodeRect = nodeRects[n] ?? area;
    nodes.push({ id: node, rect: nodeRect });
    const llcRects = cells(
      within(nodeRect, nodePad, s.node),
      nodeLlcs.length,
      Math.min(g.llcColumns, nodeLlcs.length),
      s.gap,
    );
    nodeLlcs.forEach((llc, l) => {
      const llcRect = llcRects[l] ?? nodeRect;
      llcs.push({ id: llc, rect: llcRect });
      const llcCores = c.cores.get(llc) ?? [];
      const coreRects = cells(
        within(llcRect, llcPad, s.llc),
        llcCores.length,
        Math.min(g.coreColumns, llcCores.length),
        s.gap,
      );
      llcCores.forEach((core, k) => {
        const coreRect = coreRects[k] ?? llcRect;
        cores.push({ id: core, rect: coreRect });
        const cpus = tree.core.flatMap((owner, cpu) => (owner === core ? [cpu] : []));
        cpus.sort((a, b) => (tree.thread[a] ?? 0) - (tree.thread[b] ?? 0));
        const places = cells(
          within(coreRect, s.corePad, s.core),
          cpus.length,
          Math.min(g.threadColumns, cpus.length),
          s.corePad,
        );
        cpus.forEach((cpu, i) => slots.push({ cpu, core, rect: places[i] ?? coreRect }));
      });
    });
  });
  slots.sort((a, b) => a.cpu - b.cpu);
  const smallest = slots.reduce((m, x) => (x.rect.w < m.w ? x.rect : m), slots[0]?.rect ?? area);
  const density = densityOf(smallest.w, smallest.h);
  const queueTop = height - trayHeight - queueHeight;
  return {
    width,
    height,
    nodes,
    llcs,
    cores,
    slots,
    density,
    coreLabel: s.core,
    llcLabel: s.llc,
    nodeLabel: s.node,
    queue: { x: 0, y: queueTop, w: width, h: queueHeight },
    tray: { x: 0, y: height - trayHeight, w: width, h: trayHeight },
  };
}

/** The parts of a slot. */
export interface SlotParts {
  readonly token: Rect;
  /** Speed bar; no height where there is no room. */
  readonly bar: Rect;
  /** Where words go: beside the token, or below it; null where there is no room. */
  readonly text: Rect | null;
}

/** Divides a slot. */
export function slotParts(rect: Rect, density: Density): SlotParts {
  if (density === 'wide') {
    const pad = Math.min(8, rect.h * 0.1);
    const barH = Math.min(12, Math.max(5, rect.h * 0.11));
    const top = rect.h - 2 * pad - barH - pad * 0.8;
    const size = Math.min(top, rect.w * 0.44);
    const token = { x: rect.x + pad, y: rect.y + pad + (top - size) / 2, w: size, h: size };
    const textX = token.x + size + pad;
    return {
      token,
      bar: { x: rect.x + pad, y: rect.y + rect.h - pad - barH, w: rect.w - 2 * pad, h: barH },
      text: { x: textX, y: rect.y + pad, w: rect.x + rect.w - pad - textX, h: top },
    };
  }
  if (density === 'tall') {
    const pad = Math.min(8, rect.w * 0.08);
    const line = Math.min(26, Math.max(14, rect.h * 0.16));
    const barH = Math.min(14, Math.max(6, rect.h * 0.08));
    const room = rect.h - 2 * pad - 2 * line - barH;
    const size = Math.min(rect.w - 2 * pad, room);
    const top = rect.y + pad + line + (room - size) / 2;
    return {
      token: { x: rect.x + (rect.w - size) / 2, y: top, w: size, h: size },
      bar: { x: rect.x + pad, y: rect.y + rect.h - pad - barH, w: rect.w - 2 * pad, h: barH },
      text: {
        x: rect.x + pad,
        y: rect.y + rect.h - pad - barH - line,
        w: rect.w - 2 * pad,
        h: line,
      },
    };
  }
  if (density === 'square') {
    const barH = Math.max(3, rect.h * 0.1);
    const size = Math.min(rect.w - 4, rect.h - barH - 7);
    return {
      token: {
        x: rect.x + (rect.w - size) / 2,
        y: rect.y + 2 + (rect.h - barH - 7 - size) / 2,
        w: size,
        h: size,
      },
      bar: { x: rect.x + (rect.w - size) / 2, y: rect.y + rect.h - barH - 2, w: size, h: barH },
      text: null,
    };
  }
  const size = Math.max(2, Math.min(rect.w, rect.h));
  return {
    token: { x: rect.x + (rect.w - size) / 2, y: rect.y + (rect.h - size) / 2, w: size, h: size },
    bar: { x: rect.x, y: rect.y + rect.h, w: rect.w, h: 0 },
    text: null,
  };
}

/** CPUs in the order of the machine: siblings adjacent. */
export function cpuOrder(tree: MachineTree): readonly number[] {
  const key = (cpu: number) => [
    tree.node[cpu] ?? 0,
    tree.llc[cpu] ?? 0,
    tree.core[cpu] ?? 0,
    tree.thread[cpu] ?? 0,
  ];
  return tree.core
    .map((_, cpu) => cpu)
    .sort((a, b) => {
      const [x, y] = [key(a), key(b)];
      const i = x.findIndex((v, k) => v !== y[k]);
      return i < 0 ? 0 : (x[i] ?? 0) - (y[i] ?? 0);
    });
}
