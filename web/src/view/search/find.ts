/** The search: what there is as a list of entries, and which of them have all words that were typed. */

/** The kind of a word that is explained: it is found only by its letters. */
export const TERM = 'Term';

/** Something that can be opened. */
export interface Entry {
  readonly kind: 'Lesson' | 'Scenario' | 'Replication' | 'Term' | 'Your work';
  readonly title: string;
  /** In small print at the end of the row. */
  readonly detail: string;
  /** What else it is found by. */
  readonly words: string;
  /** Fragment that it opens. */
  readonly fragment: string;
}

/** More rows than this nobody reads. */
const MOST = 40;

/** A text as it is compared: small letters without their marks. */
function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** The words that are looked for. */
export function wordsOf(query: string): readonly string[] {
  return plain(query).split(/\s+/).filter(Boolean);
}

/** How well an entry fits: the smaller the better; null where a word is missing. */
function rank(entry: Entry, words: readonly string[]): number | null {
  const title = plain(entry.title);
  const rest = plain(`${entry.kind} ${entry.detail} ${entry.words}`);
  let sum = 0;
  for (const word of words) {
    const at = title.indexOf(word);
    // A word that begins there fits better than one that is inside another.
    if (at === 0 || (at > 0 && /\W/.test(title[at - 1] ?? ''))) continue;
    if (at > 0) sum += 1;
    else if (rest.includes(word)) sum += 2;
    else return null;
  }
  return sum;
}

/** The entries that have all words, the best first; terms are told only when they are asked for. */
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

/** A title in pieces, those that were looked for marked. */
export function marked(title: string, query: string): readonly { text: string; isHit: boolean }[] {
  const words = wordsOf(query);
  const small = plain(title);
  // Where marks were taken away, places no longer agree.
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
