/**
 * A tab of the timelines: one folder in `tabs/` with its name, the data that it requests, its painter, its table, and
 * the target at a place.
 */
import type { Component } from 'svelte';
import type { Theme } from '../../lib/color';
import type { Lab } from '../../state/lab.svelte';
import type { LaneState } from '../../state/lane.svelte';
import type { TimelineTab } from '../../link/view';
import type { Axis } from './axis';
import type { Span } from '../../state/time-window.svelte';
import type { TableWords } from './table-words';

/** See the module comment. */
export interface Tab {
  readonly id: TimelineTab;
  readonly label: string;
  /** Makes the chart of a lane over the axis of time. */
  readonly chart?: (of: ChartOf) => Chart;
  /** The alternative to a chart, without an axis of time. */
  readonly panel?: Component<{ lane: LaneState }>;
  /** Whether the panel is a picture of the present, which stands under its machine. */
  readonly isNow?: boolean;
}

/** The parts of the page that charts read. */
export type ChartPage = Pick<
  Lab,
  'config' | 'look' | 'playback' | 'prefs' | 'run' | 'selection' | 'window'
> &
  Partial<Pick<Lab, 'lessons' | 'traces'>>;

/** The data and size that a chart is made for. */
export interface ChartOf {
  readonly page: ChartPage;
  readonly lane: LaneState;
  /** Size of the canvas in CSS pixels. */
  readonly size: { readonly width: number; readonly height: number };
  /** The selected thread, and the one under the pointer, in this lane. */
  readonly selected: number | null;
  readonly hovered: number | null;
  readonly theme: Theme;
}

/** The canvas that a chart paints on. */
export interface Box extends Axis {
  readonly ctx: CanvasRenderingContext2D;
  readonly theme: Theme;
}

/** The target at a place of a chart. */
export interface Place {
  /** In words. */
  readonly words: string;
  /** The thread that is there. */
  readonly task: number | null;
  /** Selects the target and asks why; `isByKey`: by keyboard, so that the focus moves to the answer. */
  choose(isByKey: boolean): void;
}

/** A chart of one lane. */
export interface Chart {
  /** Reads everything that it depends on besides the window; a change of it repaints the chart. */
  watch(): void;
  paint(box: Box): void;
  /** Paints what is known of the time to come, above everything else. */
  paintAhead?(box: Box): void;
  /** The content of a span, as a table; `last` is the table before, to keep while no newer data are there. */
  table(span: Span, last: TableWords | null): TableWords | null;
  /** The target at a place, if there is more than a time. */
  at?(axis: Axis, x: number, y: number): Place | null;
  /** Handles a key; returns words about the new place, or null if the key has no effect here. */
  walk?(key: string, axis: Axis): string | null;
  /** The pointer has replaced the keyboard. */
  leaveKeys?(): void;
}
