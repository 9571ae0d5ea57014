/** The machine of a scenario as written. Where each CPU is, the core tells: it knows how systems count. */
import type { Catalog } from '../sim/types/Catalog';
import type { MachineRef } from '../sim/types/MachineRef';
import type { MachineSpec } from '../sim/types/MachineSpec';

/** The machine as written, or null for an unknown preset. */
export function specOf(catalog: Catalog, machine: MachineRef): MachineSpec | null {
  if (typeof machine !== 'string') return machine;
  return catalog.machines.find((m) => m.spec.id === machine)?.spec ?? null;
}
