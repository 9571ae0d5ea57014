/**
 * What the page says about each scheduler: of its reasons from the file beside its code, of its queues from a folder here;
 * see README.md. The texts of reasons load after the first picture.
 */

import NAMES, { type Mover, type ReasonNames } from 'virtual:reasons/names';
import type { ReasonTexts } from 'virtual:reasons/texts';
import type { ReasonEntry } from '../../sim/types/ReasonEntry';

export type { Mover };

/** Names that the pictures of queues need. */
export interface QueueNames {
  /** Columns of a CPU: the slots at which a ring is filled and served. */
  readonly insertHand?: string;
  readonly removeHand?: string;
  /** Column of a thread: its deadline. */
  readonly deadline?: string;
  /** The key of a tree. */
  readonly order?: string;
  /** The zero of its axis. */
  readonly origin?: string;
  /** Column of a CPU: the last time it balanced the domain of a `{level}`. */
  readonly balanced?: string;
  /** Columns of a thread that its card shows. */
  readonly threadFacts?: readonly string[];
  /** Columns of a CPU that the card of its queue shows. */
  readonly facts?: readonly string[];
}

const QUEUES = import.meta.glob<QueueNames>('./*/queue.json', { eager: true, import: 'default' });

/** What the pictures of a scheduler's queues need; empty where it has no folder. */
export function queueOf(scheduler: string): QueueNames {
  return QUEUES[`./${scheduler}/queue.json`] ?? {};
}

/** The texts of reasons, by scheduler and reason. */
type Texts = Readonly<Record<string, Readonly<Record<string, ReasonTexts>>>>;

let all: Texts = {};
let texts: Promise<void> | null = null;

/** Loads the texts of all reasons, once. Whatever shows a decision in words waits for them. */
export function loadTexts(): Promise<void> {
  texts ??= import('virtual:reasons/texts').then((found) => {
    all = found.default;
  });
  // The next caller tries again: the network may be back.
  texts.catch(() => {
    texts = null;
  });
  return texts;
}

/** A text of a reason; null where it has none, and before they are loaded. */
export function textOf(scheduler: string, field: keyof ReasonTexts, reason: string): string | null {
  return all[scheduler]?.[reason]?.[field] ?? null;
}

/** What pictures and cards need of a reason. */
export function namesOf(scheduler: string, reason: string): ReasonNames {
  return NAMES[scheduler]?.[reason] ?? {};
}

/** The reasons for which an idle CPU of a scheduler takes no thread. */
export function refusalsOf(scheduler: string): readonly string[] {
  const own = Object.entries(NAMES[scheduler] ?? {});
  return own.filter(([, { waitsOn }]) => waitsOn !== undefined).map(([reason]) => reason);
}

/** Causes of moves whose reason names none, by the kind of the reason. */
const BY_KIND: Readonly<Record<string, Mover>> = {
  selectCpu: 'wake',
  pickNext: 'pick',
  steal: 'steal',
  balance: 'balance',
};

/** The cause of a move, by its reason. */
export function moverOf(scheduler: string, reason: ReasonEntry | null): Mover {
  if (!reason) return 'other';
  return namesOf(scheduler, reason.id).mover ?? BY_KIND[reason.kind] ?? 'other';
}

/** The reasons with texts, by scheduler, for tests. */
export const loadedTexts = (): Texts => all;

/** The schedulers with a folder, for tests. */
export const queues = (): readonly string[] =>
  Object.keys(QUEUES).map((file) => file.split('/')[1] ?? '');
