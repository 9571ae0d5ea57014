/** The tree of the machine of a scenario. */
import type { Catalog } from '../sim/types/Catalog';
import type { MachineRef } from '../sim/types/MachineRef';
import type { MachineSpec } from '../sim/types/MachineSpec';
import type { MachineTree } from '../sim/types/MachineTree';

/** The machine as written, or null for an unknown preset. */
export function specOf(catalog: Catalog, machine: MachineRef): MachineSpec | null {
  if (typeof machine !== 'string') return machine;
  return catalog.machines.find((m) => m.spec.id === machine)?.spec ?? null;
}

/** Where each CPU is. Presets bring their tree; a machine written out is expanded here. */
export function treeOf(catalog: Catalog, machine: MachineRef): MachineTree {
  if (typeof machine === 'string') {
    const entry = catalog.machines.find((m) => m.spec.id === machine);
    if (entry) return entry.tree;
  }
  const spec = specOf(catalog, machine);
  return spec ? expand(spec) : { core: [], llc: [], node: [], package: [], thread: [] };
}

interface Context {
  core: number;
  llc: number;
  node: number;
  package: number;
  thread: number;
}

/** Expands the repeat counts of a topology. */
export function expand(spec: MachineSpec): MachineTree {
  const contexts: Context[] = [];
  const at = { package: 0, node: 0, llc: 0, core: 0 };
  for (const pack of repeat(spec.topology.packages)) {
    for (const node of repeat(pack.nodes)) {
      for (const llc of repeat(node.llcs)) {
        for (const core of repeat(llc.cores)) {
          for (let thread = 0; thread < core.smt; thread++) contexts.push({ ...at, thread });
          at.core += 1;
        }
        at.llc += 1;
      }
      at.node += 1;
    }
    at.package += 1;
  }
  if (spec.topology.numbering === 'coresFirst') {
    contexts.sort((a, b) => a.thread - b.thread || a.core - b.core);
  }
  return {
    core: contexts.map((c) => c.core),
    llc: contexts.map((c) => c.llc),
    node: contexts.map((c) => c.node),
    package: contexts.map((c) => c.package),
    thread: contexts.map((c) => c.thread),
  };
}

function repeat<T extends { count: number }>(items: readonly T[]): T[] {
  return items.flatMap((item) => Array<T>(item.count).fill(item));
}
