import { describe, expect, it } from 'vitest';
import type { FileProblem } from '../../files/read';
import type { Beside, TraceReply, TraceRequest } from '../../sim/trace-file/protocol';
import type { Scenario } from '../../sim/types/Scenario';
import { isRecording, RECORDED, THIS_MACHINE, Traces } from './traces.svelte';

/** A page, and a worker that answers as it is told. */
function trial(...replies: readonly TraceReply[]) {
  const asked: TraceRequest[] = [];
  const refused: FileProblem[] = [];
  const opened: Scenario[] = [];
  const page = {
    config: null as { readonly scenario: Scenario } | null,
    work: { refuse: (_: string, problems: readonly FileProblem[]) => refused.push(...problems) },
    kept: { takeIn: () => Promise.resolve() },
    openScenario(scenario: unknown) {
      opened.push(scenario as Scenario);
      page.config = { scenario: scenario as Scenario };
      return Promise.resolve(true);
    },
  };
  const traces = new Traces(page, () => {
    const worker = {
      onmessage: null as ((event: MessageEvent<TraceReply>) => void) | null,
      onerror: null,
      terminate: () => undefined,
      postMessage(request: TraceRequest) {
        asked.push(request);
        for (const data of replies) worker.onmessage?.({ data } as MessageEvent<TraceReply>);
      },
    };
    return worker;
  });
  return { traces, asked, refused, opened };
}

const scenario = (id: string, program: string) =>
  ({ schedulers: [{ id, program, tunables: {} }] }) as unknown as Scenario;
const RUN = new File(['{ "realVersion": 1 }'], 'run.json');
const TRACE = new File(['# tracer: nop\n'], 'mine.txt');

describe('files of real machines', () => {
  it('what all repeats say belongs to the lane of the machine', async () => {
    const beside = {
      scenario: scenario(THIS_MACHINE, 'AQ'),
      compared: { farthest: 0.001 },
      near: 0.005,
    } as unknown as Beside;
    const { traces, asked } = trial({ kind: 'run', ...beside });
    expect(await traces.take(RUN)).toBe(true);
    expect(asked[0]?.what).toBe('run');
    expect(traces.report).toMatchObject({ kind: 'run', name: 'run.json', near: 0.005 });
    expect(traces.known?.run?.compared.farthest).toBe(0.001);
    traces.report = null;
    traces.tellRun();
    expect(traces.report).toMatchObject({ kind: 'run' });
    expect([THIS_MACHINE, RECORDED, 'eevdf'].map(isRecording)).toEqual([true, true, false]);
  });

  it('a damaged one is refused with each of its fields', async () => {
    const problems = [
      { line: null, path: 'ns', message: 'must be from 1 to 2, got 0' },
      { line: null, path: 'cpus[1]', message: 'CPU 1 is there twice' },
    ];
    const { traces, refused } = trial({ kind: 'refused', problems });
    await traces.take(RUN);
    expect(refused).toEqual(problems);
    expect(traces.reading).toBeNull();
  });

  it('a trace that is too long asks for a part, which is read from the same file', async () => {
    const { traces, asked, opened } = trial({ kind: 'tooLong', spanNs: 60e9, fitsNs: 5e9 });
    await traces.take(TRACE);
    expect(opened).toEqual([]);
    expect(traces.choice).toMatchObject({ of: { spanNs: 60e9, part: null }, fitsNs: 5e9 });
    const part = { fromNs: 1e9, toNs: 2e9 };
    const { of } = traces.choice ?? { of: { file: TRACE, spanNs: null, part: null } };
    await traces.openPart(of, part);
    expect(asked.map((request) => request.part)).toEqual([undefined, part]);
    expect(asked[1]?.file).toBe(TRACE);
  });

  it('a part that is open can be changed, and the length of the whole stays known', async () => {
    const { traces } = trial({
      ...{ kind: 'scenario', scenario: scenario(RECORDED, 'AA'), spanNs: null },
    });
    const of = { file: TRACE, spanNs: 60e9, part: null };
    await traces.openPart(of, { fromNs: 0, toNs: 1e9 });
    traces.choose();
    expect(traces.choice?.of).toEqual({ ...of, part: { fromNs: 0, toNs: 1e9 } });
  });
});
