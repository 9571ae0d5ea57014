import { describe, expect, it } from 'vitest';
import { Frame, FrameSchema } from '../../sim/frame';
import { realCore } from '../../sim/test-core';
import { catalog, SHAPES, specOf, treeOf } from '../../sim/test-machines';
import type { MachineSpec } from '../../sim/types/MachineSpec';
import { areasOf } from './areas';
import { ranges, tellArea } from './tell-area';

/** The first lines about each area of a machine on which nothing has run yet. */
function told(spec: MachineSpec): readonly (readonly string[])[] {
  const scenario = { ...catalog.scenarios[0]?.scenario, machine: spec };
  const lane = realCore.plan(JSON.stringify(scenario)).lane(0);
  const tree = treeOf(spec);
  const schema = new FrameSchema(catalog, 'bfs');
  const view = {
    frame: new Frame(schema, lane.frame()),
    tree,
    residents: lane.residents(),
    nameOf: String,
  };
  const out = areasOf(tree).map((area) => tellArea(view, area, spec));
  lane.free();
  return out;
}

describe('tellArea', () => {
  it('names the CPUs, the caches with the CPUs that share them, and the cost of memory', () => {
    const spec = specOf(SHAPES['desktop'] ?? { cores: [] });
    const [machine = [], core = []] = told(spec);
    expect(machine[0]).toBe(spec.name);
    expect(machine[1]).toBe('4 cores, cpus 0–7');
    expect(machine).toContain('L3 16 MiB, shared by 4 cores; a line costs 0.3 ns');
    expect(machine.some((l) => l.startsWith('memory: '))).toBe(true);
    expect(core.slice(0, 2)).toEqual(['core 0', 'cpus 0, 4']);
    expect(core).toContain('L2 512 KiB, for this core alone; a line costs 0.2 ns');
  });

  it('says how far the other nodes are', () => {
    const spec = specOf({ packages: 2, nodes: 2, cores: [{ count: 1, smt: 1 }] });
    const near = [10, 16, 22, 22];
    spec.memory = {
      ...spec.memory,
      domain: 'node',
      distances: [0, 1, 2, 3].map((i) => near.map((_, j) => near[i ^ j] ?? 10)),
      remote: [{ distance: 16, milli: 1500 }],
    };
    const node = told(spec).find((lines) => lines[0] === 'node 0') ?? [];
    expect(node).toContain('from node 1: 1.50 × as long');
    expect(node).toContain('from node 2, 3: 2.20 × as long');
  });

  it('has words for every part of every machine', () => {
    for (const { spec } of catalog.machines)
      for (const lines of told(spec)) for (const line of lines) expect(line).toMatch(/\S/);
  });
});

describe('ranges', () => {
  it('joins neighbours', () => {
    expect(ranges([3, 0, 1, 2, 8])).toBe('0–3, 8');
    expect(ranges([0, 1, 5])).toBe('0, 1, 5');
    expect(ranges([])).toBe('');
  });
});
