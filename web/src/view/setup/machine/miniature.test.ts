import { describe, expect, it } from 'vitest';
import { allTrees, SHAPES, specOf, treeOf } from '../../../sim/test-machines';
import { miniatureOf, shapeWords } from './miniature';

const parts = (path: string): number => path.split('M').length - 1;
const tree = (name: string) => treeOf(specOf(SHAPES[name] ?? { cores: [] }));

describe('miniatureOf', () => {
  it('draws every core and every CPU of every machine inside its space', () => {
    for (const [name, t] of allTrees()) {
      const m = miniatureOf(t, 112, 68);
      expect(parts(m.cores), name).toBe(new Set(t.core).size);
      expect(parts(m.cpus.join('')), name).toBe(t.core.length);
      for (const [, x, y, w, h] of m.cpus
        .join('')
        .matchAll(/M([\d.]+) ([\d.]+)h([\d.]+)v([\d.]+)/g)) {
        expect(Number(x) + Number(w), name).toBeLessThanOrEqual(112.2);
        expect(Number(y) + Number(h), name).toBeLessThanOrEqual(68.2);
      }
    }
  });
});

describe('shapeWords', () => {
  it('describes a shape', () => {
    expect(shapeWords(tree('one'))).toBe('1 core');
    expect(shapeWords(tree('desktop'))).toBe('4 cores · 8 CPUs');
    expect(shapeWords(tree('dies'))).toBe('4 sockets · 8 nodes · 32 cores');
    expect(shapeWords(tree('hybrid'))).toBe('8 P + 8 E · 16 cores · 24 CPUs');
    expect(shapeWords(tree('sockets'))).toBe('2 sockets · 36 cores · 72 CPUs');
  });
});
