/** Finds the target under a point, and the next one in a direction. */
import { centre, contains, type Point, type Rect } from '../../lib/geom';
import type { Area } from './areas';
import type { MachineLayout } from './layout';
import type { Scene } from './scene';

/** A part of the picture that can be pointed at. */
export type Target =
  | { readonly kind: 'task'; readonly task: number }
  | { readonly kind: 'cpu'; readonly cpu: number }
  /** A part of the machine, by its index among the areas. */
  | { readonly kind: 'area'; readonly area: number };

/** Smallest area that reacts to a pointer. */
const MIN_TARGET = 24;

/**
 * The target at a point; threads lie above CPUs, CPUs above areas. `bandAt` gives the thread of the band at the
 * point; undefined for a slot with tokens.
 */
export function hit(
  layout: MachineLayout,
  scene: Scene,
  p: Point,
  bandAt: (cpu: number) => number | null | undefined,
): Target | null {
  const slot = layout.slots.find((s) => contains(s.rect, p));
  const band = slot && bandAt(slot.cpu);
  if (slot && band !== undefined)
    return band === null ? { kind: 'cpu', cpu: slot.cpu } : { kind: 'task', task: band };
  let best: Target | null = null;
  let bestDistance = Infinity;
  for (const t of scene.placed) {
    if (t.kind === 'slot' && bandAt(t.cpu) !== undefined) continue;
    const reach = Math.max(MIN_TARGET, t.size) / 2;
    const distance = Math.max(Math.abs(p.x - t.x), Math.abs(p.y - t.y));
    if (distance <= reach && distance < bestDistance) {
      best = { kind: 'task', task: t.task };
      bestDistance = distance;
    }
  }
  if (best) return best;
  if (slot) return { kind: 'cpu', cpu: slot.cpu };
  // Parents come before their children.
  const box = layout.boxes.findLast((b) => contains(b.rect, p));
  return box ? { kind: 'area', area: box.area.index } : null;
}

/** All targets in reading order: each CPU with its thread, then waiting, sleeping and finished threads. */
export function stops(layout: MachineLayout, scene: Scene): readonly Target[] {
  const out: Target[] = [];
  const running = new Map(
    scene.placed.filter((p) => p.kind === 'slot').map((p) => [p.cpu, p.task]),
  );
  const inOrder = [...layout.slots].sort((a, b) => a.rect.y - b.rect.y || a.rect.x - b.rect.x);
  for (const slot of inOrder) {
    const task = running.get(slot.cpu);
    out.push(task === undefined ? { kind: 'cpu', cpu: slot.cpu } : { kind: 'task', task });
  }
  for (const p of scene.placed) if (p.kind !== 'slot') out.push({ kind: 'task', task: p.task });
  return out;
}

/** Where a target is drawn. */
export function rectOf(layout: MachineLayout, scene: Scene, target: Target): Rect | null {
  if (target.kind === 'cpu') return layout.slots[target.cpu]?.rect ?? null;
  if (target.kind === 'area') return layout.boxes[target.area]?.rect ?? null;
  const p = scene.placed.find((t) => t.task === target.task);
  return p ? { x: p.x - p.size / 2, y: p.y - p.size / 2, w: p.size, h: p.size } : null;
}

function isSame(a: Target, b: Target): boolean {
  if (a.kind === 'task') return b.kind === 'task' && a.task === b.task;
  if (a.kind === 'area') return b.kind === 'area' && a.area === b.area;
  return b.kind === 'cpu' && a.cpu === b.cpu;
}

/** The area around a target: the core of a CPU, the group of a core, …; null for the whole machine. */
export function outer(layout: MachineLayout, scene: Scene, from: Target): Target | null {
  if (from.kind === 'area') {
    const parent = layout.boxes[from.area]?.area.parent;
    return parent ? { kind: 'area', area: parent.index } : null;
  }
  const place = from.kind === 'task' ? scene.placed.find((t) => t.task === from.task) : null;
  const cpu = from.kind === 'cpu' ? from.cpu : place?.kind === 'slot' ? place.cpu : -1;
  const core = layout.boxes.findLast((b) => b.area.cpus.includes(cpu));
  return core ? { kind: 'area', area: core.area.index } : null;
}

/** The first target inside an area: a part of it, or the thread on its first CPU. */
export function innerOf(layout: MachineLayout, scene: Scene, from: Target): Target | null {
  if (from.kind !== 'area') return null;
  const area = layout.boxes[from.area]?.area;
  const [child] = area?.children ?? [];
  if (child) return { kind: 'area', area: child.index };
  const [cpu] = area?.cpus ?? [];
  if (cpu === undefined) return null;
  const task = scene.placed.find((t) => t.kind === 'slot' && t.cpu === cpu);
  return task ? { kind: 'task', task: task.task } : { kind: 'cpu', cpu };
}

/** Areas at the same depth. */
function peers(layout: MachineLayout, area: number): readonly Target[] {
  const depth = (a: Area | null | undefined): number => (a ? 1 + depth(a.parent) : 0);
  const level = depth(layout.boxes[area]?.area);
  return layout.boxes
    .filter((b) => depth(b.area) === level)
    .map((b) => ({ kind: 'area', area: b.area.index }));
}

function directionOf(key: string): readonly [number, number] {
  switch (key) {
    case 'ArrowLeft':
      return [-1, 0];
    case 'ArrowRight':
      return [1, 0];
    case 'ArrowUp':
      return [0, -1];
    default:
      return [0, 1];
  }
}

/**
 * The next target for a key. Arrows: the nearest in that direction, among threads and CPUs or among areas. Page Up:
 * the area around; Page Down: the first target inside.
 */
export function next(
  layout: MachineLayout,
  scene: Scene,
  from: Target | null,
  key: string,
): Target | null {
  if (from && key === 'PageUp') return outer(layout, scene, from) ?? from;
  if (from && key === 'PageDown') return innerOf(layout, scene, from) ?? from;
  const all = from?.kind === 'area' ? peers(layout, from.area) : stops(layout, scene);
  if (all.length === 0) return null;
  if (key === 'Home') return all[0] ?? null;
  if (key === 'End') return all.at(-1) ?? null;
  const rect = from ? rectOf(layout, scene, from) : null;
  if (!from || !rect) return all[0] ?? null;
  const [dx, dy] = directionOf(key);
  const here = centre(rect);
  let best: Target | null = null;
  let bestCost = Infinity;
  for (const target of all) {
    const r = isSame(target, from) ? null : rectOf(layout, scene, target);
    if (!r) continue;
    const there = centre(r);
    const along = (there.x - here.x) * dx + (there.y - here.y) * dy;
    const across = Math.abs((there.x - here.x) * dy) + Math.abs((there.y - here.y) * dx);
    if (along < 4) continue;
    const cost = along + 2.5 * across;
    if (cost < bestCost) {
      bestCost = cost;
      best = target;
    }
  }
  return best ?? from;
}
