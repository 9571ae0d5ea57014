/** The empty laboratory: one job, to which the user adds everything else. */
import type { Lab } from '../../state/lab.svelte';

const EMPTY = {
  version: 1,
  name: 'Empty laboratory',
  notes: 'One job on four cores. Add jobs, take another machine, compare two schedulers.',
  machine: 'i7860',
  schedulers: [{ id: 'ule' }, { id: 'cfs' }],
  groups: [{ name: 'job', count: 1, behaviour: { kind: 'compute' } }],
  end: { atNs: 60_000_000_000 },
};

/** Opens it as a new piece of work. */
export async function openEmpty(lab: Pick<Lab, 'kept' | 'openScenario' | 'run'>): Promise<void> {
  const id = lab.run.catalog?.scenarios[0]?.id ?? '';
  if (await lab.openScenario(EMPTY, id, 0)) lab.kept.begin('the empty laboratory');
}
