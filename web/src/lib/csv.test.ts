/// <reference types="node" />
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { csv } from './csv';

// The command line reads the same table.
const cases = JSON.parse(
  readFileSync(`${import.meta.dirname}/../../../sim-core/cli/tests/data/csv.json`, 'utf8'),
) as [string, string][];

/** The cells that a reader with another separator finds: quotes count only at the beginning of a cell. */
function cellsOf(text: string, separator: string): string[] {
  const cells: string[] = [];
  let [at, isQuoted] = ['', false];
  for (let i = 0; i < text.length; i++) {
    const c = text[i] ?? '';
    if (isQuoted) {
      if (c !== '"') at += c;
      else if (text[i + 1] === '"') at += text[++i] ?? '';
      else isQuoted = false;
    } else if (c === '"' && at === '') isQuoted = true;
    else if (c === separator || c === '\n' || c === '\r') {
      cells.push(at);
      at = '';
    } else at += c;
  }
  return [...cells, at];
}

describe('csv', () => {
  it.each(cases)('writes %j as %j', (text, wanted) => {
    expect(csv([[text]])).toBe(`${wanted}\r\n`);
  });

  it('leaves numbers what they are', () => {
    expect(csv([['a', -2, 1.5, Number.NaN, Infinity]])).toBe('a,-2,1.5,,\r\n');
  });

  it('has no formula for any reader', () => {
    const begins = ['', 'a', 'a,', 'a;', 'a\t', 'a\n', 'a;"', 'a, '];
    for (const begin of begins)
      for (const sign of '=+-@＝＋－＠')
        for (const separator of [',', ';', '\t'])
          for (const cell of cellsOf(csv([['x', `${begin}${sign}1+1`, 'y']]), separator))
            expect(cell).not.toMatch(/^["\s]*[=+\-@＝＋－＠]/);
  });
});
