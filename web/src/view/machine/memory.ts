/** The nodes that hold the memory of a thread. */
import { percent } from '../../lib/format';
import type { LaneState } from '../../state/lane.svelte';

type View = Pick<LaneState, 'residents' | 'tree'>;

/** A part of a thread's memory. */
export interface OnNode {
  readonly node: number;
  /** Part of all its memory, 0 to 1. */
  readonly part: number;
}

const ROW = 3;

/** Number of nodes of a machine. */
export function nodesOf({ tree }: Pick<View, 'tree'>): number {
  return new Set(tree.node).size;
}

/** The nodes of a thread's memory, the largest part first; empty if it has no memory or the machine has one node. */
export function memoryOf({ residents }: Pick<View, 'residents'>, task: number): readonly OnNode[] {
  // After the caches, the core counts node n as cache -1 - n.
  const parts: { node: number; bytes: number }[] = [];
  for (let i = 0; i + ROW <= residents.length; i += ROW) {
    const cache = residents[i] ?? 0;
    if (cache >= 0 || residents[i + 1] !== task) continue;
    parts.push({ node: -1 - cache, bytes: residents[i + 2] ?? 0 });
  }
  const all = parts.reduce((sum, { bytes }) => sum + bytes, 0);
  return parts
    .map(({ node, bytes }) => ({ node, part: bytes / all }))
    .sort((a, b) => b.part - a.part);
}

/** The same in words: `all on node 3`, `node 3 96 %, node 0 4 %`; null if there is nothing to say. */
export function memoryText(parts: readonly OnNode[]): string | null {
  const [first] = parts;
  if (!first) return null;
  if (parts.length === 1) return `all on node ${String(first.node)}`;
  return parts.map(({ node, part }) => `node ${String(node)} ${percent(part)}`).join(', ');
}
