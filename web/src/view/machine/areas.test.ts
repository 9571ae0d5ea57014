import { describe, expect, it } from 'vitest';
import { type Area, areaName, areasOf } from './areas';
import { allTrees, SHAPES, specOf, treeOf } from '../../sim/test-machines';

const areas = (name: string): readonly Area[] =>
  areasOf(treeOf(specOf(SHAPES[name] ?? { cores: [] })));
const outline = (name: string) =>
  areas(name).map((a) => `${a.parts.join('+')}:${String(a.cpus.length)}`);

describe('areasOf', () => {
  it('merges parts that hold the same CPUs', () => {
    expect(outline('one')).toEqual(['package+node:1', 'core:1']);
    expect(outline('desktop')).toEqual(['package+node+llc:8', ...Array(4).fill('core:2')]);
    expect(outline('boards').slice(0, 3)).toEqual([':16', 'package+node+llc:2', 'core:1']);
    expect(outline('dies').slice(0, 4)).toEqual([':32', 'package:8', 'node+llc:4', 'core:1']);
  });

  it('shows kinds and clusters where there are any', () => {
    const all = outline('hybrid');
    expect(all.slice(0, 2)).toEqual(['package+node+llc:24', 'kind:16']);
    expect(all).toContain('kind:8');
    expect(all.filter((a) => a === 'cluster:4')).toHaveLength(2);
    const names = areas('hybrid').map((a) => areaName(a));
    expect(names).toContain('P cores');
    expect(names).toContain('E core 9');
    expect(names.filter((n) => n.startsWith('cluster'))).toEqual(['cluster 8', 'cluster 9']);
  });

  it('says the capacity of cores where those of the machine differ', () => {
    const presets = new Map(allTrees());
    const namesOf = (id: string) =>
      areasOf(presets.get(id) ?? treeOf(specOf(SHAPES['one'] ?? { cores: [] }))).map((a) =>
        areaName(a),
      );
    expect(namesOf('m1')).toContain('E cores · capacity 493');
    expect(namesOf('m1')).toContain('P cores · capacity 1024');
    const [, little] = areasOf(presets.get('m1') ?? treeOf(specOf({ cores: [] })));
    expect(little && areaName(little, true)).toBe('E cores · 493');
    expect(namesOf('adl12900k').filter((name) => name.includes('capacity'))).toEqual([]);
  });

  it('gives each cache to one area, which contains all CPUs that share it', () => {
    for (const [name, tree] of allTrees()) {
      const pieces = areasOf(tree).flatMap((a) => a.caches.map((c) => [c.instance, a] as const));
      const instances = new Set(tree.caches.flatMap((c) => c.instance).filter((i) => i >= 0));
      expect(pieces.length, name).toBe(instances.size);
      for (const [instance, area] of pieces) {
        for (const { instance: of } of tree.caches)
          of.forEach((i, cpu) => {
            if (i === instance) expect(area.cpus, name).toContain(cpu);
          });
      }
    }
    const [root] = areas('desktop');
    expect(root?.caches.map((c) => c.level)).toEqual([3]);
    expect(root?.children[0]?.caches.map((c) => c.level)).toEqual([1, 2]);
  });
});
