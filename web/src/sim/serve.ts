/** Serves the stage in a worker: answers requests one after the other. */
import { messageOf } from '../lib/assert';
import { breakageOf } from './broken';
import { dispatch } from './dispatch';
import { exportTrace } from './export';
import { Host } from './host';
import * as core from './pkg/sim_wasm';
import type { Calls, Reply, Request } from './protocol';

const ignore = () => undefined;
const post = (reply: Reply, transfer: Transferable[] = []) => {
  self.postMessage(reply, { transfer });
};

/**
 * Most memory for kept states of all lanes: a fourth of what the lanes may take where memory is plenty, less where it
 * is not.
 */
const MOST_KEYFRAME_BYTES = 256 * 2 ** 20;
const KEYFRAME_PART = 32;

function keyframeBytes(): number {
  // The browser rounds the value and limits it to 8 GB; some do not give it.
  const { deviceMemory = 4 } = navigator as { deviceMemory?: number };
  return Math.min(MOST_KEYFRAME_BYTES, (deviceMemory * 2 ** 30) / KEYFRAME_PART);
}

/** Buffers of a result that can move instead of being copied. */
function buffersOf(value: Calls[keyof Calls]['result']): Transferable[] {
  if (value instanceof Float64Array) return [value.buffer];
  if (typeof value !== 'object' || value === null) return [];
  if ('rows' in value) return [value.rows.buffer];
  if ('words' in value) return [value.words.buffer];
  if (!('moment' in value || 'lanes' in value)) return [];
  const moment = 'moment' in value ? value.moment : value;
  return moment.lanes.flatMap((l) => [
    l.frame.buffer,
    l.trace.buffer,
    l.metrics.buffer,
    ...(l.residents ? [l.residents.buffer] : []),
    ...(l.trail ? [l.trail.buffer] : []),
  ]);
}

/** Answers requests as soon as the core is there. */
export function serveStage(ready: Promise<core.InitOutput>): void {
  /** A message to itself lets the inbox go first, without the 4 ms that nested timers cost. */
  const channel = new MessageChannel();
  const resumes: (() => void)[] = [];
  channel.port1.onmessage = () => resumes.shift()?.();
  let current: Host | null = null;
  const alive = () => {
    post({ kind: 'alive', reachedNs: current?.reachedNs ?? null });
  };
  const breathe = () =>
    new Promise<void>((resolve) => {
      alive();
      resumes.push(resolve);
      channel.port2.postMessage(null);
    });

  let memory: WebAssembly.Memory | undefined;
  const host = ready.then((exports) => {
    memory = exports.memory;
    current = new Host(
      {
        catalog: () => core.catalog(),
        check: (json) => core.check(json),
        plan: (json) => new core.Plan(json),
        digests: () => core.digests(),
      },
      { clock: () => performance.now(), breathe, alive, keyframeBytes: keyframeBytes() },
    );
    return current;
  });

  async function answer(request: Request): Promise<Calls[keyof Calls]['result']> {
    const h = await host;
    switch (request.kind) {
      case 'fail':
        core.fail(request.args.outOfMemory);
        return null;
      case 'export': {
        const { scenario, lane, format, untilNs } = request.args;
        const source = new core.Export(JSON.stringify(scenario), lane, format, untilNs);
        return exportTrace(source, format, breathe);
      }
      default:
        return dispatch(h, request);
    }
  }

  async function serve(request: Request): Promise<void> {
    const { id, epoch } = request;
    try {
      const value = await answer(request);
      post({ kind: 'result', id, epoch, value }, buffersOf(value));
    } catch (error) {
      // The core's memory is in an unknown state: this worker is finished.
      const breakage = breakageOf(error, memory?.buffer.byteLength ?? 0);
      if (breakage) post({ kind: 'fault', ...breakage });
      else if (request.kind === 'load') {
        post({ kind: 'fault', cause: 'load', message: messageOf(error) });
      } else {
        post({ kind: 'refused', id, epoch, message: messageOf(error) });
      }
    }
  }

  // One after the other: a step must not run between two slices of a seek.
  let last: Promise<void> = Promise.resolve();
  self.onmessage = (event: MessageEvent<Request>) => {
    const request = event.data;
    if (request.kind === 'configure')
      host.then((h) => {
        h.cancel();
        // Tells the group that this worker has started. If the core did not load, each request is refused with the reason.
        alive();
      }, ignore);
    if (request.kind === 'cancelSeek' || request.kind === 'halt') void serve(request);
    else last = last.then(() => serve(request));
  };
}
