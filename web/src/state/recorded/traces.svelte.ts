/**
 * Files of real machines. A trace becomes a scenario with a recorded lane, then the verdict of trust and what the rules
 * say of each choice follow. These two belong to the recording of the lane that is open, as long as the page is. The
 * workload of a trace and a program of rt-app become scenarios. What `timeslice real` kept becomes its scenario with the
 * lane *this machine* beside the model; what all repeats together say belongs to that lane as a verdict does to a trace.
 */
import type { FileProblem } from '../../files/read';
import { coreMessage } from '../../lib/core-message';
import { HEAD, type RealFile, realFile } from '../../files/trace-text';
import type {
  Asked,
  Beside,
  Disagreement,
  Note,
  Part,
  TraceReply,
  TraceRequest,
  Verdict,
} from '../../sim/trace-file/protocol';
import type { Scenario } from '../../sim/types/Scenario';

/** Id of the scheduler that follows a trace, and of the behaviour of its threads. */
export const RECORDED = 'recorded';

/** Id of the scheduler that follows what threads saw of their own turns. */
export const THIS_MACHINE = 'thisMachine';

/** Whether a scheduler is none: it follows a recording. */
export const isRecording = (id: string): boolean => id === RECORDED || id === THIS_MACHINE;

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
  /** What a run for real and the model have in common, and what not. */
  readonly run: RunTold | null;
  /** The trace of which it is a part, or all. */
  readonly of: Cut | null;
}

/** A trace that was read, and which part of it. */
export interface Cut {
  readonly file: File;
  /** How long it is; null if that is not known. */
  readonly spanNs: number | null;
  readonly part: Part | null;
}

/** What somebody is asked who chooses a part of a trace. */
export interface Choice {
  readonly of: Cut;
  /** How much would fit, where what was read is too long. */
  readonly fitsNs: number | null;
}

/** A run for real beside the model, and the name of its file. */
export type RunTold = { readonly name: string } & Omit<Beside, 'scenario'>;

const NOTHING_KNOWN = {
  verdict: null,
  asked: null,
  unasked: '',
  isComing: false,
  run: null,
  of: null,
};

/** What came of a file that was opened, and is told once. */
export type FileReport =
  | { readonly kind: 'program'; readonly name: string; readonly leftOut: readonly Note[] }
  | ({ readonly kind: 'run' } & RunTold);

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
  scenario?.schedulers.find(({ id }) => isRecording(id))?.program;

/** See the module comment. */
export class Traces {
  readonly #page: TracesPage;
  readonly #spawn: () => TraceWorker;
  #worker: TraceWorker | null = null;
  #known = $state.raw<Known | null>(null);
  /** The trace that is being read, and how much of it is; null if none is. */
  reading = $state.raw<{ readonly name: string; readonly part: number } | null>(null);
  /** What is told of the file that was opened last; null once it is read. */
  report = $state.raw<FileReport | null>(null);
  /** The choice of a part that is open. */
  choice = $state.raw<Choice | null>(null);
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

  /** Tells once more what came of the run for real that is open. */
  tellRun(): void {
    const run = this.known?.run;
    if (run) this.report = { kind: 'run', ...run };
  }

  /** Asks which part of the trace that is open shall be the lane. */
  choose(): void {
    const of = this.known?.of;
    if (of) this.choice = { of, fitsNs: null };
  }

  /** Reads a part of a trace anew. */
  async openPart({ file, spanNs }: Cut, part: Part): Promise<void> {
    this.choice = null;
    await this.#read(file, 'trace', { file, spanNs, part });
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
    await this.#read(file, what, { file, spanNs: null, part: null });
    return true;
  }

  /** Ends the reading of a trace. */
  cancel(): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.reading = null;
  }

  /** Resolves when the scenario is open, or the trace is refused or cancelled. */
  #read(file: File, what: RealFile, of: Cut): Promise<void> {
    this.cancel();
    this.shown = null;
    this.report = null;
    this.choice = null;
    this.reading = { name: file.name, part: 0 };
    const worker = this.#spawn();
    this.#worker = worker;
    return new Promise((resolve) => {
      const refuse = (problems: readonly FileProblem[]) => {
        this.cancel();
        this.#page.work.refuse(
          file.name,
          problems.map((one) => ({ ...one, message: coreMessage(one.message) })),
        );
        resolve();
      };
      worker.onerror = (event) => {
        event.preventDefault();
        const message = event.message || 'The worker did not load.';
        refuse([{ line: null, path: '', message }]);
      };
      worker.onmessage = ({ data }) => {
        if (worker !== this.#worker) resolve();
        else if (data.kind === 'refused') refuse(data.problems);
        else if (data.kind === 'progress')
          this.reading = { name: file.name, part: data.bytes / Math.max(1, file.size) };
        else if (data.kind === 'scenario')
          void this.#open(data.scenario, {
            ...of,
            spanNs: data.spanNs ?? of.spanNs,
          }).finally(resolve);
        else if (data.kind === 'tooLong') {
          this.cancel();
          this.choice = { of: { ...of, spanNs: data.spanNs ?? of.spanNs }, fitsNs: data.fitsNs };
          resolve();
        } else if (data.kind === 'program' || data.kind === 'run')
          void this.#openTold(data, file.name).finally(resolve);
        else this.#learn(data);
      };
      const name = stemOf(file.name);
      worker.postMessage({ file, what, name, ...(of.part ? { part: of.part } : {}) });
    });
  }

  async #openTold(
    data: Extract<TraceReply, { kind: 'program' | 'run' }>,
    name: string,
  ): Promise<void> {
    this.cancel();
    if (data.kind === 'run') {
      const program = programOf(data.scenario) ?? '';
      const run = { name, compared: data.compared, near: data.near };
      this.#known = { ...NOTHING_KNOWN, program, run };
    }
    if (!(await this.#page.openScenario(data.scenario, ''))) return;
    await this.#page.kept.takeIn(name);
    if (data.kind === 'run') this.tellRun();
    else if (data.leftOut.length > 0)
      this.report = { kind: 'program', name, leftOut: data.leftOut };
  }

  async #open(scenario: Scenario, of: Cut): Promise<void> {
    this.reading = null;
    const program = programOf(scenario);
    if (program === undefined) this.cancel();
    else this.#known = { ...NOTHING_KNOWN, program, isComing: true, of };
    if (await this.#page.openScenario(scenario, '')) await this.#page.kept.takeIn(of.file.name);
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
