/**
 * The ground under the threads: packages, nodes, cores with their caches, and slots with their words. Little of it
 * changes between pictures, so it has a canvas of its own. Only changes are painted there: cores that went idle or
 * busy, slots, and the captions in turn. While nothing plays everything is exact.
 */
import type { Rect } from '../../lib/geom';
import type { LaneState } from '../../state/lane.svelte';
import type { Surface } from '../surface';
import type { Box, Slot } from './layout';
import { busyCores, type Caption, paintArea, refreshCaption } from './paint-areas';
import { paintSlot } from './paint-slots';
import { beginPicture, type GroundPicture, isBackground, type Picture, ratioOf } from './picture';
import { NO_PAIRING } from './sharing';
import { slotParts } from './slot';
import { type CacheShares, cacheSharesOf } from './warmth';

/** Time in which all captions are painted once. */
const ROUND_MS = 300;
/** Shortest time between updates of caches: faster ones could not be followed. */
const TENANTS_MS = 80;
/** Numbers that describe a slot, besides its causes. */
const FACTS = 6;

/** The ground of one lane. */
export class Ground {
  #seen: readonly unknown[] = [];
  #slots = new Float64Array();
  #busy: ReadonlySet<number> = new Set();
  #sharing = NO_PAIRING;
  #captions: (Caption | null)[] = [];
  #next = 0;
  #atMs = -Infinity;
  #tenants: CacheShares = new Map();
  #tenantsMs = -Infinity;
  #facts = new Float64Array();

  /** Paints the changed parts of a picture's ground. */
  paint(
    surface: Surface,
    picture: Omit<Picture, 'ctx'>,
    lane: LaneState,
    nowMs: number,
    isStill: boolean,
  ): void {
    if (isStill || nowMs - this.#tenantsMs >= TENANTS_MS) {
      this.#tenants = cacheSharesOf(lane);
      this.#tenantsMs = nowMs;
    }
    const { ctx } = surface;
    const p: GroundPicture = { ...picture, ctx, tenants: this.#tenants };
    const { layout, theme, selected, selectedCpu, machineName, memory, names, hueNo } = p;
    const seen = [surface, layout, theme, selected, selectedCpu, machineName, memory, names, hueNo];
    const busy = busyCores(p);
    beginPicture(ctx);
    ctx.textBaseline = 'middle';
    if (isStill || seen.some((value, i) => value !== this.#seen[i])) {
      this.#seen = seen;
      this.#paintAll(p, busy);
    } else this.#paintSome(p, busy, nowMs);
    this.#busy = busy;
    this.#sharing = p.sharing;
    this.#atMs = nowMs;
  }

  #paintAll(p: GroundPicture, busy: ReadonlySet<number>): void {
    const { layout } = p;
    p.ctx.clearRect(0, 0, layout.width, layout.height);
    const width = FACTS + p.frame.schema.causes.length;
    this.#slots = new Float64Array(layout.slots.length * width);
    this.#facts = new Float64Array(width);
    this.#captions = layout.boxes.map((box) => paintArea(p, box, isIdle(box, busy)));
    for (const slot of layout.slots) {
      this.#hasChanged(p, slot);
      paintSlot(p, slot);
    }
  }

  #paintSome(p: GroundPicture, busy: ReadonlySet<number>, nowMs: number): void {
    const { boxes, slots } = p.layout;
    const [was, is] = [this.#sharing, p.sharing];
    const isOther = (core: number): boolean =>
      busy.has(core) !== this.#busy.has(core) ||
      is.shared.has(core) !== was.shared.has(core) ||
      is.idle.has(core) !== was.idle.has(core);
    boxes.forEach((box, i) => {
      const { core } = box.area.ids;
      if (core === undefined || !isOther(core)) return;
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
      if (!this.#hasChanged(p, slot) && !isOther(slot.core)) continue;
      const { x, y, w, h } = wholePixels(p.ctx, slot.rect, slot.density === 'dot' ? 0.5 : 1.5);
      p.ctx.fillStyle = isBusy ? p.theme.core : p.theme.coreIdle;
      p.ctx.fillRect(x, y, w, h);
      paintSlot(p, slot);
    }
  }

  /** Whether a slot has changed since it was painted last. */
  #hasChanged(p: Picture, { cpu, rect, density }: Slot): boolean {
    const { frame, selectedCpu } = p;
    const facts = this.#facts;
    facts.fill(0);
    facts[0] = selectedCpu === cpu ? 1 : 0;
    if (p.banded.has(cpu)) facts[1] = p.filledNo(cpu);
    else {
      const task = frame.cpu('curr')[cpu] ?? -1;
      facts[2] = task;
      facts[3] = task < 0 ? 1 + (frame.cpu('state')[cpu] ?? 0) : 0;
      const isRefused = p.layout.isWaitOnLine && p.refused.some(({ to }) => to === cpu);
      const isWanted = task < 0 && p.scene.movable > 0;
      facts[4] = (isWanted ? 1 : 0) + (isRefused ? 2 : 0) + (p.scene.begins.has(cpu) ? 4 : 0);
      if (p.ghost?.cpu === cpu) facts[4] += 8;
      facts[5] = task >= 0 && p.showDaemons && isBackground(p, task) ? 1 : 0;
      if (task >= 0 && density !== 'dot') {
        const { bar } = slotParts(rect, density);
        const { nowOf } = frame.schema;
        for (let i = 0; i < nowOf.length; i++)
          facts[FACTS + i] = Math.round((frame.task(nowOf[i] ?? '')[task] ?? 0) * bar.w);
      }
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

/** All canvas pixels that a rectangle and its rim touch: a partly wiped pixel would keep a shade. */
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
