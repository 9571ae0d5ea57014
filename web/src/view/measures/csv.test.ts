import { describe, expect, it } from 'vitest';
import { csv } from './csv';

describe('csv', () => {
  it('quotes what would break a line or a column', () => {
    expect(csv([['a,b', 'say "x"', 1.5, Number.NaN]])).toBe('"a,b","say ""x""",1.5,\r\n');
  });

  it('lets nothing be a formula', () => {
    expect(csv([['=1+1', '-2', -2]])).toBe("'=1+1,'-2,-2\r\n");
  });
});
