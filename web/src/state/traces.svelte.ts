/**
 * Traces of real machines: a file becomes a scenario with a recorded lane, then the verdict of trust and what the rules
 * say of each choice follow. These two belong to the recording of the lane that is open, as long as the page is.
 */
import type { FileProblem } from '../files/read';
import { HEAD, isTrace } from '../files/trace-text';
import type {
  Asked,
  Disagreement,
  TraceReply,
  TraceRequest,
  Verdict,
} from '../sim/trace-file/protocol';
import type { Scenario } from '../sim/types/Scenario';

/** Id of the scheduler that follows a recording. */
export const RECORDED = 'recorded';

/** A worker that reads a trace. */
export interface TraceWorker {
  postMessage(message: TraceRequest): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<TraceReply>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

/** What is known of a recording besides its run. */
interface Known {
  /** The recording, as the lane's program. */
  readonly program: string;
  readonly verdict: Verdict | null;
  readonly asked: Asked | null;
  /** Why the rules could not be asked. */
  readonly unasked: string;
  /** Whether something more is to come. */
  readonly isComing: boolean;
}

interface TracesPage {
  readonly config: { readonly scenario: Scenario } | null;
  readonly work: { refuse(name: string, problems: readonly FileProblem[]): void };
  readonly kept: { takeIn(file: string): Promise<void> };
  openScenario(scenario: unknown, baseId: string): Promise<boolean>;
}

/** Name of the scenario of a file. */
const stemOf = (name: string): string => name.replace(/(?:\.[\w-]{1,12})+$/, '') || name;

/** Where the page is tested without workers for traces. */
const noWorker = (): never => {
  throw new Error('no worker reads traces here');
};

const programOf = (scenario: Scenario | undefined): string | undefined =>
  scenario?.schedulers.find(({ id }) => id === RECORDED)?.program;

/** See the module comment. */
export class Traces {
  readonly #page: TracesPage;
  readonly #spawn: () => TraceWorker;
  #worker: TraceWorker | null = null;
  #known = $state.raw<Known | null>(null);
  /** The trace that is being read, and how much of it is; null if none is. */
  reading = $state.raw<{ readonly name: string; readonly part: number } | null>(null);
  /** The disagreement whose card is open, by its place in the list. */
  shown = $state<number | null>(null);

  constructor(page: TracesPage, spawn: () => TraceWorker = noWorker) {
    this.#page = page;
    this.#spawn = spawn;
  }

  /** What is known of the recording that is open. */
  readonly known = $derived.by((): Known | null => {
    const program = programOf(this.#page.config?.scenario);
    return this.#known?.program === program ? this.#known : null;
  });

  /** Choices that the rules do not make. */
  get disagreements(): readonly Disagreement[] {
    return this.known?.asked?.disagreements ?? [];
  }

  /** Reads a file if it is a trace; whether it is one. */
  async take(file: File): Promise<boolean> {
    let head: string;
    try {
      head = await file.slice(0, HEAD).text();
    } catch {
      return false;
    }
    if (!isTrace(head)) return false;
    await this.#read(file);
    return true;
  }

  /** Ends the reading of a trace. */
  cancel(): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.reading = null;
  }

  /** Resolves when the scenario is open, or the trace is refused or cancelled. */
  #read(file: File): Promise<void> {
    this.cancel();
    this.shown = null;
    this.reading = { name: file.name, part: 0 };
    const worker = this.#spawn();
    this.#worker = worker;
    return new Promise((resolve) => {
      const refuse = (line: number | null, message: string) => {
        this.cancel();
        this.#page.work.refuse(file.name, [{ line, path: '', message }]);
        resolve();
      };
      worker.onerror = (event) => {
        event.preventDefault();
        refuse(null, event.message || 'The worker did not load.');
      };
      worker.onmessage = ({ data }) => {
        if (worker !== this.#worker) resolve();
        else if (data.kind === 'refused') refuse(data.line, data.message);
        else if (data.kind === 'progress')
          this.reading = { name: file.name, part: data.bytes / Math.max(1, file.size) };
        else if (data.kind === 'scenario')
          void this.#open(data.scenario, file.name).finally(resolve);
        else this.#learn(data);
      };
      worker.postMessage({ file, name: stemOf(file.name) });
    });
  }

  async #open(scenario: Scenario, name: string): Promise<void> {
    this.reading = null;
    const program = programOf(scenario) ?? '';
    this.#known = { program, verdict: null, asked: null, unasked: '', isComing: true };
    if (await this.#page.openScenario(scenario, '')) await this.#page.kept.takeIn(name);
  }

  #learn(data: Extract<TraceReply, { kind: 'verdict' | 'asked' | 'unasked' }>): void {
    const known = this.#known;
    if (!known) return;
    if (data.kind === 'verdict') this.#known = { ...known, verdict: data.verdict };
    else {
      this.#known =
        data.kind === 'asked'
          ? { ...known, asked: data.asked, isComing: false }
          : { ...known, unasked: data.message, isComing: false };
      this.cancel();
    }
  }
}
