/**
 * What lies under the threads: packages, nodes, cores with their caches, and the slots with their words. Little of
 * it changes from one picture to the next, so it has a canvas of its own, on which only the slots that changed are
 * painted again, and the captions in turn. While nothing plays everything is exact.
 */
import type { LaneState } from '../../state/lane.svelte';
import type { Surface } from '../surface';
import type { Slot } from './layout';
import { busyCores, paintAreas, paintCaptionOf } from './paint-areas';
import { paintSlot } from './paint-slots';
import { beginPicture, CHURN_FROM, type GroundPicture, type Picture } from './picture';
import { slotParts } from './slot';
import { type Tenants, tenantsOf } from './warmth';

/** All captions are painted once in this time. */
const ROUND_MS = 300;
/** Nobody follows what is in the caches faster. */
const TENANTS_MS = 80;
/** Numbers that tell a slot, besides its causes. */
const FACTS = 5;

/** The ground of one lane. */
export class Ground {
  #seen: readonly unknown[] = [];
  #slots = new Float64Array();
  #next = 0;
  #atMs = -Infinity;
  #tenants: Tenants = new Map();
  #tenantsMs = -Infinity;
  #facts = new Float64Array();

  /** Paints what has to be painted of the ground of a picture. */
  paint(
    surface: Surface,
    picture: Omit<Picture, 'ctx'>,
    lane: LaneState,
    nowMs: number,
    isStill: boolean,
  ): void {
    if (isStill || nowMs - this.#tenantsMs >= TENANTS_MS) {
      this.#tenants = tenantsOf(lane);
      this.#tenantsMs = nowMs;
    }
    const { ctx } = surface;
    const p: GroundPicture = { ...picture, ctx, tenants: this.#tenants };
    const busy = busyCores(p);
    const idle = p.tree.core.map((core) => (busy.has(core) ? 1 : 0)).join('');
    const seen = [surface, p.layout, p.theme, p.selected, p.machineName, p.memory, p.names, idle];
    beginPicture(ctx);
    ctx.textBaseline = 'middle';
    if (isStill || seen.some((value, i) => value !== this.#seen[i])) {
      this.#seen = seen;
      this.#paintAll(p);
    } else this.#paintSome(p, busy, nowMs);
    this.#atMs = nowMs;
  }

  #paintAll(p: GroundPicture): void {
    p.ctx.clearRect(0, 0, p.layout.width, p.layout.height);
    paintAreas(p);
    const width = FACTS + p.frame.schema.causes.length;
    this.#slots = new Float64Array(p.layout.slots.length * width);
    this.#facts = new Float64Array(width);
    for (const slot of p.layout.slots) {
      this.#hasChanged(p, slot);
      paintSlot(p, slot);
    }
  }

  #paintSome(p: GroundPicture, busy: ReadonlySet<number>, nowMs: number): void {
    const { boxes, slots } = p.layout;
    const due = Math.ceil(boxes.length * Math.min(1, (nowMs - this.#atMs) / ROUND_MS));
    for (let i = 0; i < due; i++) {
      const box = boxes[this.#next % boxes.length];
      this.#next += 1;
      if (box) paintCaptionOf(p, box, busy, true);
    }
    for (const slot of slots) {
      if (!this.#hasChanged(p, slot)) continue;
      const pad = slot.density === 'dot' ? 0.5 : 1.5;
      const { x, y, w, h } = slot.rect;
      p.ctx.fillStyle = busy.has(slot.core) ? p.theme.core : p.theme.coreIdle;
      p.ctx.fillRect(x - pad, y - pad, w + 2 * pad, h + 2 * pad);
      paintSlot(p, slot);
    }
  }

  /** Whether a slot says something else than when it was asked last. */
  #hasChanged(
    { frame, churn, lifted, selectedCpu }: Picture,
    { cpu, rect, density }: Slot,
  ): boolean {
    const facts = this.#facts;
    const task = frame.cpu('curr')[cpu] ?? -1;
    facts.fill(0);
    facts[0] = task;
    facts[1] = frame.cpu('state')[cpu] ?? 0;
    facts[2] = (selectedCpu === cpu ? 1 : 0) + (lifted.has(cpu) ? 2 : 0);
    if (task >= 0 && density !== 'dot') {
      facts[3] = Math.round((frame.task('rate')[task] ?? 0) * 100);
      facts[4] = (churn[cpu] ?? 0) >= CHURN_FROM ? 1 : 0;
      const { bar } = slotParts(rect, density);
      frame.schema.causes.forEach((cause, i) => {
        facts[FACTS + i] = Math.round((frame.task(`now:${cause}`)[task] ?? 0) * bar.w);
      });
    }
    const at = cpu * facts.length;
    let changed = false;
    for (let i = 0; i < facts.length; i++) {
      if (this.#slots[at + i] === facts[i]) continue;
      this.#slots[at + i] = facts[i] ?? 0;
      changed = true;
    }
    return changed;
  }
}
