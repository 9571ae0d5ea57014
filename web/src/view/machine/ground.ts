/**
 * What lies under the threads: packages, nodes, cores with their caches, and the slots with their words. Little of
 * it changes from one picture to the next, so it has a canvas of its own, on which only what changed is painted
 * again: cores that went idle or to work, slots, and the captions in turn. While nothing plays everything is exact.
 */
import type { Rect } from '../../lib/geom';
import type { LaneState } from '../../state/lane.svelte';
import type { Surface } from '../surface';
import type { Box, Slot } from './layout';
import { busyCores, type Caption, paintArea, refreshCaption } from './paint-areas';
import { paintSlot } from './paint-slots';
import { paintFeet } from './queues/paint-columns';
import { beginPicture, CHURN_FROM, type GroundPicture, type Picture, ratioOf } from './picture';
import { slotParts } from './slot';
import { type Tenants, tenantsOf } from './warmth';

/** All captions are painted once in this time. */
const ROUND_MS = 300;
/** Nobody follows what is in the caches faster. */
const TENANTS_MS = 80;
/** Where threads take turns too fast to be read, a slot says something else this often. */
const TURN_MS = 150;
/** Numbers that tell a slot, besides its causes. */
const FACTS = 5;

/** The ground of one lane. */
export class Ground {
  #seen: readonly unknown[] = [];
  #slots = new Float64Array();
  #slotMs = new Float64Array();
  #busy: ReadonlySet<number> = new Set();
  #captions: (Caption | null)[] = [];
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
    const { layout, theme, selected, selectedCpu, machineName, memory, names, scene } = p;
    const forms = scene.strips.map((s) => (s.kind === 'columns' ? s.form : s.kind)).join();
    const seen = [surface, layout, theme, selected, selectedCpu, machineName, memory, names, forms];
    const busy = busyCores(p);
    beginPicture(ctx);
    ctx.textBaseline = 'middle';
    if (isStill || seen.some((value, i) => value !== this.#seen[i])) {
      this.#seen = seen;
      this.#paintAll(p, busy, nowMs);
    } else this.#paintSome(p, busy, nowMs);
    this.#busy = busy;
    this.#atMs = nowMs;
  }

  #paintAll(p: GroundPicture, busy: ReadonlySet<number>, nowMs: number): void {
    const { layout } = p;
    p.ctx.clearRect(0, 0, layout.width, layout.height);
    const width = FACTS + p.frame.schema.causes.length;
    this.#slots = new Float64Array(layout.slots.length * width);
    this.#slotMs = new Float64Array(layout.slots.length);
    this.#facts = new Float64Array(width);
    this.#captions = layout.boxes.map((box) => paintArea(p, box, isIdle(box, busy)));
    for (const slot of layout.slots) {
      this.#hasChanged(p, slot, nowMs);
      paintSlot(p, slot);
    }
    for (const strip of p.scene.strips) if (strip.kind === 'columns') paintFeet(p, strip, p.tree);
  }

  #paintSome(p: GroundPicture, busy: ReadonlySet<number>, nowMs: number): void {
    const { boxes, slots } = p.layout;
    boxes.forEach((box, i) => {
      const { core } = box.area.ids;
      if (core === undefined || busy.has(core) === this.#busy.has(core)) return;
      // Its line lies half outside.
      const { x, y, w, h } = wholePixels(p.ctx, box.rect, 0.5);
      p.ctx.clearRect(x, y, w, h);
      this.#captions[i] = paintArea(p, box, isIdle(box, busy));
    });
    const due = Math.ceil(boxes.length * Math.min(1, (nowMs - this.#atMs) / ROUND_MS));
    for (let i = 0; i < due; i++) {
      const at = this.#next % boxes.length;
      const [box, caption] = [boxes[at], this.#captions[at]];
      this.#next += 1;
      if (box && caption) this.#captions[at] = refreshCaption(p, box, isIdle(box, busy), caption);
    }
    for (const slot of slots) {
      const isBusy = busy.has(slot.core);
      const isNew = this.#busy.has(slot.core) !== isBusy;
      if (!this.#hasChanged(p, slot, nowMs) && !isNew) continue;
      const { x, y, w, h } = wholePixels(p.ctx, slot.rect, slot.density === 'dot' ? 0.5 : 1.5);
      p.ctx.fillStyle = isBusy ? p.theme.core : p.theme.coreIdle;
      p.ctx.fillRect(x, y, w, h);
      paintSlot(p, slot);
    }
  }

  /** Whether a slot says something else than when it was painted last, and has said that for long enough. */
  #hasChanged(
    { frame, names, churn, lifted, selectedCpu }: Picture,
    { cpu, rect, density }: Slot,
    nowMs: number,
  ): boolean {
    const facts = this.#facts;
    const task = frame.cpu('curr')[cpu] ?? -1;
    const isTurning = task >= 0 && (churn[cpu] ?? 0) >= CHURN_FROM;
    facts.fill(0);
    // Of threads that take turns only the hue is told.
    facts[0] = isTurning ? (names.taskGroup[task] ?? 0) : task;
    facts[1] = task < 0 ? (frame.cpu('state')[cpu] ?? 0) : 0;
    facts[2] = (selectedCpu === cpu ? 1 : 0) + (lifted.has(cpu) ? 2 : 0);
    facts[3] = isTurning ? 1 : 0;
    const at = cpu * facts.length;
    const isAsBefore = [1, 2, 3].every((i) => this.#slots[at + i] === facts[i]);
    if (isTurning && isAsBefore && nowMs - (this.#slotMs[cpu] ?? 0) < TURN_MS) return false;
    if (task >= 0 && density !== 'dot') {
      facts[4] = Math.round((frame.task('rate')[task] ?? 0) * 100);
      const { bar } = slotParts(rect, density);
      frame.schema.nowOf.forEach((column, i) => {
        facts[FACTS + i] = Math.round((frame.task(column)[task] ?? 0) * bar.w);
      });
    }
    let changed = false;
    for (let i = 0; i < facts.length; i++) {
      if (this.#slots[at + i] === facts[i]) continue;
      this.#slots[at + i] = facts[i] ?? 0;
      changed = true;
    }
    if (changed) this.#slotMs[cpu] = nowMs;
    return changed;
  }
}

/** All pixels of a canvas that a rectangle and a rim around it touch: of those that are wiped in part a shade stays. */
function wholePixels(ctx: CanvasRenderingContext2D, { x, y, w, h }: Rect, rim: number): Rect {
  const ratio = ratioOf(ctx);
  const [left, top] = [
    Math.floor((x - rim) * ratio) / ratio,
    Math.floor((y - rim) * ratio) / ratio,
  ];
  const right = Math.ceil((x + w + rim) * ratio) / ratio;
  const bottom = Math.ceil((y + h + rim) * ratio) / ratio;
  return { x: left, y: top, w: right - left, h: bottom - top };
}

function isIdle({ area }: Box, busy: ReadonlySet<number>): boolean {
  return area.ids.core !== undefined && !busy.has(area.ids.core);
}
