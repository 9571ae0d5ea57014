import { describe, expect, it } from 'vitest';
import type { MomentKind } from '../sim/types/MomentKind';
import {
  APART_MS,
  follow,
  type CandidateMoment,
  IN_EVERY_RUN,
  kindsThatLead,
  type Leading,
  NOTHING,
  SLOW_MS,
  STANDS_MS,
  wanted,
  worthiest,
} from './moments';

const at = (kind: MomentKind, atNs = 1, lane = 0): CandidateMoment => ({ kind, atNs, lane });
const KINDS = kindsThatLead([], false);

/** Draws pictures of 100 ms, in each of which the same moments are found; returns which moment leads in each. */
function play(
  found: readonly CandidateMoment[],
  pictures: number,
  kinds = KINDS,
): readonly string[] {
  let leading: Leading<CandidateMoment> = NOTHING;
  const log: string[] = [];
  for (let i = 0; i < pictures; i++) {
    const { now } = leading;
    leading = follow(leading, 100, found, kinds);
    if (leading.now && leading.now.found !== now?.found)
      log.push(`${String(i * 100)} ${leading.now.found.kind}`);
  }
  return log;
}

describe('moments that are announced', () => {
  it('are those that an unchanged scenario names, else the four of every run', () => {
    expect(kindsThatLead(['wait', 'exit'], false)).toEqual(['wait', 'exit']);
    expect(kindsThatLead(['wait', 'exit'], true)).toEqual(IN_EVERY_RUN);
    expect(kindsThatLead([], false)).toEqual(['refusal', 'sharedCore', 'steal', 'balance']);
  });

  it('are ranked: refusal, shared core, steal, balance; the scenario ranks its own', () => {
    const all = [at('balance', 1), at('steal', 2), at('sharedCore', 3), at('refusal', 4)];
    expect(worthiest(all, KINDS)?.kind).toBe('refusal');
    expect(worthiest(all.slice(0, 3), KINDS)?.kind).toBe('sharedCore');
    expect(worthiest(all.slice(0, 2), KINDS)?.kind).toBe('steal');
    expect(worthiest(all, ['balance', 'refusal'])?.kind).toBe('balance');
    expect(worthiest([at('wait')], KINDS)).toBeNull();
  });

  it('of one kind the earliest is announced; at the same time, that of the first lane', () => {
    const [late, early, second] = [at('steal', 9), at('steal', 3, 1), at('steal', 3, 0)];
    expect(worthiest([late, early], KINDS)).toBe(early);
    expect(worthiest([late, early, second], KINDS)).toBe(second);
  });

  it('are announced once each, and far enough apart, however many there are', () => {
    const all = IN_EVERY_RUN.map((kind) => at(kind));
    expect(play(all, 300)).toEqual([
      '0 refusal',
      `${String(APART_MS)} sharedCore`,
      `${String(2 * APART_MS)} steal`,
      `${String(3 * APART_MS)} balance`,
    ]);
    expect(APART_MS).toBeGreaterThanOrEqual(2 * SLOW_MS);
  });

  it('one that comes while another is shown is announced when it comes again', () => {
    let leading = follow(NOTHING as Leading<CandidateMoment>, 0, [at('balance')], KINDS);
    leading = follow(leading, SLOW_MS, [at('refusal')], KINDS);
    expect(leading.now?.found.kind).toBe('balance');
    leading = follow(leading, APART_MS, [at('refusal')], KINDS);
    expect(leading.now?.found.kind).toBe('refusal');
  });

  it('are shown for a limited drawn time', () => {
    let leading = follow(NOTHING as Leading<CandidateMoment>, 0, [at('steal')], KINDS);
    leading = follow(leading, STANDS_MS - 1, [], KINDS);
    expect(leading.now).not.toBeNull();
    leading = follow(leading, 0, [], KINDS);
    expect(leading.now).not.toBeNull();
    leading = follow(leading, 1, [], KINDS);
    expect(leading.now).toBeNull();
    expect(leading.seen).toEqual(['steal']);
  });

  it('are searched for only when one may be announced', () => {
    const leading = follow(NOTHING as Leading<CandidateMoment>, 0, [at('steal')], KINDS);
    expect(wanted(leading, KINDS)).toEqual([]);
    const later = follow(leading, APART_MS, [], KINDS);
    expect(wanted(later, KINDS)).toEqual(['refusal', 'sharedCore', 'balance']);
  });
});
