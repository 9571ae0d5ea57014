/** The words of the line under the machine: the last move with its cause, or the sums of the last second. */
import { count, duration } from '../../lib/format';
import type { Move } from '../../sim/history';
import type { Mover } from '../schedulers/folder';
import type { Flows } from './totals';

/** Words, the longest first. */
export type Words = readonly [string, ...string[]];

/** A move in a sentence: the cause and the effect. */
export function sayMove({ from, to }: Pick<Move, 'from' | 'to'>, by: Mover, name: string): string {
  const [there, here] = [`cpu ${String(from)}`, `cpu ${String(to)}`];
  switch (by) {
    case 'balance':
      return `the balancer moves ${name}: ${there} → ${here}`;
    case 'steal':
      return `${here} steals ${name} from ${there}`;
    case 'wake':
      return `${name} wakes up: ${there} → ${here}`;
    case 'pick':
      return `${here} picks ${name}, last on ${there}`;
    case 'forced':
      return `${name} may not stay: ${there} → ${here}`;
    case 'random':
      return `chance moves ${name}: ${there} → ${here}`;
    case 'other':
      return `${name} moves: ${there} → ${here}`;
  }
}

/** The same where there is less room. */
export function moveWords(move: Pick<Move, 'from' | 'to'>, by: Mover, name: string): Words {
  const way = `cpu ${String(move.from)} → cpu ${String(move.to)}`;
  return [sayMove(move, by, name), `${name}: ${way}`, way];
}

/** The first CPU of a new thread. */
export function firstPlaceWords(name: string, cpu: number): Words {
  return [
    `${name} begins on cpu ${String(cpu)}: first place`,
    `${name} begins on cpu ${String(cpu)}`,
    `${name}: cpu ${String(cpu)}`,
  ];
}

/** A thread that an idle CPU does not take. */
export function sayRefusal({ from, to }: Pick<Move, 'from' | 'to'>, name: string): string {
  return `cpu ${String(to)} idles and does not take ${name} from cpu ${String(from)}`;
}

/** The same where there is less room. */
export function refusalWords(refused: Pick<Move, 'from' | 'to'>, name: string): Words {
  const here = `cpu ${String(refused.to)}`;
  return [sayRefusal(refused, name), `${here} does not take ${name}`, `${here} refuses`];
}

/** All moves in a span of time. */
export function sayTotals(flows: Flows, lengthNs: number): Words {
  const { moves, between, within, rest } = flows;
  const short = `${count(moves)} ${moves === 1 ? 'move' : 'moves'} of jobs`;
  if (moves === 0) return [`${short} in ${duration(lengthNs)}`, short];
  const parts = `${count(between)} between cores, ${count(within)} within`;
  const undrawn = rest > 0 ? `, ${count(rest)} on no line` : '';
  return [
    `${short} in ${duration(lengthNs)}: ${parts}${undrawn}`,
    `${short}: ${parts}${undrawn}`,
    short,
  ];
}

/** Moves that are not drawn. */
export function sayDaemons(moves: number): string {
  const often = moves === 1 ? 'once' : `${count(moves)} times`;
  return moves === 0 ? '' : `daemons moved ${often}, not drawn`;
}
