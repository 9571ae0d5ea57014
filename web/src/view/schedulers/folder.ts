/** The page's words about each scheduler: one folder each, found by id; see README.md here. The longer texts load after the first picture. */

import type { ReasonEntry } from '../../sim/types/ReasonEntry';

/** Texts by reason. */
export type Texts = Readonly<Record<string, string>>;

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
  /** Reasons for not taking a waiting thread, and the operand that names the CPU where the thread waits. */
  readonly refusals?: Readonly<Record<string, string>>;
  /** Changes that a card offers after a reason: a tunable, and the operand whose value it gets. */
  readonly tries?: Readonly<Record<string, { readonly tunable: string; readonly to: string }>>;
  /** Columns of a thread that its card shows. */
  readonly threadFacts?: readonly string[];
  /** Columns of a CPU that the card of its queue shows. */
  readonly facts?: readonly string[];
}

/** A folder. */
export interface Folder {
  readonly words: Texts;
  readonly rules: Texts;
  readonly deviations: Texts;
  readonly moves: Texts;
  readonly queue: QueueNames;
}

/** Names and words that painters need for every picture. */
const FILES = import.meta.glob<Texts | QueueNames>('./*/{moves,queue}.json', {
  eager: true,
  import: 'default',
});

const NONE: Folder = { words: {}, rules: {}, deviations: {}, moves: {}, queue: {} };

const FOLDERS = new Map<string, Folder>();

function take(files: Readonly<Record<string, Texts | QueueNames>>): void {
  for (const [path, content] of Object.entries(files)) {
    const [, id = '', file = ''] = path.split('/');
    FOLDERS.set(id, { ...folderOf(id), [file.replace(/\.json$/, '')]: content });
  }
}

take(FILES);

let texts: Promise<void> | null = null;

/** Loads words, rules and deviations, once. Whatever shows a decision in words waits for them. */
export function loadTexts(): Promise<void> {
  texts ??= import('./texts').then(({ TEXTS }) => {
    take(TEXTS);
  });
  // The next caller tries again: the network may be back.
  texts.catch(() => {
    texts = null;
  });
  return texts;
}

/** The words about a scheduler; empty for one without a folder. */
export function folderOf(scheduler: string): Folder {
  return FOLDERS.get(scheduler) ?? NONE;
}

/** The text of a reason in a scheduler's folder; null where it has none, and for words before they are loaded. */
export function textOf(
  scheduler: string,
  file: 'words' | 'rules' | 'deviations' | 'moves',
  reason: string,
): string | null {
  const texts = folderOf(scheduler)[file];
  return Object.hasOwn(texts, reason) ? (texts[reason] ?? null) : null;
}

/** The cause of a move. */
export type Mover = 'wake' | 'pick' | 'steal' | 'balance' | 'forced' | 'random' | 'other';

/** Causes of moves whose reason is in no folder, by the kind of the reason. */
const BY_KIND: Readonly<Record<string, Mover>> = {
  selectCpu: 'wake',
  pickNext: 'pick',
  steal: 'steal',
  balance: 'balance',
};

/** The cause of a move, by its reason. */
export function moverOf(scheduler: string, reason: ReasonEntry | null): Mover {
  if (!reason) return 'other';
  const own = textOf(scheduler, 'moves', reason.id) as Mover | null;
  return own ?? BY_KIND[reason.kind] ?? 'other';
}

/** All folders, for tests. */
export function folders(): readonly string[] {
  return [...FOLDERS.keys()];
}
