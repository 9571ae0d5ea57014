/** The search: a list of entries, and those of them that contain all typed words. */

/** The kind of explained words: only a search finds these. */
export const TERM = 'Term' as const;

/** Something that can be opened. */
export interface Entry {
  readonly kind: 'Lesson' | 'Scenario' | 'Replication' | 'Term' | 'Your work';
  readonly title: string;
  /** Small print at the end of the row. */
  readonly detail: string;
  /** Other words that find it. */
  readonly words: string;
  /** Fragment that it opens. */
  readonly fragment: string;
}

/** Most rows in the list. */
const MOST = 40;

/** A text for comparison: lower case, without marks on letters. */
function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** The words of a query. */
export function wordsOf(query: string): readonly string[] {
  return plain(query).split(/\s+/).filter(Boolean);
}

/** How well an entry matches: smaller is better; null if a word is missing. */
function rank(entry: Entry, words: readonly string[]): number | null {
  const title = plain(entry.title);
  const rest = plain(`${entry.kind} ${entry.detail} ${entry.words}`);
  let sum = 0;
  for (const word of words) {
    const at = title.indexOf(word);
    // The beginning of a word matches better than its inside.
    if (at === 0 || (at > 0 && /\W/.test(title[at - 1] ?? ''))) continue;
    if (at > 0) sum += 1;
    else if (rest.includes(word)) sum += 2;
    else return null;
  }
  return sum;
}

/** The entries with all words, the best first; terms only if there are words. */
export function find(entries: readonly Entry[], query: string): readonly Entry[] {
  const words = wordsOf(query);
  const fitting = entries.flatMap((entry) => {
    const fit = words.length === 0 && entry.kind === TERM ? null : rank(entry, words);
    return fit === null ? [] : [{ entry, fit }];
  });
  return fitting
    .sort((a, b) => a.fit - b.fit)
    .slice(0, MOST)
    .map(({ entry }) => entry);
}

/** A title in pieces; pieces that match are marked. */
export function marked(title: string, query: string): readonly { text: string; isHit: boolean }[] {
  const words = wordsOf(query);
  const small = plain(title);
  // Removing marks may change positions: then nothing is marked.
  if (words.length === 0 || small.length !== title.length) return [{ text: title, isHit: false }];
  const isHit = Array<boolean>(title.length).fill(false);
  for (const word of words)
    for (let at = small.indexOf(word); at >= 0; at = small.indexOf(word, at + word.length))
      isHit.fill(true, at, at + word.length);
  const pieces: { text: string; isHit: boolean }[] = [];
  for (let i = 0; i < title.length; i++) {
    const last = pieces.at(-1);
    if (last && last.isHit === isHit[i]) last.text += title[i] ?? '';
    else pieces.push({ text: title[i] ?? '', isHit: isHit[i] ?? false });
  }
  return pieces;
}
