/** Idleness while somebody waits: which CPUs had nothing to do meanwhile, and for how long. */
import { duration } from '../../../../lib/format';
import type { LaneState } from '../../../../state/lane.svelte';
import { arrivalOf, cpusByCore, sharingOf } from '../../../machine/sharing';
import { hatch, roundRect, setFont, widthOf } from '../../../machine/picture';
import { xOf } from '../../axis';
import type { Rows } from '../../rows';
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
function lastJobEnd(lane: View, cpus: readonly number[]): number {
  return Math.max(
    0,
    ...cpus.map((cpu) => {
      const list = lane.history.slices[cpu] ?? [];
      return list.findLast(({ task }) => task >= 0 && !lane.isBackground(task))?.to ?? 0;
    }),
  );
}

/** The idle spans that go on now: beside two threads that share a core, else beside threads that wait. */
export function idleSpans(lane: View): readonly IdleSpan[] {
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
    const sinceWait = waitsSince(lane);
    const curr = frame.cpu('curr');
    if (sinceWait !== null)
      for (const [cpu, task] of curr.entries()) {
        if (task >= 0) continue;
        const fromNs = Math.max(sinceWait, lastJobEnd(lane, [cpu]));
        spans.push({ cpus: [cpu], fromNs, toNs: frame.nowNs, core: null });
      }
  }
  return together(spans.filter(({ fromNs, toNs }) => toNs > fromNs));
}

/** Since when a thread waits that may run everywhere: an idle CPU could take it. */
function waitsSince(lane: View): number | null {
  const { frame, history } = lane;
  const allowed = frame.task('allowedCount');
  const waiters = frame.waiters();
  let since: number | null = null;
  for (let row = 0; row < waiters.length; row++) {
    const task = waiters.task(row);
    if (lane.isBackground(task) || (allowed[task] ?? 0) < frame.cpus) continue;
    const ran = history.slices.map((list) => list.findLast((s) => s.task === task)?.to ?? 0);
    const atNs = Math.max(history.placings.get(task)?.atNs ?? 0, ...ran);
    since = Math.min(since ?? Infinity, atNs);
  }
  return since;
}

/** Spans that begin together are one. */
function together(spans: readonly IdleSpan[]): readonly IdleSpan[] {
  const byBegin = new Map<number, IdleSpan>();
  for (const span of spans) {
    const other = byBegin.get(span.fromNs);
    byBegin.set(
      span.fromNs,
      other ? { ...span, cpus: [...other.cpus, ...span.cpus], core: null } : span,
    );
  }
  return [...byBegin.values()];
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
    const tops = span.cpus.flatMap((cpu) => rows.top[cpu] ?? []).sort((a, b) => a - b);
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
