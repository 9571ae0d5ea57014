import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { normal } from '../sim/test-core';
import type { Scenario } from '../sim/types/Scenario';
import type { Change } from './change';
import { isOwnPolicy, OwnProgram, stopOf } from './own-program.svelte';
import { SMALL_FILE } from './test-lab';

const given = normal(JSON.parse(SMALL_FILE));
const own = (program: string) => ({ id: 'own', program, tunables: {} });
const scenario: Scenario = { ...given, schedulers: [{ id: 'bfs', tunables: {} }, own('good')] };

/** A page whose core refuses what contains `bad`. */
function page() {
  const changes: Change[] = [];
  const checked: string[] = [];
  const check = (draft: unknown) => {
    const text = (draft as Scenario).schedulers[1]?.program ?? '';
    checked.push(text);
    const wrong = { path: 'schedulers[1].program', message: 'line 1, column 2: no `bad`' };
    return Promise.resolve({ scenario: null, errors: text.includes('bad') ? [wrong] : [] });
  };
  return {
    changes,
    checked,
    run: { check },
    config: { scenario },
    playback: { tracked: (work: () => Promise<void>) => work() },
    change: (change: Change) => void changes.push(change),
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
