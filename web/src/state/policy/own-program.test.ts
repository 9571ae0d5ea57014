import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { normal } from '../../sim/test-core';
import type { Scenario } from '../../sim/types/Scenario';
import type { Change } from '../editing/change';
import { settingOf } from '../../sim/property/edit';
import { choiceBefore, isOwnPolicy, OwnProgram, stopOf } from './own-program.svelte';
import { SMALL_FILE } from '../test-lab';

const given = normal(JSON.parse(SMALL_FILE));
const own = (program: string) => ({ id: 'own', program, tunables: {} });
const scenario: Scenario = { ...given, schedulers: [{ id: 'bfs', tunables: {} }, own('good')] };

/** A page whose core refuses what contains `bad`. */
function page() {
  const changes: Change[] = [];
  const drags: (number | undefined)[] = [];
  const checked: string[] = [];
  const check = (draft: unknown) => {
    const { edits, schedulers } = draft as Scenario;
    const later = settingOf(edits.at(-1) ?? {})?.value;
    const text = typeof later === 'string' ? later : (schedulers[1]?.program ?? '');
    checked.push(text);
    const path = typeof later === 'string' ? 'edits[0].set' : 'schedulers[1].program';
    const wrong = { path, message: 'line 1, column 2: no `bad`' };
    return Promise.resolve({ scenario: null, errors: text.includes('bad') ? [wrong] : [] });
  };
  return {
    changes,
    checked,
    run: { check },
    config: { scenario },
    playback: { goalNs: 0, tracked: (work: () => Promise<void>) => work() },
    drags,
    editing: {
      change(change: Change, drag?: number) {
        changes.push(change);
        drags.push(drag);
      },
    },
  };
}

async function opened() {
  const on = page();
  const program = new OwnProgram(on, 1);
  await program.follow(own('good'));
  return { on, program };
}

describe('the program of a lane', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is read when its writer pauses, not before', async () => {
    const { on, program } = await opened();
    program.write('goo');
    await vi.advanceTimersByTimeAsync(299);
    program.write('better');
    await vi.advanceTimersByTimeAsync(299);
    expect(on.checked).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(on.checked).toEqual(['better']);
    expect(on.changes).toEqual([{ set: 'lanes.2', to: { id: 'own', program: 'better' } }]);
  });

  it('does not run while it has a mistake, and says where', async () => {
    const { on, program } = await opened();
    program.write('bad');
    await vi.advanceTimersByTimeAsync(300);
    expect(program.mistakes).toEqual([{ line: 1, column: 2, message: 'no `bad`' }]);
    expect(on.changes).toEqual([]);
  });

  it('has no mistake when it is again what runs, and is not run anew', async () => {
    const { on, program } = await opened();
    program.write('bad');
    await vi.advanceTimersByTimeAsync(300);
    program.write('good');
    await vi.advanceTimersByTimeAsync(300);
    expect(program.mistakes).toEqual([]);
    expect(on.changes).toEqual([]);
  });

  it('that is longer than a link takes is refused with its length', async () => {
    const { on, program } = await opened();
    program.write('#'.repeat(16_385));
    await vi.advanceTimersByTimeAsync(300);
    expect(program.mistakes[0]?.message).toContain('16385 bytes');
    expect(on.checked).toEqual([]);
  });

  it('follows undo, and drops what was being written', async () => {
    const { on, program } = await opened();
    program.write('half');
    await program.follow(own('before'));
    await vi.advanceTimersByTimeAsync(300);
    expect(program.text).toBe('before');
    expect(on.checked).toEqual([]);
  });

  it('is not replaced by the one that it sent itself', async () => {
    const { program } = await opened();
    program.write('first');
    await vi.advanceTimersByTimeAsync(300);
    program.write('second');
    await program.follow(own('first'));
    expect(program.text).toBe('second');
  });

  it('takes over now where its writer wants that, and one at a time while time stands', async () => {
    const { on, program } = await opened();
    program.isFromNow = true;
    program.write('at the start');
    await vi.advanceTimersByTimeAsync(300);
    on.playback.goalNs = 5_000_000;
    for (const text of ['bad', 'first', 'second']) {
      program.write(text);
      await vi.advanceTimersByTimeAsync(300);
      if (text === 'bad') expect(program.mistakes).toHaveLength(1);
    }
    expect(program.mistakes).toEqual([]);
    expect(on.changes).toEqual([
      { set: 'lanes.2', to: { id: 'own', program: 'at the start' } },
      { set: 'lanes.2.program', to: 'first' },
      { set: 'lanes.2.program', to: 'second' },
    ]);
    expect(on.drags[2]).toBe(on.drags[1]);
  });

  it('is that of the last edit before a moment that gives its lane one', () => {
    const edit = (atNs: number, lane: string, program: string) => ({
      atNs,
      set: { [`lanes.${lane}.program`]: program },
    });
    const edits = [edit(5, '2', 'five'), edit(7, '1', 'of another lane'), edit(9, '*', 'nine')];
    const at = (ns?: number) => choiceBefore({ ...scenario, edits }, 1, ns)?.program;
    expect([at(5), at(6), at(9), at()]).toEqual(['good', 'five', 'five', 'nine']);
    expect(choiceBefore({ ...scenario, edits }, 0)).toBe(scenario.schedulers[0]);
  });

  it('from a file is read at once', async () => {
    const { on, program } = await opened();
    await program.replace('from a file');
    expect(on.changes).toHaveLength(1);
    expect(program.text).toBe('from a file');
  });
});

it('only the scheduler of that name runs a program', () => {
  expect([isOwnPolicy({ id: 'own' }), isOwnPolicy({ id: 'ule' })]).toEqual([true, false]);
});

it('the place that stopped a lane is read from its sentence', () => {
  const at = (message: string) => stopOf({ message });
  expect(at('line 4, column 16, in `pick(cpu 2)`: a cpu has no `waitin`')).toEqual({
    line: 4,
    column: 16,
  });
  expect(at('line 31: `pick(cpu 3)` answered nothing')).toEqual({ line: 31, column: 1 });
  expect(at('it answered nothing')).toBeNull();
  expect(stopOf(null)).toBeNull();
});
