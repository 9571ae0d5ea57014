/** Where each CPU of a described machine is: what can be drawn of it before the core has seen it. */
import type { MachineSpec } from '../../sim/types/MachineSpec';
import type { MachineTree } from '../../sim/types/MachineTree';

type Cpu = Record<'package' | 'node' | 'llc' | 'cluster' | 'core' | 'thread', number> & {
  readonly kind: string;
  readonly capacity: number;
};

/** Of the largest cores, as the core of the simulation fills it in. */
const FULL_CAPACITY = 1_024;

/** Each of some equal parts as often as there are of it. */
function* each<T extends { readonly count: number }>(parts: readonly T[]): Generator<T> {
  for (const part of parts) for (let i = 0; i < part.count; i++) yield part;
}

function* cpusOf({ topology }: MachineSpec): Generator<Cpu> {
  const at = { package: -1, node: -1, llc: -1, cluster: -1, core: -1 };
  for (const { nodes } of each(topology.packages)) {
    at.package += 1;
    for (const { llcs } of each(nodes)) {
      at.node += 1;
      for (const { cores } of each(llcs)) {
        at.llc += 1;
        for (const group of cores)
          for (let i = 0; i < group.count; i++) {
            at.core += 1;
            if (i % group.cluster === 0) at.cluster += 1;
            for (let thread = 0; thread < group.smt; thread++)
              yield { ...at, thread, kind: group.kind, capacity: group.capacity ?? FULL_CAPACITY };
          }
      }
    }
  }
}

/** See the module comment. It has no caches, which small drawings leave out. */
export function describedTree(spec: MachineSpec): MachineTree {
  const cpus = [...cpusOf(spec)];
  if (spec.topology.numbering === 'coresFirst') cpus.sort((a, b) => a.thread - b.thread);
  const kinds = [...new Set(cpus.map(({ kind }) => kind))];
  return {
    core: cpus.map(({ core }) => core),
    llc: cpus.map(({ llc }) => llc),
    node: cpus.map(({ node }) => node),
    package: cpus.map((cpu) => cpu.package),
    thread: cpus.map(({ thread }) => thread),
    cluster: cpus.map(({ cluster }) => cluster),
    kind: cpus.map(({ kind }) => kinds.indexOf(kind)),
    kinds,
    capacity: cpus.map(({ capacity }) => capacity),
    caches: [],
  };
}
