import { describe, expect, it } from 'vitest';
import { getAt, setAt } from '../../lib/paths';
import { checked } from '../../sim/test-core';
import { catalog, SHAPES, specOf } from '../../sim/test-machines';
import type { MachineSpec } from '../../sim/types/MachineSpec';
import {
  kindsOf,
  nodeCount,
  ownCopy,
  pathText,
  withCache,
  withDistances,
  withKind,
} from './machine-edit';

const shape = (name: string): MachineSpec => specOf(SHAPES[name] ?? { cores: [] });
const problems = (machine: MachineSpec): string[] => {
  const scenario = { ...catalog.scenarios[0]?.scenario, machine };
  return checked(scenario).errors.map((e) => e.path);
};
const CORES = ['topology', 'packages', 0, 'nodes', 0, 'llcs', 0, 'cores'] as const;

describe('paths', () => {
  it('are written as the core writes them', () => {
    const broken = setAt(shape('desktop'), [...CORES, 0, 'smt'], 0);
    expect(problems(broken)).toContain(pathText([...CORES, 0, 'smt']));
    expect(problems(setAt(shape('desktop'), ['caches', 1, 'bytes'], 0))).toContain(
      pathText(['caches', 1, 'bytes']),
    );
  });

  it('change one field and nothing else', () => {
    const before = shape('desktop');
    const text = JSON.stringify(before);
    const after = setAt(before, [...CORES, 0, 'count'], 7);
    expect(getAt(after, [...CORES, 0, 'count'])).toBe(7);
    expect(JSON.stringify(before)).toBe(text);
    expect(setAt(after, [...CORES, 0, 'count'], 4)).toEqual(before);
    expect(setAt(before, ['turbo'], undefined)).toEqual(before);
    expect(getAt(before, ['caches', 9, 'bytes'])).toBeUndefined();
    expect(getAt(before, ['__proto__'])).toBeUndefined();
  });
});

describe('changes of machines', () => {
  it('make possible machines of every preset', () => {
    for (const { spec } of catalog.machines) {
      const mine = ownCopy(spec);
      expect(problems(mine), spec.id).toEqual([]);
      expect(ownCopy(mine)).toBe(mine);
      expect(problems(withDistances(mine)), spec.id).toEqual([]);
      if (mine.caches.every((c) => c.level < 4))
        expect(problems(withCache(mine)), spec.id).toEqual([]);
    }
  });

  it('add a kind of core with a name of its own', () => {
    const cores = withKind(
      withKind(
        specOf({ cores: [{ count: 4, smt: 2 }] }).topology.packages[0]?.nodes[0]?.llcs[0]?.cores ??
          [],
        0,
      ),
      1,
    );
    expect(cores.map((c) => c.kind)).toEqual(['P', 'E', 'M']);
    const hybrid = setAt(shape('desktop'), CORES, cores);
    expect(problems(hybrid)).toEqual([]);
    expect(kindsOf(hybrid)).toEqual(['P', 'E', 'M']);
    expect(kindsOf(shape('desktop'))).toEqual([]);
  });

  it('keep known distances when nodes are added and removed', () => {
    const three = withDistances(specOf({ packages: 3, cores: [{ count: 1, smt: 1 }] }));
    const known = setAt(three, ['memory', 'distances', 0, 2], 33);
    const four = withDistances(setAt(known, ['topology', 'packages', 0, 'count'], 4));
    expect(nodeCount(four)).toBe(4);
    expect(four.memory.distances?.[0]).toEqual([10, 20, 33, 20]);
    expect(problems(four)).toEqual([]);
  });
});
