/** Pointers and keys of a timeline: zoom at the pointer, mark a span, pan, point, choose. */
import type { TimeWindow } from '../../state/time-window.svelte';

/** The timeline's reactions to gestures. */
export interface Aims {
  /** Time at a place of the canvas. */
  nsAt(x: number): number;
  /** Width of the time axis. */
  axisWidth(): number;
  point(x: number, y: number): void;
  leave(): void;
  choose(x: number, y: number): void;
  go(ns: number): void;
  /** The user is marking a span between two times. */
  mark(fromNs: number, toNs: number): void;
}

/** A pointer that moved less than this counts as a click. */
const CLICK_PX = 4;

/** Listens on a canvas; the returned function stops that. */
export function listen(canvas: HTMLCanvasElement, window: TimeWindow, aims: Aims): () => void {
  const down = new Map<number, { x: number; y: number; at: number }>();
  /** Beginning of the span that is being marked. */
  let markedFrom: number | null = null;
  let moved = 0;
  const place = (e: MouseEvent) => {
    const r = canvas.getBoundingClientRect();
    return { x: e.clientX - r.left, y: e.clientY - r.top };
  };
  const onWheel = (e: WheelEvent) => {
    e.preventDefault();
    const { x } = place(e);
    const unit = e.deltaMode === 1 ? 16 : 1;
    // With Shift, some browsers turn the direction of the wheel and others do not.
    const across = e.shiftKey && e.deltaX === 0 ? e.deltaY : e.deltaX;
    if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY))
      window.pan((across * unit) / aims.axisWidth());
    // A pinch on a touch pad arrives as a wheel event with the control key.
    else window.zoom(Math.exp(e.deltaY * unit * (e.ctrlKey ? 0.01 : 0.002)), aims.nsAt(x));
  };
  const onDown = (e: PointerEvent) => {
    const { x, y } = place(e);
    down.set(e.pointerId, { x, y, at: x });
    canvas.setPointerCapture(e.pointerId);
    moved = 0;
    // A finger drags the timeline; a mouse has its wheel for that.
    const isMark = e.pointerType !== 'touch' && !e.shiftKey && down.size === 1;
    markedFrom = isMark ? aims.nsAt(x) : null;
  };
  const onMove = (e: PointerEvent) => {
    const { x, y } = place(e);
    const was = down.get(e.pointerId);
    if (!was) {
      aims.point(x, y);
      return;
    }
    moved = Math.max(moved, Math.abs(x - was.at));
    const others = [...down].filter(([id]) => id !== e.pointerId).map(([, p]) => p);
    const [other] = others;
    if (markedFrom !== null) {
      const to = aims.nsAt(x);
      if (moved > CLICK_PX) aims.mark(Math.min(markedFrom, to), Math.max(markedFrom, to));
    } else if (other) {
      // With two fingers, the times under them stay under them.
      const before = Math.max(8, Math.abs(was.x - other.x));
      const after = Math.max(8, Math.abs(x - other.x));
      window.zoom(before / after, aims.nsAt((x + other.x) / 2));
      window.pan((was.x - x) / 2 / aims.axisWidth());
    } else if (moved > CLICK_PX) window.pan((was.x - x) / aims.axisWidth());
    down.set(e.pointerId, { x, y, at: was.at });
  };
  const onUp = (e: PointerEvent) => {
    const { x, y } = place(e);
    const was = down.get(e.pointerId);
    down.delete(e.pointerId);
    if (!was) return;
    if (moved <= CLICK_PX && e.type === 'pointerup') aims.choose(x, y);
    markedFrom = null;
  };
  const onDouble = (e: MouseEvent) => {
    aims.go(aims.nsAt(place(e).x));
  };
  const onLeave = () => {
    aims.leave();
  };
  canvas.addEventListener('wheel', onWheel, { passive: false });
  canvas.addEventListener('pointerdown', onDown);
  canvas.addEventListener('pointermove', onMove);
  canvas.addEventListener('pointerup', onUp);
  canvas.addEventListener('pointercancel', onUp);
  canvas.addEventListener('pointerleave', onLeave);
  canvas.addEventListener('dblclick', onDouble);
  return () => {
    canvas.removeEventListener('wheel', onWheel);
    canvas.removeEventListener('pointerdown', onDown);
    canvas.removeEventListener('pointermove', onMove);
    canvas.removeEventListener('pointerup', onUp);
    canvas.removeEventListener('pointercancel', onUp);
    canvas.removeEventListener('pointerleave', onLeave);
    canvas.removeEventListener('dblclick', onDouble);
  };
}

/** Handles keys of a focused timeline; returns whether the key had an effect. */
export function onTimelineKey(e: KeyboardEvent, window: TimeWindow, nowNs: number): boolean {
  if (e.ctrlKey || e.metaKey || e.altKey) return false;
  switch (e.key) {
    case 'ArrowLeft':
      window.pan(e.shiftKey ? -0.8 : -0.1);
      return true;
    case 'ArrowRight':
      window.pan(e.shiftKey ? 0.8 : 0.1);
      return true;
    case '+':
    case '=':
      window.zoom(0.5);
      return true;
    case '-':
      window.zoom(2);
      return true;
    case '0':
    case 'Home':
      window.showAll();
      return true;
    case '[':
    case ']':
      window.markTo(e.key === '[' ? 'begin' : 'end', nowNs);
      return true;
    case 'End':
      window.follow();
      return true;
    default:
      return false;
  }
}
