import { describe, expect, it } from 'vitest';
import type { LessonWorker } from '../../sim/lesson/client';
import type { LessonReply, LessonRequest } from '../../sim/lesson/protocol';
import type { ExerciseEntry } from '../../sim/types/ExerciseEntry';
import type { Tried } from '../../sim/types/Tried';
import { Exercises } from './exercises.svelte';

const caseOf = (id: string, set: 'shown' | 'hidden' | 'bonus') => ({
  ...{ id, set, text: `${id}.`, points: 1 },
});
const EXERCISE: ExerciseEntry = {
  ...{ id: 'e1', title: 'First', text: 'Do it.', template: 'fifo', program: null },
  cases: [caseOf('a', 'shown'), caseOf('b', 'hidden'), caseOf('c', 'bonus')],
};

/** A worker whose cases hold as the test says; a case that has no answer is refused. */
class FakeWorker implements LessonWorker {
  onmessage: ((event: MessageEvent<LessonReply>) => void) | null = null;
  onerror: ((event: ErrorEvent) => void) | null = null;
  readonly asked: LessonRequest[] = [];
  readonly #holds: readonly boolean[];

  constructor(holds: readonly boolean[]) {
    this.#holds = holds;
  }

  postMessage(request: LessonRequest): void {
    this.asked.push(request);
    setTimeout(() => this.onmessage?.({ data: this.#reply(request) } as MessageEvent<LessonReply>));
  }

  terminate(): void {
    this.onmessage = null;
  }

  #reply(request: LessonRequest): LessonReply {
    const { id } = request;
    if (request.kind === 'caseScenario') return { id, value: { name: 'its run' } as never };
    const index = request.kind === 'tried' ? request.args.index : -1;
    const entry = EXERCISE.cases[index];
    const passed = this.#holds[index];
    if (!entry || passed === undefined) {
      const error = JSON.stringify({ errors: [{ path: 'program', message: 'line 1: no' }] });
      return { id, error, isBroken: false };
    }
    const tried: Tried = { ...entry, passed, stopped: null, seed: 7, checks: [] };
    return { id, value: tried };
  }
}

function begun(holds: readonly boolean[]) {
  const worker = new FakeWorker(holds);
  const opened: unknown[] = [];
  const changes: unknown[] = [];
  const page = {
    config: { baseId: 'bfs-smt' },
    look: { isLocked: false },
    editing: { change: (change: unknown) => void changes.push(change) },
    openScenario: (scenario: unknown) => Promise.resolve(opened.push(scenario) > 0),
  };
  const exercises = new Exercises(page, () => worker);
  exercises.list = [EXERCISE];
  exercises.choose('e1');
  return { exercises, worker, opened, changes };
}

const ids = ({ cases }: Exercises) => cases.map(({ entry }) => entry.id);

describe('an exercise', () => {
  it('hides cases until the first check, and counts those that are needed', async () => {
    const { exercises } = begun([true, true, false]);
    expect(ids(exercises)).toEqual(['a', 'c']);
    expect(exercises.hidden).toBe(1);
    expect(exercises.passed).toBeNull();
    await exercises.check('def pick(cpu): …');
    expect(ids(exercises)).toEqual(['a', 'b', 'c']);
    expect(exercises.passed).toEqual({ count: 2, of: 2, isWhole: true });
  });

  it('is not passed while a needed case fails', async () => {
    const { exercises } = begun([true, false, true]);
    await exercises.check('x');
    expect(exercises.passed).toEqual({ count: 1, of: 2, isWhole: false });
  });

  it('says what is wrong with a program that cannot be read', async () => {
    const { exercises } = begun([]);
    await exercises.check('x');
    expect(exercises.problem).toBe('program: line 1: no');
    expect(exercises.isBusy).toBe(false);
    expect(exercises.passed).toBeNull();
  });

  it('opens the run of a case with the seed that was told and the program that was checked', async () => {
    const { exercises, worker, opened } = begun([true, false, true]);
    await exercises.check('checked');
    const [, second] = exercises.cases;
    if (second) await exercises.open(second);
    expect(opened).toEqual([{ name: 'its run' }]);
    expect(worker.asked.at(-1)?.args).toMatchObject({ index: 1, program: 'checked', seed: 7 });
  });

  it('begins a lane with its policy', () => {
    const { exercises, changes } = begun([]);
    exercises.begin(1);
    expect(JSON.stringify(changes)).toContain('"fifo"');
  });

  it('forgets what was checked when another is chosen', async () => {
    const { exercises } = begun([true, true, true]);
    const checking = exercises.check('x');
    exercises.choose('');
    await checking;
    expect(exercises.isBusy).toBe(false);
    expect(exercises.cases).toEqual([]);
    expect(exercises.program).toBeNull();
  });
});
