/** Edits of a run: a property and its value by the path, or one more thread like another. */
import type { TimedEdit } from '../types/TimedEdit';
import { pathOf, stepsOf } from './path';

/** An edit without its time and lane: with either of the two. */
export type Edit = Pick<TimedEdit, 'set' | 'copy'>;

/** Every group, thread or lane. */
export const ALL = '*';

/** What an edit sets. */
export interface Setting {
  readonly path: string;
  readonly steps: readonly string[];
  /** Its steps one by one: `groups`, a name and a field, which is empty where a whole thread is set. */
  readonly what: string;
  readonly which: string;
  readonly field: string;
  /** Null: left out. */
  readonly value: NonNullable<TimedEdit['set']>[string];
}

/** What an edit sets; null for a copy of a thread, and for what a link wrote that is no edit. */
export function settingOf({ set }: Edit): Setting | null {
  const [[path, value] = []] = Object.entries(set ?? {});
  const steps = path === undefined ? null : stepsOf(path);
  if (path === undefined || value === undefined || steps === null) return null;
  const [what = '', which = '', field = ''] = steps;
  return { path, steps, what, which, field, value };
}

/** The edit that sets a property. */
export function editOf(steps: readonly string[], value: unknown): Edit {
  return { set: { [pathOf(steps)]: (value ?? null) as Setting['value'] } };
}

/** The only lane that an edit concerns, by position. */
export function laneOf(timed: TimedEdit): number | undefined {
  const { what, which } = settingOf(timed) ?? {};
  return what === 'lanes' && which !== ALL ? Number(which) - 1 : timed.lane;
}

/** The thread that an edit is about; undefined for a group and for all. */
export function threadOf(edit: Edit): string | undefined {
  const { what, which } = settingOf(edit) ?? {};
  return edit.copy ?? (what === 'threads' && which !== ALL ? which : undefined);
}
