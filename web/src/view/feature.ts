/**
 * What a feature of the page brings. Each region asks all features for its own part, so that a feature is one line in
 * `features.ts`, and is gone without that line.
 */
import type { Component } from 'svelte';
import type { Place } from '../link/place';
import type { Kept } from '../storage/kept-store';
import type { Catalog } from '../sim/types/Catalog';
import type { LessonEntry } from '../sim/types/LessonEntry';
import type { Entry } from './search/find';
import type { Term } from './search/terms';
import type { Key } from './shell/key-table';

/** A component that is loaded when it is first shown. */
export type Later = () => Promise<{ default: Component }>;

/** A place that covers the laboratory. */
export interface Page {
  /** The kind of its addresses. */
  readonly at: Place['kind'];
  readonly load: Later;
  /** What is told where it does not arrive. */
  readonly missing: string;
  /** Its link in the bar. Without one, the bar names the place by itself. */
  readonly link?: { readonly name: string; readonly fragment: string };
}

/** A part of Share, with a tab of its own. */
export interface SharePart {
  readonly name: string;
  readonly load: Later;
  /** Whether it needs a wide dialog. */
  readonly isWide?: boolean;
}

/** All that the search may look through. */
export interface Searched {
  readonly catalog: Catalog;
  readonly kept: readonly Kept[];
  readonly lessons: readonly LessonEntry[];
}

/** What the search finds of a feature. */
export interface Findings {
  /** What can be opened. */
  readonly entries?: (searched: Searched) => readonly Entry[];
  /** Words that the page uses in one sense. */
  readonly terms?: readonly Term[];
}

/** See the module comment. What is large comes when it is asked for. */
export interface Feature {
  /** Its folder here. */
  readonly id: string;
  readonly keys?: readonly Key[];
  readonly page?: Page;
  readonly share?: readonly SharePart[];
  readonly search?: () => Promise<{ findings: Findings }>;
  /** What may stand over the page in every place, and decides by itself when. */
  readonly over?: readonly Component[];
}
