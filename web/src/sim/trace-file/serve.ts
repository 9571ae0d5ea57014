/** Reads a file of a real machine in a worker; a trace in pieces, so that a large one needs little memory and shows how far it is. */
import { messageOf } from '../../lib/assert';
import * as core from '../pkg/sim_wasm';
import type { Problem } from '../protocol';
import type { Scenario } from '../types/Scenario';
import type { Asked, Beside, Note, TraceReply, TraceRequest, Verdict, Wrong } from './protocol';

/** Larger files are read in pieces, or not at all. */
const MOST_WHOLE = 64 * 1024 * 1024;

const post = (reply: TraceReply) => {
  self.postMessage(reply);
};

/** How much of a trace would fit into a scenario, where the core refuses it because it is too long; else null. */
function fitting(error: unknown): number | null {
  try {
    const said = JSON.parse(messageOf(error)) as { readonly fitsNs?: number };
    return said.fitsNs ?? null;
  } catch {
    return null;
  }
}

/** What the core says of a file that it refuses: one thing of a trace, all wrong fields of other files. */
function refusal(error: unknown): readonly Wrong[] {
  const text = messageOf(error);
  try {
    const said = JSON.parse(text) as
      | { readonly line: number | null; readonly message: string }
      | { readonly errors: readonly Problem[] };
    if (!('errors' in said)) return [{ line: said.line, path: '', message: said.message }];
    return said.errors.map(({ path, message }) => ({ line: null, path, message }));
  } catch {
    return [{ line: null, path: '', message: text }];
  }
}

/** Reads a file that is no trace, which is small. */
async function readWhole({ file, name, what }: TraceRequest): Promise<void> {
  if (what === 'workload') {
    const text = core.workload_scenario(new Uint8Array(await file.arrayBuffer()), name);
    post({ kind: 'scenario', scenario: JSON.parse(text) as Scenario, spanNs: null });
    return;
  }
  const text = await file.text();
  if (what === 'program') {
    const said = JSON.parse(core.program_scenario(text, name)) as {
      readonly scenario: Scenario;
      readonly leftOut: readonly Note[];
    };
    post({ kind: 'program', ...said });
    return;
  }
  post({ kind: 'run', ...(JSON.parse(core.beside(text)) as Beside) });
}

async function read({ file, name, part }: TraceRequest): Promise<void> {
  const { fromNs = 0, toNs = Infinity } = part ?? {};
  const reader = new core.TraceReader(fromNs, toNs);
  const pieces = file.stream().getReader();
  let bytes = 0;
  while (!reader.is_over()) {
    const { done, value } = await pieces.read();
    if (done) break;
    reader.push(value);
    bytes += value.length;
    post({ kind: 'progress', bytes });
  }
  const spanNs = reader.is_over() ? null : reader.span_ns();
  let text: string;
  try {
    text = reader.finish(name, true);
  } catch (error) {
    const fitsNs = fitting(error);
    if (fitsNs === null) throw error;
    post({ kind: 'tooLong', spanNs, fitsNs });
    return;
  }
  post({ kind: 'scenario', scenario: JSON.parse(text) as Scenario, spanNs });
  // The second lane; the first is the recorded one.
  post({ kind: 'verdict', verdict: JSON.parse(core.trust(text, 1)) as Verdict | null });
  try {
    post({ kind: 'asked', asked: JSON.parse(reader.ask()) as Asked });
  } catch (error) {
    post({ kind: 'unasked', message: refusal(error)[0]?.message ?? '' });
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
      post({ kind: 'refused', problems: refusal(error) });
    }
  };
}
