/** A queue in words: a row for each waiting thread, in the order of service. */
import { count, duration, oneOrMany } from '../../../lib/format';
import type { WatchedQueue } from '../../../sim/protocol';
import type { QueueShape } from '../../../sim/types/QueueShape';
import { groupName, handsOf, originOf, type QueueInput } from './input';

/** Where a thread stands. */
export interface Line {
  readonly task: number;
  readonly place: string;
  readonly key: string;
}

/** The name of queues with this shape. */
export function titleOf({ global, perCpu }: QueueShape): string {
  if (global.length > 0) return 'Queue';
  if (perCpu.some((part) => part.kind === 'ring')) return 'Queues';
  return perCpu.some((part) => part.kind === 'tree') ? 'Trees' : 'Queue';
}

/** The waiting threads of the global queue and of a CPU's queue. */
export function linesOf(
  cpu: number,
  input: QueueInput,
  watched: WatchedQueue | null,
): readonly Line[] {
  const { frame, shape } = input;
  const offsets = new Map(
    watched?.cpu === cpu ? watched.detail.weighed.map((w) => [w.task, w]) : [],
  );
  return frame
    .queue()
    .filter((row) => row.queue < 0 || row.queue === cpu)
    .map(({ task, queue, part, place, key }) => {
      const of = (queue < 0 ? shape.global : shape.perCpu)[part];
      switch (of?.kind) {
        case 'levels': {
          const low = of.first + place * of.perPlace;
          const high = low + of.perPlace - 1;
          const range = low === high ? String(low) : `${String(low)} to ${String(high)}`;
          const whose = queue < 0 ? '' : `${of.label}, `;
          return { task, place: `${whose}level ${String(place)}`, key: `priorities ${range}` };
        }
        case 'ring': {
          const { remove } = handsOf(input, cpu);
          const turns = (place - remove + of.places) % of.places;
          return {
            task,
            place: `slot ${String(place)}`,
            key:
              turns === 0
                ? 'under the remove hand'
                : oneOrMany(turns, '1 slot to go', `${count(turns)} slots to go`),
          };
        }
        case 'tree':
          return {
            task,
            place: place === 0 ? 'tree of the cpu' : groupName(input.names, place),
            key:
              key >= 0
                ? `${duration(key)} ahead of ${originOf(input.scheduler)}`
                : `${duration(-key)} behind ${originOf(input.scheduler)}`,
          };
        case 'virtualTime':
          return {
            task,
            place: place === 0 ? 'queue of the cpu' : groupName(input.names, place),
            key:
              key <= 0
                ? `owed time: ${duration(-key)} behind V`
                : `must wait: ${duration(key)} ahead of V`,
          };
        case 'deadlines': {
          const weighed = offsets.get(task);
          const extra =
            weighed && !weighed.allowed
              ? ', may not run here'
              : weighed && weighed.offsetNs > 0
                ? `, here ${duration(weighed.offsetNs)} later`
                : '';
          const ahead = key - frame.nowNs;
          const when = ahead >= 0 ? `in ${duration(ahead)}` : `${duration(-ahead)} ago`;
          return { task, place: 'global queue', key: `deadline ${when}${extra}` };
        }
        case 'column':
          return {
            task,
            place: queue < 0 ? 'queue of all' : 'queue of the cpu',
            key: `${of.label} ${count(key)}`,
          };
        default:
          return { task, place: of?.label ?? 'queue', key: '' };
      }
    });
}
