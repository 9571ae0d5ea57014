/** Idleness while somebody waits: which CPUs had nothing to do meanwhile, and for how long. */
import { duration } from '../../../../lib/format';
import type { LaneState } from '../../../../state/lane.svelte';
import { arrivalOf, cpusByCore, sharingOf } from '../../../machine/sharing';
import { hatch, roundRect, setFont, widthOf } from '../../../machine/picture';
import type { Rect } from '../../../../lib/geom';
import type { Slice } from '../../../../sim/history';
import type { Span } from '../../../../state/time-window.svelte';
import { xOf } from '../../axis';
import type { Rows } from '../../rows';
import type { Slices } from '../../slices';
import type { Box } from '../../tab';

/** CPUs that idled together since a time, while somebody could have run there. */
export interface IdleSpan {
  readonly cpus: readonly number[];
  readonly fromNs: number;
  readonly toNs: number;
  /** Whether all of it is one core. */
  readonly core: number | null;
}

type View = Pick<LaneState, 'frame' | 'history' | 'isBackground' | 'tree'>;

/** The end of the last slice of a job on some CPUs. */
function lastJobEnd(lane: View, cpus: readonly number[], later: Slices | null = null): number {
  const { nowNs } = lane.frame;
  const isJob = ({ task, from }: Slice) => task >= 0 && !lane.isBackground(task) && from < nowNs;
  const known = later ?? lane.history.slices;
  return Math.max(0, ...cpus.map((cpu) => known[cpu]?.findLast(isJob)?.to ?? 0));
}

/** A part of the shown time in which two beginnings look like one. */
const AS_ONE = 1 / 300;

/** Since when threads wait, and how long until one of them leaves its queue for another CPU. */
interface Wait {
  readonly sinceNs: number;
  readonly untilNs: number;
}

/**
 * The idle spans that go on now: beside two threads that share a core, else beside threads that wait. Where what came
 * later is known, they end when a waiting thread goes elsewhere.
 */
export function idleSpans(
  lane: View,
  later: Slices | null = null,
  shown: Span = { fromNs: 0, toNs: 0 },
): readonly IdleSpan[] {
  const { frame } = lane;
  const { shared, free } = sharingOf(lane);
  const byCore = cpusByCore(lane.tree);
  const arrivals = shared.map(({ cpus, tasks }) =>
    Math.max(...cpus.map((cpu, i) => arrivalOf(lane, cpu, tasks[i] ?? -1)?.from ?? Infinity)),
  );
  const sinceShared = Math.min(...arrivals);
  const spans: IdleSpan[] = [];
  if (Number.isFinite(sinceShared))
    for (const core of free) {
      const cpus = byCore.get(core) ?? [];
      const fromNs = Math.max(sinceShared, lastJobEnd(lane, cpus));
      spans.push({ cpus, fromNs, toNs: frame.nowNs, core });
    }
  else {
    const wait = waitOf(lane, later);
    const curr = frame.cpu('curr');
    if (wait !== null)
      for (const [cpu, task] of curr.entries()) {
        if (task >= 0) continue;
        const fromNs = Math.max(wait.sinceNs, lastJobEnd(lane, [cpu], later));
        spans.push({ cpus: [cpu], fromNs, toNs: wait.untilNs, core: null });
      }
  }
  const asOneNs = (shown.toNs - shown.fromNs) * AS_ONE;
  return together(
    spans.filter(({ fromNs, toNs }) => toNs > fromNs),
    asOneNs,
  );
}

/** The wait of the threads that may run everywhere: an idle CPU could take them. */
function waitOf(lane: View, later: Slices | null): Wait | null {
  const { frame, history } = lane;
  const allowed = frame.task('allowedCount');
  const waiters = frame.waiters();
  const known = later ?? history.slices;
  let [sinceNs, untilNs] = [Infinity, Infinity];
  for (let row = 0; row < waiters.length; row++) {
    const task = waiters.task(row);
    if (lane.isBackground(task) || (allowed[task] ?? 0) < frame.cpus) continue;
    const isOwn = (s: Slice) => s.task === task && s.from < frame.nowNs;
    const ran = known.map((list) => list.findLast(isOwn)?.to ?? 0);
    const atNs = Math.max(history.placings.get(task)?.atNs ?? 0, ...ran);
    const queue = waiters.queue(row);
    const goes = known.map((list, cpu) =>
      cpu === queue
        ? Infinity
        : (list.find((s) => s.task === task && s.from >= frame.nowNs)?.from ?? Infinity),
    );
    const gone = Math.min(...goes);
    sinceNs = Math.min(sinceNs, atNs);
    untilNs = Math.min(untilNs, Number.isFinite(gone) ? gone : frame.nowNs);
  }
  return Number.isFinite(sinceNs) ? { sinceNs, untilNs } : null;
}

/** Spans that begin together are one, from the last beginning on. */
function together(spans: readonly IdleSpan[], asOneNs: number): readonly IdleSpan[] {
  const all: IdleSpan[] = [];
  for (const span of spans.toSorted((a, b) => a.fromNs - b.fromNs)) {
    const other = all.at(-1);
    if (other && span.fromNs - other.fromNs <= asOneNs)
      all[all.length - 1] = { ...span, cpus: [...other.cpus, ...span.cpus], core: null };
    else all.push(span);
  }
  return all;
}

/** A span in words, the longest first. */
export function sayIdle({ cpus, core, fromNs, toNs }: IdleSpan): readonly string[] {
  const long = `idle for ${duration(toNs - fromNs)}`;
  if (core !== null) return [`core ${String(core)} ${long}`, long];
  if (cpus.length === 1) return [`cpu ${String(cpus[0])} ${long}`, long];
  return [`${String(cpus.length)} CPUs ${long}`, long];
}

/** Shades the spans over their rows, with their length where there is room. */
export function paintIdle(box: Box, rows: Rows, spans: readonly IdleSpan[], px: number): void {
  const { ctx, theme } = box;
  for (const span of spans) {
    const [left, right] = [
      Math.max(xOf(box, box.fromNs), xOf(box, span.fromNs)),
      xOf(box, span.toNs),
    ];
    const shown = span.cpus.filter((cpu) => rows.order.includes(cpu));
    const tops = shown.flatMap((cpu) => rows.top[cpu] ?? []).sort((a, b) => a - b);
    const [first, last] = [tops[0], tops.at(-1)];
    if (first === undefined || last === undefined || right - left < 3) continue;
    const rect = { x: left, y: first, w: right - left, h: last + rows.height - first };
    ctx.save();
    ctx.globalAlpha = 0.14;
    ctx.fillStyle = theme.accent;
    ctx.fillRect(rect.x, rect.y, rect.w, rect.h);
    ctx.restore();
    hatch(ctx, rect, theme.accent);
    ctx.strokeStyle = theme.accent;
    ctx.lineWidth = 1.5;
    ctx.setLineDash([5, 3]);
    roundRect(ctx, rect, 2);
    ctx.stroke();
    ctx.setLineDash([]);
    if (paintBeside(box, rect, span, px)) continue;
    setFont(box, px, 650);
    const text = sayIdle(span).find((words) => widthOf(ctx, words) + 16 <= rect.w);
    const half = px * 0.72;
    // In a low chart the words stay inside of it.
    const y = Math.max(half, Math.min(box.height - half, rect.y + rect.h / 2));
    const middle = { x: rect.x + rect.w / 2, y };
    // Outside, where a short span has no room.
    const words = text ?? sayIdle(span)[0] ?? '';
    const width = widthOf(ctx, words);
    const x = text === undefined ? Math.max(rect.x - width / 2 - 12, width / 2 + 4) : middle.x;
    ctx.fillStyle = theme.paper;
    ctx.globalAlpha = 0.92;
    ctx.fillRect(x - width / 2 - 5, middle.y - half, width + 10, 2 * half);
    ctx.globalAlpha = 1;
    ctx.textAlign = 'center';
    ctx.textBaseline = 'middle';
    ctx.fillStyle = theme.accent;
    ctx.fillText(words, x, middle.y);
  }
}

/** The length as a large number right of a high span, with what it is; returns whether there is room. */
function paintBeside(box: Box, rect: Rect, span: IdleSpan, px: number): boolean {
  const { ctx, theme } = box;
  const number = duration(span.toNs - span.fromNs);
  const [who, why] = [`${String(span.cpus.length)} CPUs idle`, 'while a job waits'];
  const x = rect.x + rect.w + px * 0.6;
  setFont(box, px, 650);
  const wide = Math.max(widthOf(ctx, who), widthOf(ctx, why));
  if (span.cpus.length < 2 || rect.h < px * 4.6 || x + wide > box.width) return false;
  const middle = rect.y + rect.h / 2;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  ctx.fillStyle = theme.ink;
  ctx.fillText(who, x, middle + px * 0.75);
  ctx.fillText(why, x, middle + px * 2.05);
  setFont(box, px * 2, 650);
  ctx.fillStyle = theme.accent;
  ctx.fillText(number, x, middle - px * 0.9);
  return true;
}
