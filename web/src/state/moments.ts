/**
 * Which moments are announced, and for how long: pure functions of the moments found and of the drawn time.
 *
 * Each kind is announced once until time jumps. To slow down again for the same kind would teach nothing and break
 * the chosen speed; J goes to the next one. An unchanged scenario names its kinds, the most important first. Without
 * names, and after a change, only the four kinds are announced that matter in every run. A wait or a wake-up is
 * announced only where the scenario names it.
 */
import type { MomentKind } from '../sim/types/MomentKind';

/** Kinds that matter in every run, the most important first. */
export const IN_EVERY_RUN: readonly MomentKind[] = ['refusal', 'sharedCore', 'steal', 'balance'];

/** Drawn ms for which time is slowed. */
export const SLOW_MS = 2000;
/**
 * Shortest drawn ms between the beginnings of two moments: as long again at the chosen speed, or that speed would
 * never be seen.
 */
export const APART_MS = 4000;
/** Drawn ms for which words and chip are shown. */
export const STANDS_MS = 6000;

/** A moment that was found. */
export interface CandidateMoment {
  readonly kind: MomentKind;
  readonly lane: number;
  readonly atNs: number;
}

/** The moment that is announced now, and the kinds that were announced. */
export interface Leading<T extends CandidateMoment> {
  readonly seen: readonly MomentKind[];
  /** The last moment, while its words are shown. */
  readonly now: { readonly found: T; readonly forMs: number } | null;
}

/** Nothing yet. */
export const NOTHING: Leading<never> = { seen: [], now: null };

/** The kinds that are announced, the most important first. */
export function kindsThatLead(
  named: readonly MomentKind[],
  isChanged: boolean,
): readonly MomentKind[] {
  return named.length > 0 && !isChanged ? named : IN_EVERY_RUN;
}

/** The kinds that may be announced next. */
export function wanted(
  { seen, now }: Leading<CandidateMoment>,
  kinds: readonly MomentKind[],
): readonly MomentKind[] {
  if (now && now.forMs < APART_MS) return [];
  return kinds.filter((kind) => !seen.includes(kind));
}

/** The most important of some moments, and of equal ones the first; null if none has a wanted kind. */
export function worthiest<T extends CandidateMoment>(
  found: readonly T[],
  kinds: readonly MomentKind[],
): T | null {
  const known = found.filter(({ kind }) => kinds.includes(kind));
  const rank = ({ kind }: T) => kinds.indexOf(kind);
  return known.sort((a, b) => rank(a) - rank(b) || a.atNs - b.atNs || a.lane - b.lane)[0] ?? null;
}

/** The state after more drawn time in which moments were found. */
export function follow<T extends CandidateMoment>(
  was: Leading<T>,
  drawnMs: number,
  found: readonly T[],
  kinds: readonly MomentKind[],
): Leading<T> {
  const now = was.now && { ...was.now, forMs: was.now.forMs + drawnMs };
  const next = worthiest(found, wanted({ ...was, now }, kinds));
  if (next) return { seen: [...was.seen, next.kind], now: { found: next, forMs: 0 } };
  return { seen: was.seen, now: now && now.forMs < STANDS_MS ? now : null };
}
