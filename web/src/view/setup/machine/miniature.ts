/** A machine as a few paths: packages, cache groups, cores and CPUs, without words. */
import type { Rect } from '../../../lib/geom';
import type { MachineTree } from '../../../sim/types/MachineTree';
import { areasOf } from '../../machine/areas';
import { layoutSmall } from '../../machine/layout';

/** Paths of a picture, back to front. */
export interface Miniature {
  readonly packages: string;
  readonly groups: string;
  readonly cores: string;
  /** CPUs of each kind of core. */
  readonly cpus: readonly string[];
}

const path = ({ x, y, w, h }: Rect): string =>
  `M${x.toFixed(1)} ${y.toFixed(1)}h${w.toFixed(1)}v${h.toFixed(1)}h${(-w).toFixed(1)}z`;

/** Largest part of the picture for a CPU, so that few CPUs still look like CPUs. */
const MAX_PART = 0.2;

/** The middle of a rectangle that is too large. */
function capped(r: Rect, side: number): Rect {
  const [w, h] = [Math.min(r.w, side), Math.min(r.h, side)];
  return { x: r.x + (r.w - w) / 2, y: r.y + (r.h - h) / 2, w, h };
}

/** Draws a machine into a space. */
export function miniatureOf(tree: MachineTree, width: number, height: number): Miniature {
  const { boxes, slots } = layoutSmall(areasOf(tree), { width, height });
  const of = (test: (box: (typeof boxes)[number]) => boolean): string =>
    boxes
      .filter(test)
      .map((b) => path(b.rect))
      .join('');
  const isCore = (b: (typeof boxes)[number]): boolean => b.area.ids.core !== undefined;
  const isPackage = (b: (typeof boxes)[number]): boolean =>
    b.area.parent === null || b.area.ids.package !== undefined;
  const hasOuter = boxes.some((b) => b.area.parent !== null && b.area.ids.package !== undefined);
  return {
    packages: of((b) => isPackage(b) && !isCore(b) && !(hasOuter && b.area.parent === null)),
    groups: of((b) => !isPackage(b) && !isCore(b)),
    cores: of(isCore),
    // Kinds are drawn from P to E, in whatever order the machine has them.
    cpus: [...tree.kinds]
      .sort()
      .reverse()
      .map((name) => tree.kinds.indexOf(name))
      .map((kind) =>
        slots
          .filter((s) => (tree.kind[s.cpu] ?? 0) === kind)
          .map((s) => path(capped(s.rect, width * MAX_PART)))
          .join(''),
      ),
  };
}

/** Shape of a machine in words: `2 sockets · 36 cores · 72 CPUs`. */
export function shapeWords(tree: MachineTree): string {
  const count = (keys: readonly number[]): number => new Set(keys).size;
  const [sockets, nodes, cores, cpus] = [
    count(tree.package),
    count(tree.node),
    count(tree.core),
    tree.core.length,
  ];
  const words: string[] = [];
  if (sockets > 1) words.push(`${String(sockets)} sockets`);
  if (nodes > 1 && nodes !== sockets) words.push(`${String(nodes)} nodes`);
  if (tree.kinds.length > 1) {
    words.push(
      tree.kinds
        .map((name, kind) => {
          const of = tree.core.filter((_, cpu) => tree.kind[cpu] === kind);
          return `${String(count(of))} ${name}`;
        })
        .join(' + '),
    );
  }
  words.push(`${String(cores)} ${cores === 1 ? 'core' : 'cores'}`);
  if (cpus > cores) words.push(`${String(cpus)} CPUs`);
  return words.join(' · ');
}
