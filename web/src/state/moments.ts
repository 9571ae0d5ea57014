/**
 * Which moments lead the eye, and for how long: pure functions of what was found and of the time that was drawn.
 *
 * Each kind leads once until time jumps. To slow down for the same sight again teaches nothing, and makes the chosen speed
 * a lie; who wants the next one has J for it. An unchanged scenario names its kinds, the most important first. Without
 * them, and after a change, nobody knows what is worth seeing: then only the four kinds lead that are so in every run. A
 * wait or a wake-up is worth it only where somebody said so.
 */
import type { MomentKind } from '../sim/types/MomentKind';

/** Kinds that are worth seeing in every run, the most first. */
export const IN_EVERY_RUN: readonly MomentKind[] = ['refusal', 'sharedCore', 'steal', 'balance'];

/** Drawn ms that time is slow for one. */
export const SLOW_MS = 2000;
/** Between the beginnings of two: as long again at the chosen speed, or that would never be seen. */
export const APART_MS = 4000;
/** Drawn ms that words and chip stand. */
export const STANDS_MS = 6000;

/** A moment that was found. */
export interface Found {
  readonly kind: MomentKind;
  readonly lane: number;
  readonly atNs: number;
}

/** What leads the eye now, and what has led it. */
export interface Leading<T extends Found> {
  readonly seen: readonly MomentKind[];
  /** The last one, while its words stand. */
  readonly now: { readonly found: T; readonly forMs: number } | null;
}

/** Nothing yet. */
export const NOTHING: Leading<never> = { seen: [], now: null };

/** The kinds that lead, the most important first. */
export function kindsThatLead(
  named: readonly MomentKind[],
  isChanged: boolean,
): readonly MomentKind[] {
  return named.length > 0 && !isChanged ? named : IN_EVERY_RUN;
}

/** The kinds that may lead next. */
export function wanted(
  { seen, now }: Leading<Found>,
  kinds: readonly MomentKind[],
): readonly MomentKind[] {
  if (now && now.forMs < APART_MS) return [];
  return kinds.filter((kind) => !seen.includes(kind));
}

/** The most important of some moments, of equal ones the first; null if none is of a wanted kind. */
export function worthiest<T extends Found>(
  found: readonly T[],
  kinds: readonly MomentKind[],
): T | null {
  const known = found.filter(({ kind }) => kinds.includes(kind));
  const rank = ({ kind }: T) => kinds.indexOf(kind);
  return known.sort((a, b) => rank(a) - rank(b) || a.atNs - b.atNs || a.lane - b.lane)[0] ?? null;
}

/** What leads after some more drawn time in which something was found. */
export function follow<T extends Found>(
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
