/**
 * Files of real machines. A trace becomes a scenario with a recorded lane, then the verdict of trust and what the rules
 * say of each choice follow. These two belong to the recording of the lane that is open, as long as the page is. The
 * workload of a trace and a program of rt-app become scenarios. What `timeslice real` kept becomes its scenario, and
 * what the machine did stands beside it.
 */
import type { FileProblem } from '../files/read';
import { HEAD, type RealFile, realFile } from '../files/trace-text';
import type {
  Asked,
  Beside,
  Disagreement,
  Note,
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

/** What came of a file that was opened, and is told once. */
export type Told =
  | { readonly kind: 'program'; readonly name: string; readonly leftOut: readonly Note[] }
  | ({ readonly kind: 'run'; readonly name: string } & Omit<Beside, 'scenario'>);

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
  /** What is told of the file that was opened last; null once it is read. */
  told = $state.raw<Told | null>(null);
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

  /** Reads a file if it is one of a real machine; whether it is. */
  async take(file: File): Promise<boolean> {
    let head: string;
    try {
      head = await file.slice(0, HEAD).text();
    } catch {
      return false;
    }
    const what = realFile(head);
    if (what === null) return false;
    await this.#read(file, what);
    return true;
  }

  /** Ends the reading of a trace. */
  cancel(): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.reading = null;
  }

  /** Resolves when the scenario is open, or the trace is refused or cancelled. */
  #read(file: File, what: RealFile): Promise<void> {
    this.cancel();
    this.shown = null;
    this.told = null;
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
        else if (data.kind === 'program' || data.kind === 'run')
          void this.#openTold(data, file.name).finally(resolve);
        else this.#learn(data);
      };
      worker.postMessage({ file, what, name: stemOf(file.name) });
    });
  }

  async #openTold(
    data: Extract<TraceReply, { kind: 'program' | 'run' }>,
    name: string,
  ): Promise<void> {
    this.cancel();
    if (!(await this.#page.openScenario(data.scenario, ''))) return;
    await this.#page.kept.takeIn(name);
    if (data.kind === 'run')
      this.told = { kind: 'run', name, compared: data.compared, near: data.near };
    else if (data.leftOut.length > 0) this.told = { kind: 'program', name, leftOut: data.leftOut };
  }

  async #open(scenario: Scenario, name: string): Promise<void> {
    this.reading = null;
    const program = programOf(scenario);
    if (program === undefined) this.cancel();
    else this.#known = { program, verdict: null, asked: null, unasked: '', isComing: true };
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
