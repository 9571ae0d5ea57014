/** The features of the page, in the order in which lists have their parts. A line each. */
import type { Feature } from './feature';
import { classroom } from './classroom/feature';
import { explain } from './explain/feature';
import { fork } from './fork/feature';
import { lesson } from './lesson/feature';
import { open } from './open/feature';
import { paper } from './paper/feature';
import { record } from './record/feature';
import { recorded } from './recorded/feature';
import { replications } from './replications/feature';
import { share } from './share/feature';
import { start } from './start/feature';

export const FEATURES: readonly Feature[] = [
  lesson,
  start,
  replications,
  open,
  fork,
  explain,
  share,
  record,
  recorded,
  classroom,
  paper,
];

/** What the features bring of one kind. */
export const partsOf = <K extends 'keys' | 'share' | 'over'>(
  kind: K,
): NonNullable<Feature[K]>[number][] =>
  FEATURES.flatMap((feature) => [...(feature[kind] ?? [])]) as NonNullable<Feature[K]>[number][];
