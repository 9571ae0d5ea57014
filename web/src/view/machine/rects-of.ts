/** A painted picture as numbers; see `rects.ts`. */
import type { Rect } from '../../lib/geom';
import type { LaneState } from '../../state/lane.svelte';
import type { Surface } from '../surface';
import { bandRect } from './paint-slots';
import { hueOf, isBackground, rimOf } from './picture';
import type { Painted } from './painter';
import type { MachineRects } from './rects';

/** Reads the last painted picture. */
export function rectsOf(p: Painted, { canvas, zoom }: Surface, lane: LaneState): MachineRects {
  const origin = canvas.getBoundingClientRect();
  const onPage = (r: Rect): Rect => ({
    x: origin.x + r.x * zoom,
    y: origin.y + r.y * zoom,
    w: r.w * zoom,
    h: r.h * zoom,
  });
  const token = (
    task: number,
    state: string,
    r: Rect,
    isMoving = false,
  ): MachineRects['tokens'][number] => ({
    thread: lane.nameOf(task),
    lane: lane.index,
    state,
    isDaemon: isBackground(p, task),
    isMoving,
    rect: onPage(r),
    fill: hueOf(p, task),
    rim: rimOf(p, task),
  });
  const tokens = p.drawn.map(({ task, kind, x, y, size, isMoving }) =>
    token(task, kind, { x: x - size / 2, y: y - size / 2, w: size, h: size }, isMoving),
  );
  for (const slot of p.layout.slots) {
    if (!p.banded.has(slot.cpu) || p.jobsOn) continue;
    const area = bandRect(slot);
    let { x } = area;
    for (const { task, part } of p.bandsOf(slot.cpu)) {
      if (task >= 0) tokens.push(token(task, 'band', { ...area, x, w: part * area.w }));
      x += part * area.w;
    }
  }
  const { flows, counted: tally } = p;
  const moved = lane.frame.task('migrations');
  let migrations = 0;
  moved.forEach((n, task) => {
    if (!isBackground(p, task)) migrations += n || 0;
  });
  return {
    lane: lane.index,
    regime: p.isTotal ? 'totals' : p.hasRings ? 'each move' : 'trails',
    slots: p.layout.slots.map(({ cpu, rect }) => ({ cpu, lane: lane.index, rect: onPage(rect) })),
    tokens,
    lines: p.isTotal
      ? p.links.map(({ count }) => ({ count, thread: null }))
      : [...p.trails, ...p.refused].map(({ task }) => ({ count: 1, thread: lane.nameOf(task) })),
    totals: flows &&
      tally && {
        fromNs: tally.fromNs,
        toNs: tally.toNs,
        moves: flows.moves,
        between: flows.between,
        within: flows.within,
        rest: flows.rest,
      },
    sight: p.sight && {
      kind: p.sight.kind,
      atNs: p.sight.atNs,
      forMs: p.sight.forMs,
      isLeading: p.led != null,
      hasChip: p.chip > 0,
    },
    said: [...p.said.main.slice(0, 1), p.said.more, ...p.scene.labels.map((l) => l.text)].filter(
      (text) => text !== '',
    ),
    migrations,
  };
}
