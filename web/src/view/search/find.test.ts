import { describe, expect, it } from 'vitest';
import { type Entry, find, marked } from './find';

const entry = (kind: Entry['kind'], title: string, words = ''): Entry => ({
  kind,
  title,
  words,
  detail: '',
  fragment: title,
});

const ENTRIES = [
  entry('Scenario', 'Four jobs on four cores', 'bfs core i7 860'),
  entry('Scenario', 'A server on one core', 'cfs nice httpd'),
  entry('Replication', 'Shares by nice value', 'j. roberson'),
  entry('Term', 'nice: a wish'),
  entry('Your work', 'Encore, été', ''),
];
const titles = (query: string) => find(ENTRIES, query).map(({ title }) => title);

describe('the search', () => {
  it('lists everything except terms before a word is typed', () => {
    expect(titles('  ')).toEqual(ENTRIES.filter((e) => e.kind !== 'Term').map((e) => e.title));
  });

  it('finds titles before other words', () => {
    expect(titles('nice')).toEqual([
      'Shares by nice value',
      'nice: a wish',
      'A server on one core',
    ]);
  });

  it('finds the beginning of a word before its middle', () => {
    expect(titles('core')).toEqual([
      'Four jobs on four cores',
      'A server on one core',
      'Encore, été',
    ]);
  });

  it('needs all words, in any order and case', () => {
    expect(titles('I7 four')).toEqual(['Four jobs on four cores']);
    expect(titles('four roberson')).toEqual([]);
    expect(titles('replication')).toEqual(['Shares by nice value']);
  });

  it('ignores marks on letters', () => {
    expect(titles('ete')).toEqual(['Encore, été']);
  });

  it('marks the words that were searched', () => {
    const hits = marked('Nice 0 against nice 10', 'nice').filter((p) => p.isHit);
    expect(hits.map((p) => p.text)).toEqual(['Nice', 'nice']);
    expect(marked('<b>', 'b').map((p) => p.text)).toEqual(['<', 'b', '>']);
    expect(marked('a title', '')).toEqual([{ text: 'a title', isHit: false }]);
  });
});
