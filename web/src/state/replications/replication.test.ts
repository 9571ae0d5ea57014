import { describe, expect, it } from 'vitest';
import type { Evaluation, Figure, Run } from '../../sim/sweep/claims';
import type { Judge } from '../../sim/sweep/judge';
import { KeptWorkers } from '../../sim/sweep/kept-workers';
import type { SweepWorker } from '../../sim/sweep/pool';
import type { Job, Outcome } from '../../sim/sweep/protocol';
import type { Catalog } from '../../sim/types/Catalog';
import { Replication } from './replication.svelte';

const scenario = (id: string) => ({
  name: 'x',
  schedulers: [{ id, tunables: {} }],
  groups: [],
  controls: [],
  end: { atNs: 1 },
});
const run = (key: string): Run => ({
  key,
  words: [key],
  scenario: JSON.stringify(scenario(key)),
  base: 's1',
  columns: 'exits',
  at: [],
});

/** A judge of two runs; its only figure shows which results have arrived. */
class TestJudge implements Judge {
  readonly seeds: number;
  readonly given: string[] = [];
  change = '';
  constructor(seeds: number) {
    this.seeds = seeds;
  }
  whatIfs = () => [{ id: 'no-steal', label: 'no stealing' }];
  runs(_: string, whatIf: string): readonly Run[] {
    if (whatIf !== '' && whatIf !== 'no-steal') throw new Error(`no change “${whatIf}”`);
    this.change = whatIf;
    return ['ule', '4bsd'].map(run);
  }
  add(key: string, columns: readonly string[], values: Float64Array): void {
    this.given.push(`${this.change}${key} ${columns.join()} ${String(values[0])}`);
  }
  figures = (page: string) => [{ id: `${page}: ${this.given.join('; ')}` }] as unknown as Figure[];
  evaluate = (): readonly Evaluation[] =>
    this.given.length === 2 ? [{ id: `seeds ${String(this.seeds)}` } as Evaluation] : [];
  numbers = () => ({ numbers: [], meanErrors: {} });
}

function setUp() {
  const workers: TestWorker[] = [];
  class TestWorker implements SweepWorker {
    onmessage: ((event: MessageEvent<Outcome>) => void) | null = null;
    onerror = null;
    job: Job | null = null;
    postMessage(job: Job): void {
      this.job = job;
    }
    terminate(): void {
      this.job = null;
    }
  }
  /** Answers every request until there are no more. */
  const answer = (): void => {
    const asked = workers.find((w) => w.job);
    const id = asked?.job?.id ?? -1;
    if (asked) asked.job = null;
    const data = { id, columns: ['elapsedNs'], values: Float64Array.of(10 + id) };
    asked?.onmessage?.(new MessageEvent('message', { data }));
  };
  const spawn = () => {
    const worker = new TestWorker();
    workers.push(worker);
    return worker;
  };
  const catalog = { scenarios: [] } as unknown as Catalog;
  const make = (seeds: number) => Promise.resolve(new TestJudge(seeds));
  const replication = new Replication(catalog, new KeptWorkers(spawn, 8), 's1', make);
  const begun = () => expect.poll(() => workers.some((w) => w.job)).toBe(true);
  return { replication, answer, begun };
}
const ids = (list: readonly { readonly id: string }[]) => list.map((f) => f.id);

describe('a replication', () => {
  it('shows the published values before the first run, and which changes there are', async () => {
    const { replication } = setUp();
    await replication.open();
    expect(ids(replication.figures)).toEqual(['s1: ']);
    expect(replication.whatIfs).toHaveLength(1);
    expect(replication.batch.hasRun).toBe(false);
  });

  it('hands results to the judge by the names of their columns, and shows its verdicts', async () => {
    const { replication, answer, begun } = setUp();
    const pass = replication.run(3, '');
    await begun();
    answer();
    answer();
    await pass;
    expect(ids(replication.figures)).toEqual(['s1: ule elapsedNs 10; 4bsd elapsedNs 11']);
    expect(ids(replication.verdicts)).toEqual(['seeds 3']);
    const behind = replication.behind(['ule', '4bsd', 'nobody']);
    expect(behind?.scenario.schedulers.map((s) => s.id)).toEqual(['ule', '4bsd']);
    expect(behind?.base).toBe('s1');
    expect(replication.behind(['nobody'])).toBeNull();
  });

  it('keeps the results before a change, and the results so far when it is cancelled', async () => {
    const { replication, answer, begun } = setUp();
    const first = replication.run(1, '');
    await begun();
    answer();
    replication.batch.cancel();
    await first;
    expect(ids(replication.figures)).toEqual(['s1: ule elapsedNs 10']);
    expect(replication.batch.status).toBe('cancelled');
    const second = replication.run(1, 'no-steal');
    await begun();
    expect(ids(replication.before)).toEqual(['s1: ule elapsedNs 10']);
    expect(replication.whatIf?.label).toBe('no stealing');
    answer();
    answer();
    await second;
    expect(ids(replication.figures)[0]).toContain('no-steal4bsd');
  });

  it('says which scenario the judge does not know', async () => {
    const { replication } = setUp();
    await replication.run(1, 'nonsense');
    expect(replication.batch.problem).toBe('no change “nonsense”');
    expect(replication.batch.status).toBe('failed');
  });
});
