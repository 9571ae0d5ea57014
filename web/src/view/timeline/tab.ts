/**
 * What a tab of the timelines is: one folder in `tabs/` with its name, the past that it asks for, its painter, its table
 * and what is at a place.
 */
import type { Component } from 'svelte';
import type { Theme } from '../../lib/color';
import type { Lab } from '../../state/lab.svelte';
import type { LaneState } from '../../state/lane.svelte';
import type { TimelineTab } from '../../link/view';
import type { Axis } from './axis';
import type { Span } from '../../state/time-window.svelte';
import type { Twin } from './twin';

/** See the module comment. */
export interface Tab {
  readonly id: TimelineTab;
  readonly label: string;
  /** Makes the chart of a lane over the axis of time. */
  readonly chart?: (of: ChartOf) => Chart;
  /** Else what stands in its place, which has no axis of time. */
  readonly panel?: Component<{ lane: LaneState }>;
  /** Whether the panel is a picture of now, which stands under its machine. */
  readonly isNow?: boolean;
}

/** The parts of the page that charts look at. */
export type ChartPage = Pick<
  Lab,
  'config' | 'look' | 'playback' | 'prefs' | 'run' | 'selection' | 'window'
>;

/** What a chart is about. */
export interface ChartOf {
  readonly page: ChartPage;
  readonly lane: LaneState;
  /** Size of the canvas in CSS pixels. */
  readonly size: { readonly width: number; readonly height: number };
  /** The selected thread, and the one that is pointed at, in this lane. */
  readonly selected: number | null;
  readonly hovered: number | null;
  readonly theme: Theme;
}

/** The canvas that a chart paints on. */
export interface Box extends Axis {
  readonly ctx: CanvasRenderingContext2D;
  readonly theme: Theme;
}

/** What is at a place of a chart. */
export interface Place {
  /** In words. */
  readonly words: string;
  /** The thread that is there. */
  readonly task: number | null;
  /** Selects it and asks why; `isByKey` when the keyboard did, which then goes to the answer. */
  choose(isByKey: boolean): void;
}

/** A chart of one lane. */
export interface Chart {
  /** Reads all that it depends on beside the window: what changes it has it painted anew. */
  watch(): void;
  paint(box: Box): void;
  /** What it shows in a span, as a table; `last` is what was shown before, where nothing newer is known yet. */
  table(span: Span, last: Twin | null): Twin | null;
  /** What is at a place, where there is more than a time. */
  at?(axis: Axis, x: number, y: number): Place | null;
  /** Takes a key that walks over it; what is there in words, or null where the key means nothing here. */
  walk?(key: string, axis: Axis): string | null;
  /** The pointer has taken over from the keys. */
  leaveKeys?(): void;
}
