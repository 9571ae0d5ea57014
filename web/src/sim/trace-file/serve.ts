/** Reads a file of a real machine in a worker; a trace in pieces, so that a large one needs little memory and shows how far it is. */
import { messageOf } from '../../lib/assert';
import * as core from '../pkg/sim_wasm';
import type { Scenario } from '../types/Scenario';
import type { Asked, Beside, Note, TraceReply, TraceRequest, Verdict } from './protocol';

/** Larger files are read in pieces, or not at all. */
const MOST_WHOLE = 64 * 1024 * 1024;

const post = (reply: TraceReply) => {
  self.postMessage(reply);
};

/** What the core says of a trace that it refuses. */
function refusal(error: unknown): { line: number | null; message: string } {
  const text = messageOf(error);
  try {
    const told = JSON.parse(text) as { line: number | null; message: string };
    return { line: told.line, message: told.message };
  } catch {
    return { line: null, message: text };
  }
}

/** Reads a file that is no trace, which is small. */
async function readWhole({ file, name, what }: TraceRequest): Promise<void> {
  if (what === 'workload') {
    const text = core.workload_scenario(new Uint8Array(await file.arrayBuffer()), name);
    post({ kind: 'scenario', scenario: JSON.parse(text) as Scenario });
    return;
  }
  const text = await file.text();
  if (what === 'program') {
    const told = JSON.parse(core.program_scenario(text, name)) as {
      readonly scenario: Scenario;
      readonly leftOut: readonly Note[];
    };
    post({ kind: 'program', ...told });
    return;
  }
  post({ kind: 'run', ...(JSON.parse(core.beside(text)) as Beside) });
}

async function read({ file, name }: TraceRequest): Promise<void> {
  const reader = new core.TraceReader();
  const pieces = file.stream().getReader();
  let bytes = 0;
  for (;;) {
    const { done, value } = await pieces.read();
    if (done) break;
    reader.push(value);
    bytes += value.length;
    post({ kind: 'progress', bytes });
  }
  const text = reader.finish(name, true);
  post({ kind: 'scenario', scenario: JSON.parse(text) as Scenario });
  // The second lane; the first is the recorded one.
  post({ kind: 'verdict', verdict: JSON.parse(core.trust(text, 1)) as Verdict | null });
  try {
    post({ kind: 'asked', asked: JSON.parse(reader.ask()) as Asked });
  } catch (error) {
    post({ kind: 'unasked', message: refusal(error).message });
  }
}

/** Answers as soon as the core is there. */
export function serveTraces(ready: Promise<core.InitOutput>): void {
  self.onmessage = async (event: MessageEvent<TraceRequest>) => {
    try {
      await ready;
      const { data } = event;
      if (data.file.size > MOST_WHOLE && data.what !== 'trace')
        throw new Error('The file is larger than 64 MB.');
      await (data.what === 'trace' ? read(data) : readWhole(data));
    } catch (error) {
      post({ kind: 'refused', ...refusal(error) });
    }
  };
}
