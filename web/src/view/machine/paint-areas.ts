/** Paints packages, nodes, cache groups, clusters and cores with their captions: names, caches, memory. */
import { bytes, celsius, rate, ratio } from '../../lib/format';
import type { Rect } from '../../lib/geom';
import { type Area, areaName, type Cache } from './areas';
import type { Box } from './layout';
import { fitText, hatch, hueOf, type GroundPicture, roundRect, setFont, widthOf } from './picture';
import { hasLimits, levelName, saturation, type CacheShare } from './warmth';

/** Smallest height of a caption with words. */
const MIN_CAPTION = 14;
/** Smallest and largest length of a bar in a caption. */
const BAR = { least: 20, most: 110, gap: 8 } as const;
/** Between a label and its bar. */
const WORD_GAP = 5;
/** Room for the count of moves within a core. */
const WITHIN = 64;
/** From this factor on, waiting counts as short bandwidth. */
const SHORT_FROM = 1.02;

const NOBODY: CacheShare = { task: -1, bytes: 0, isHere: false };

/** A caption as it was painted last. */
export interface Caption {
  /** Its words about memory and heat. */
  readonly notes: string;
  /** Its caches, and how each of them looked. */
  readonly bars: readonly { readonly cache: Cache; readonly rect: Rect; readonly look: number[] }[];
}

/** Paints an area without its content. */
export function paintArea(p: GroundPicture, box: Box, isIdle: boolean): Caption | null {
  if (box.area.ids.core !== undefined) paintCore(p, box, isIdle);
  else if (box.area.parent !== null) paintGroup(p, box);
  return box.caption.h < MIN_CAPTION ? null : paintCaption(p, box, isIdle);
}

/** Paints the changed parts of a caption: rarely its words, as these cost most. */
export function refreshCaption(
  p: GroundPicture,
  box: Box,
  isIdle: boolean,
  known: Caption,
): Caption {
  if (wordsOf(notesOf(p, box.area)) === known.notes) {
    for (const bar of known.bars) {
      if (look(p, bar.cache, bar.rect, bar.look)) paintCache(p, bar.cache, bar.rect);
    }
    return known;
  }
  const { ctx, theme } = p;
  const { caption, area } = box;
  const [x, y, w, h] = [caption.x - 1, caption.y + 1.5, caption.w + 2, caption.h - 1.5];
  ctx.clearRect(x, y, w, h);
  if (area.ids.core !== undefined) {
    ctx.fillStyle = isIdle ? theme.coreIdle : theme.core;
    ctx.fillRect(x, y, w, h);
  }
  return paintCaption(p, box, isIdle);
}

/** Cores with a thread on any CPU: now, or in the last drawn second if that changes too fast. */
export function busyCores(p: GroundPicture): ReadonlySet<number> {
  const curr = p.frame.cpu('curr');
  const busy = new Set<number>();
  p.tree.core.forEach((core, cpu) => {
    const isNow = (curr[cpu] ?? -1) >= 0 || p.scene.begins.has(cpu);
    const isBusy = p.banded.has(cpu) ? p.bandsOf(cpu).length > 0 : isNow;
    if (isBusy) busy.add(core);
  });
  return busy;
}

function paintGroup(p: GroundPicture, { area, rect }: Box): void {
  const { ctx, theme } = p;
  const isPackage = area.ids.package !== undefined;
  ctx.lineWidth = isPackage ? 1.5 : 1;
  ctx.strokeStyle = isPackage ? theme.edge : theme.hair;
  roundRect(ctx, rect, Math.min(9, rect.w * 0.05));
  ctx.stroke();
}

function paintCore(p: GroundPicture, { area, rect }: Box, isIdle: boolean): void {
  const { ctx, theme } = p;
  const isSmall = Math.min(rect.w, rect.h) < 24;
  const isShared = p.sharing.shared.has(area.ids.core ?? -1);
  roundRect(ctx, rect, isSmall ? 2 : 8);
  ctx.fillStyle = isIdle ? theme.coreIdle : theme.core;
  ctx.fill();
  ctx.lineWidth = 1;
  ctx.setLineDash(isIdle && !isSmall ? [4, 4] : []);
  ctx.strokeStyle = isIdle ? theme.edge : theme.hair;
  if (isShared) {
    // Within its place, so that another core's picture never wipes a part of it.
    const width = isSmall ? 1.5 : 2.5;
    const inset = (width - 1) / 2;
    const { x, y, w, h } = rect;
    roundRect(ctx, { x: x + inset, y: y + inset, w: w - 2 * inset, h: h - 2 * inset }, 8);
    ctx.lineWidth = width;
    ctx.strokeStyle = theme.accent;
  }
  ctx.stroke();
  ctx.setLineDash([]);
  ctx.lineWidth = 1;
}

/** What a shared core and an idle one beside it say of themselves, at the right end of their caption. */
function pairNote({ sharing, theme }: GroundPicture, { ids }: Area) {
  const core = ids.core ?? -1;
  if (sharing.shared.has(core)) return { text: 'shared', colour: theme.accent };
  return sharing.idle.has(core) ? { text: 'idle', colour: theme.ink } : null;
}

/** Names of an area, the longest first; a narrow node has the name that it has beside the timeline. */
function namesOf(area: Area): readonly string[] {
  const { core, node } = area.ids;
  const tiny = core === undefined && node !== undefined ? [`n${String(node)}`] : [];
  const bare = area.capacity !== null && core === undefined ? [`${area.kind} cores`] : [];
  return [areaName(area), areaName(area, true), ...bare, ...tiny];
}

/** The content of a caption, from left to right. */
function paintCaption(p: GroundPicture, { area, caption }: Box, isIdle: boolean): Caption {
  const { ctx, theme } = p;
  const px = Math.min(13, Math.max(12, caption.h * 0.6));
  const y = caption.y + caption.h / 2 + 1;
  const { gap } = BAR;
  let { x } = caption;
  let right = caption.x + caption.w;
  setFont(p, px);
  const all = area.parent === null ? [p.machineName] : namesOf(area);
  // In front of a class its inner part is enough.
  const names = p.layout.isWaitOnLine ? all.slice(-2) : all;
  const shortest = Math.min(...names.slice(0, 2).map((n) => widthOf(ctx, n)), caption.w * 0.5);
  ctx.textAlign = 'right';
  const pair = pairNote(p, area);
  if (pair) {
    setFont(p, px, 650);
    const w = widthOf(ctx, pair.text);
    if (right - w - gap >= x + shortest) {
      ctx.fillStyle = pair.colour;
      ctx.fillText(pair.text, right, y);
      right -= w + gap;
    }
  }
  // The bar of a cache takes precedence over the name of a memory, unless that memory is short.
  const reserved = area.caches.length === 0 || pair ? 0 : BAR.least + 2 * px;
  const notes = notesOf(p, area);
  for (const { text, isLoud } of notes) {
    if (p.layout.isWaitOnLine && !isLoud) continue;
    setFont(p, px, isLoud ? 650 : 400);
    const w = widthOf(ctx, text);
    if (right - w - gap < x + (isLoud ? 0 : shortest + reserved)) continue;
    ctx.fillStyle = isLoud ? theme.of('--warn') : theme.muted;
    ctx.fillText(text, right, y);
    right -= w + gap;
  }
  const isShared = pair !== null && !isIdle;
  setFont(p, px, isShared ? 650 : 400);
  ctx.textAlign = 'left';
  ctx.fillStyle = isShared ? pair.colour : theme.muted;
  const fits = (n: string): boolean => widthOf(ctx, n) + gap + reserved <= right - x;
  const full = names.find(fits) ?? names.at(-1) ?? '';
  // The dashed outline says the same; the word is for readers who do not know that yet.
  const name = isIdle && !pair && caption.w > 150 ? `${full} · idle` : full;
  // In totals the count of moves within a core stands at the end.
  const within = area.ids.core === undefined ? 0 : (p.flows?.withinOf.get(area.ids.core) ?? 0);
  if (within > 0) right -= Math.min(caption.w * 0.45, WITHIN) + gap;
  const bars = barsFor(p, area, right - x - Math.min(widthOf(ctx, name), caption.w * 0.6) - gap);
  const kept = bars.reduce((sum, b) => sum + b.width + gap, 0);
  if (name !== '') {
    const room = right - x - kept;
    fitText(ctx, name, x, y, room);
    x += Math.min(widthOf(ctx, name), room) + gap;
  }
  setFont(p, px);
  const painted = bars.map(({ cache, label, width }) => {
    ctx.fillStyle = theme.muted;
    ctx.fillText(label, x, y);
    const start = x + (label === '' ? 0 : widthOf(ctx, label) + WORD_GAP);
    const end = x + width;
    const h = Math.max(6, px * 0.72);
    const rect = { x: start, y: y - h / 2 - 0.5, w: end - start, h };
    paintCache(p, cache, rect);
    x = end + gap;
    const seen: number[] = [];
    look(p, cache, rect, seen);
    return { cache, rect, look: seen };
  });
  return { notes: wordsOf(notes), bars: painted };
}

interface Bar {
  readonly cache: Cache;
  readonly label: string;
  /** Width of label and bar. */
  readonly width: number;
}

/** The caches that fit, with the longest labels that fit. */
function barsFor(p: GroundPicture, area: Area, room: number): readonly Bar[] {
  const long = (c: Cache): string => `${levelName(c.level)} ${bytes(c.bytes)}`;
  const short = (c: Cache): string => levelName(c.level);
  // The most shared cache comes first: the innermost level is left out first.
  for (let skip = 0; skip < area.caches.length; skip++) {
    const caches = area.caches.slice(skip);
    for (const label of [long, short]) {
      const least = label === long ? 2 * BAR.least : BAR.least;
      const words = caches.map((c) => widthOf(p.ctx, label(c)) + WORD_GAP);
      const left = room - words.reduce((sum, w) => sum + w + BAR.gap, 0);
      const bar = Math.min(BAR.most, left / caches.length);
      if (bar < least) continue;
      return caches.map((cache, i) => ({
        cache,
        label: label(cache),
        width: bar + (words[i] ?? 0),
      }));
    }
  }
  const outermost = area.caches.at(-1);
  if (!outermost || room < BAR.least) return [];
  return [{ cache: outermost, label: '', width: Math.min(BAR.most, room) }];
}

/** Looks at everything that a cache's picture depends on; returns whether anything has changed. */
function look(p: GroundPicture, cache: Cache, r: Rect, seen: number[]): boolean {
  const tenants = p.tenants.get(cache.instance) ?? [];
  let sum = 0;
  for (const t of tenants) sum += t.bytes;
  const scale = (2 * r.w) / Math.max(cache.bytes, sum);
  let isOther = seen.length !== 2 * tenants.length;
  seen.length = 2 * tenants.length;
  for (let i = 0; i < tenants.length; i++) {
    const { task, bytes: size, isHere } = tenants[i] ?? NOBODY;
    const isDim = p.selected !== null && p.selected !== task;
    const kind = (p.names.taskGroup[task] ?? 0) * 4 + (isHere ? 2 : 0) + (isDim ? 1 : 0);
    const w = Math.round(size * scale);
    isOther ||= seen[2 * i] !== kind || seen[2 * i + 1] !== w;
    seen[2 * i] = kind;
    seen[2 * i + 1] = w;
  }
  return isOther;
}

/** The content of a cache: a part for each thread, hatched for data left behind. */
function paintCache(p: GroundPicture, cache: Cache, r: Rect): void {
  const { ctx, theme } = p;
  ctx.save();
  roundRect(ctx, r, 2.5);
  ctx.clip();
  ctx.fillStyle = theme.slot;
  ctx.fillRect(r.x, r.y, r.w, r.h);
  let { x } = r;
  const tenants = p.tenants.get(cache.instance) ?? [];
  const sum = tenants.reduce((n, t) => n + t.bytes, 0);
  const scale = r.w / Math.max(cache.bytes, sum);
  for (const { task, bytes: size, isHere } of tenants) {
    const w = size * scale;
    const isDim = p.selected !== null && p.selected !== task;
    ctx.globalAlpha = isDim ? 0.25 : isHere ? 1 : 0.55;
    ctx.fillStyle = hueOf(p, task);
    // One pixel of ground separates two threads of the same hue.
    const part = { x, y: r.y, w: Math.max(0.5, w - (tenants.length > 1 && w > 3 ? 1 : 0)), h: r.h };
    ctx.fillRect(part.x, part.y, part.w, part.h);
    // Data left behind is hatched: no thread uses it here now.
    if (!isHere && w > 3) hatch(ctx, part, theme.slot);
    x += w;
  }
  ctx.globalAlpha = 1;
  ctx.restore();
  ctx.lineWidth = 1;
  ctx.strokeStyle = theme.edge;
  roundRect(ctx, r, 2.5);
  ctx.stroke();
}

interface Note {
  readonly text: string;
  readonly isLoud: boolean;
}

function wordsOf(notes: readonly Note[]): string {
  return notes.map((n) => n.text).join('|');
}

/** Memory and heat, rightmost first. */
function notesOf(p: GroundPicture, area: Area): readonly Note[] {
  const out: Note[] = [];
  if (area.parent === null) {
    const heat = p.frame.cpu('temperature')[area.cpus[0] ?? 0] ?? Number.NaN;
    if (p.thermal && Number.isFinite(heat)) {
      const isLoud = heat >= p.thermal.limitMilliC / 1000 - 0.5;
      out.push({ text: `${celsius(heat)}${isLoud ? ', throttled' : ''}`, isLoud });
    }
  }
  const isDomain =
    p.memory?.domain === 'machine' ? area.parent === null : area.ids.node !== undefined;
  if (p.memory && isDomain && hasLimits(p.memory)) {
    const factor = saturation(p.frame, area);
    const isLoud = factor > SHORT_FROM;
    const text = isLoud
      ? `memory ${ratio(factor)} slower`
      : `memory ${rate(p.memory.bandwidthMbPerS * 1e6)}`;
    out.push({ text, isLoud });
  }
  return out;
}
