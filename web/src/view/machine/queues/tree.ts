/**
 * Red-black trees of virtual runtimes, as in the kernel: each node under its parent, ordered by vruntime from left to
 * right. An axis shows how far each is ahead of `min_vruntime`. Groups have their own trees, one below the other.
 */
import { roundUp125 } from '../../../lib/scale';
import { US } from '../../../lib/units';
import type { QueueDetail } from '../../../sim/types/QueueDetail';
import type { TreeNode } from '../../../sim/types/TreeNode';
import type { TreeView } from '../../../sim/types/TreeView';
import type { PlacedParts } from '../placed';

/** A node with its place. */
export interface PlacedNode {
  readonly node: TreeNode;
  readonly x: number;
  readonly y: number;
  readonly size: number;
  /** Place of its vruntime on the axis. */
  readonly axisX: number;
  readonly parent: { readonly x: number; readonly y: number } | null;
}

/** A tree with its place. */
export interface DrawnTree {
  readonly tree: TreeView;
  readonly top: number;
  /** Baseline of the axis. */
  readonly base: number;
  readonly left: number;
  readonly width: number;
  /** vruntime ahead of `min_vruntime` at the left end, and to the right end from there. */
  readonly fromNs: number;
  readonly spanNs: number;
  readonly nodes: readonly PlacedNode[];
  /** Number of waiting entities by bins from left to right, where single nodes would not be distinguishable. */
  readonly bins: readonly number[];
  readonly waiting: number;
}

const HEAD = 20;
const FOOT = 30;
const STEP = 30;
/** If entities do not fit at this distance, they are counted in bins. */
const MIN_PITCH = 7;
const BINS = 24;

function depths(nodes: readonly TreeNode[]): ReadonlyMap<number, number> {
  const parent = new Map(nodes.map((n) => [n.entity, n.parent]));
  const out = new Map<number, number>();
  const depth = (entity: number): number => {
    const known = out.get(entity);
    if (known !== undefined) return known;
    const up = parent.get(entity) ?? null;
    const d = up === null ? 0 : depth(up) + 1;
    out.set(entity, d);
    return d;
  };
  for (const n of nodes) depth(n.entity);
  return out;
}

function treeIn(
  tree: TreeView,
  top: number,
  width: number,
  cpu: number,
  out: PlacedParts,
): DrawnTree {
  const left = 14;
  const wide = width - 28;
  const waiting = tree.nodes.filter((n) => !n.running);
  const depth = depths(waiting);
  const deepest = Math.max(0, ...depth.values());
  const ahead = tree.nodes.map((n) => n.aheadNs);
  const fromNs = Math.min(0, ...ahead);
  const spanNs = roundUp125(Math.max(100 * US, Math.max(0, ...ahead) - fromNs), 100 * US);
  const pitch = wide / Math.max(1, waiting.length);
  const isBinned = pitch < MIN_PITCH;
  const size = Math.min(26, Math.max(6, pitch - 1.5), STEP - 4);
  const base = top + HEAD + (isBinned ? 3 : deepest + 1) * STEP + 8;
  const toX = (ns: number) => left + ((ns - fromNs) / spanNs) * wide;
  const bins = Array<number>(isBinned ? BINS : 0).fill(0);
  const nodes: PlacedNode[] = [];
  const places = new Map<number, { x: number; y: number }>();
  waiting.forEach((node, i) => {
    const axisX = toX(node.aheadNs);
    if (isBinned) {
      const bin = Math.min(BINS - 1, Math.floor(((axisX - left) / wide) * BINS));
      bins[bin] = (bins[bin] ?? 0) + 1;
      return;
    }
    const place = {
      x: left + (i + 0.5) * pitch,
      y: top + HEAD + (depth.get(node.entity) ?? 0) * STEP + STEP / 2,
    };
    places.set(node.entity, place);
  });
  waiting.forEach((node) => {
    const place = places.get(node.entity);
    if (!place) return;
    const parent = node.parent === null ? null : (places.get(node.parent) ?? null);
    nodes.push({ node, ...place, size, axisX: toX(node.aheadNs), parent });
    if (node.task !== null)
      out.placed.push({ task: node.task, kind: 'queue', cpu, ...place, size });
  });
  return {
    tree,
    top,
    base,
    left,
    width: wide,
    fromNs,
    spanNs,
    nodes,
    bins,
    waiting: waiting.length,
  };
}

/** Places all trees of a CPU; returns them with the height that they need. */
export function treesIn(
  detail: QueueDetail,
  width: number,
  cpu: number,
  out: PlacedParts,
): { readonly trees: readonly DrawnTree[]; readonly height: number } {
  const trees: DrawnTree[] = [];
  let top = 0;
  for (const tree of detail.trees) {
    const drawn = treeIn(tree, top, width, cpu, out);
    trees.push(drawn);
    top = drawn.base + FOOT;
  }
  return { trees, height: Math.max(80, top) };
}
