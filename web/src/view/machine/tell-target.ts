/** What stands beside a thread, CPU or area under the pointer or the keys. */
import type { CauseEntry } from '../../sim/types/CauseEntry';
import type { MachineSpec } from '../../sim/types/MachineSpec';
import type { LaneState } from '../../state/lane.svelte';
import type { Area } from './areas';
import type { Target } from './hit';
import { tellCpu, tellLosses, tellTask } from './tell';
import { tellArea } from './tell-area';

interface Known {
  readonly areas: readonly Area[];
  readonly spec: MachineSpec | null;
  readonly causes: readonly CauseEntry[];
}

/** Its lines; the first is its name. */
export function tellTarget(target: Target, lane: LaneState, known: Known): readonly string[] {
  switch (target.kind) {
    case 'task': {
      const [first = '', ...rest] = tellTask(lane, target.task);
      return [first, ...tellLosses(lane, target.task, known.causes), ...rest];
    }
    case 'cpu':
      return tellCpu(lane, target.cpu);
    case 'area': {
      const area = known.areas[target.area];
      return area ? tellArea(lane, area, known.spec) : [];
    }
  }
}
