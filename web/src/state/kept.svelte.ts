/** The user's work as this browser keeps it: saved while it changes, and listed where scenarios are opened. */
import { stateOfAddress } from '../browser/address-bar';
import { onLeaving } from '../browser/leaving';
import { sameJson } from '../lib/json';
import { claim, newId } from '../storage/claim';
import { askForPersistence, isPersistent } from '../storage/persistence';
import type { Kept, Shelf } from '../storage/shelf';
import type { Catalog } from '../sim/types/Catalog';
import type { Scenario } from '../sim/types/Scenario';
import { changesOf } from './changed';
import type { Config } from './config.svelte';
import type { Notices } from './notices.svelte';
import type { Run } from './run.svelte';

/**
 * Short enough that little is lost when the browser is killed, and long enough that a dragged slider does not
 * stutter.
 */
const KEEP_AFTER_MS = 300;

/** The scenario that a piece of work was made from. */
interface Origin {
  readonly name: string;
  readonly scenario: Scenario | null;
  /** It is not a shipped scenario, and is not kept beside the work yet. */
  readonly isUnkept: boolean;
}

/** A piece of work from the shelf, and its scenario as the core reads it: null where the present core refuses it. */
interface OpenedWork {
  readonly kept: Kept;
  readonly scenario: unknown;
  readonly read: Scenario | null;
  readonly origin: Scenario | null;
}

function workOf(state: unknown): string | null {
  const id = typeof state === 'object' && state && 'work' in state ? state.work : null;
  return typeof id === 'string' ? id : null;
}

/** The part of the page that is kept and opened again. */
interface KeptPage {
  /** The page is embedded in another one, which may belong to anyone: kept work is neither read nor written. */
  readonly isGuest: boolean;
  readonly config: Config | null;
  readonly run: Run;
  readonly notices: Notices;
  /** The shipped scenario that the scenario started from. */
  readonly base: Catalog['scenarios'][number] | undefined;
  readonly work: { save(): void };
  /** While a lesson is open nothing is kept: the lesson keeps its answers, and its run is not the user's work. */
  readonly lessons: { readonly open: unknown };
  openScenario(scenario: unknown, baseId: string, atNs?: number): Promise<void>;
}

/** See the module comment. */
export class KeptWork {
  readonly #page: KeptPage;
  #id = $state(newId());
  /** The piece of work that this tab had before it was reloaded. */
  readonly #before = workOf(stateOfAddress());
  #origin: Origin = { name: '', scenario: null, isUnkept: false };
  #release: (() => void) | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #kept: Scenario | null = null;
  #opened: Promise<Shelf | null> | null = null;
  #written: Promise<unknown> = Promise.resolve();
  #writing = 0;
  /** The piece of work for which the refusal was shown last. */
  #told = '';
  /** What this browser keeps, newest first. */
  list = $state.raw<readonly Kept[]>([]);
  /** Name that the person gave the present work; empty if none. */
  title = $state('');
  /** Whether the dialog of kept work and files is open. */
  isShown = $state(false);
  /** Whether the browser refuses to keep anything. */
  isRefused = $state(false);
  /** Whether the browser has promised not to clear it when space runs out; null where that is not known. */
  isPersistent = $state<boolean | null>(null);

  constructor(page: KeptPage) {
    this.#page = page;
  }

  /** Name under which this browser keeps the present work. */
  get id(): string {
    return this.#id;
  }

  /** Whether something is about to be kept. */
  get isDue(): boolean {
    return this.#timer !== undefined || this.#writing > 0;
  }

  /** Keeps the present work from now on. */
  follow(): void {
    $effect.root(() => {
      $effect(() => {
        void this.#page.config?.scenario;
        this.#timer ??= setTimeout(() => void this.keep(), KEEP_AFTER_MS);
      });
    });
    onLeaving(() => void this.keep());
  }

  /** Reads the kept work once the page is there. A reloaded page goes on with its piece of work. */
  async wake(): Promise<void> {
    await this.refresh();
    const { config } = this.#page;
    const taken = this.#before === null ? null : await this.take(this.#before);
    if (!taken || taken.kept.id === this.#id || config?.scenario !== this.#kept) return;
    if (sameJson(taken.read, config.scenario)) await this.adopt(taken);
  }

  /** Reads the list again: other tabs keep work too. */
  async refresh(): Promise<void> {
    this.list = (await (await this.#shelf())?.list()) ?? [];
    this.isPersistent = await isPersistent();
  }

  /** Keeps the present work now, if it differs from what was opened or if `isForced`; resolves when it is written. */
  async keep(isForced = false): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { config, run } = this.#page;
    if (this.#page.isGuest || (this.#page.lessons.open !== null && !isForced)) return;
    // Work that nobody changed since it was opened is already kept under its id.
    const isThere = this.list.some(({ id }) => id === this.#id);
    if (config && (config.scenario !== this.#kept || (isForced && !isThere))) {
      const { scenario, baseId } = config;
      this.#kept = scenario;
      const entry = { id: this.#id, title: this.title, baseId, t: run.nowNs };
      this.#written = Promise.all([this.#written, this.#write(entry, scenario, this.#origin)]);
      this.#origin = { ...this.#origin, isUnkept: false };
    }
    this.#writing += 1;
    await this.#written.finally(() => (this.#writing -= 1));
  }

  /** Keeps the scenario on the page at once: it came from a file, which may be gone tomorrow. */
  async takeIn(file: string): Promise<void> {
    this.begin(file);
    await this.keep(true);
  }

  /** Keeps a scenario from a file without showing it; returns whether it is kept. */
  async keepAside(scenario: Scenario, file: string, baseId: string): Promise<boolean> {
    if (this.#page.isGuest) return false;
    const origin = { name: file, scenario, isUnkept: true };
    return this.#write({ id: newId(), title: '', baseId, t: 0 }, scenario, origin);
  }

  async #write(
    entry: Pick<Kept, 'id' | 'title' | 'baseId' | 't'>,
    scenario: Scenario,
    origin: Origin,
  ): Promise<boolean> {
    const kept = {
      ...entry,
      name: scenario.name,
      origin: origin.name,
      differs: [] as readonly string[],
      savedAt: Date.now(),
      size: 0,
    };
    try {
      const shelf = await this.#shelf();
      if (!shelf) throw new Error('refused');
      if (origin.scenario)
        kept.differs = changesOf(scenario, origin.scenario, this.#page.run.catalog);
      await shelf.keep(kept, scenario, origin.isUnkept ? origin.scenario : null);
      this.list = [kept, ...this.list.filter(({ id }) => id !== kept.id)];
      return true;
    } catch (error) {
      // The database may have been closed; the next attempt opens it again.
      this.#opened = null;
      this.#tell(kept, error instanceof DOMException && error.name === 'QuotaExceededError');
      return false;
    }
  }

  #tell({ id, name }: Pick<Kept, 'id' | 'name'>, isFull: boolean): void {
    if (this.#told === id) return;
    this.#told = id;
    this.#page.notices.show(
      isFull ? 'warning' : 'info',
      isFull
        ? `This browser has no room left for “${name}”, so it is not kept. What was kept before is still there. Save this one as a file, or forget work that you no longer need.`
        : 'This browser does not let the page keep your work. Save it as a file or copy the link before you leave.',
      {
        label: 'Save as a file',
        run: () => {
          this.#page.work.save();
        },
      },
    );
  }

  /** The scenario on the page becomes a new piece of work, made from a file or from a shipped scenario. */
  begin(file = ''): void {
    const scenario = this.#page.config?.scenario ?? null;
    const { base } = this.#page;
    this.#origin =
      file === ''
        ? { name: base?.scenario.name ?? '', scenario: base?.scenario ?? null, isUnkept: false }
        : { name: file, scenario, isUnkept: true };
    this.#become(newId(), '');
    const { id } = this;
    void claim(id).then((release) => {
      if (id === this.#id) this.#release = release;
      else release?.();
    });
  }

  /** The scenario on the page becomes a kept piece of work; if another tab has that one open, a copy of it. */
  async adopt({ kept, origin }: OpenedWork): Promise<void> {
    const release = await claim(kept.id);
    const base = this.#page.base?.scenario ?? null;
    this.#origin = {
      name: kept.origin === '' ? (base?.name ?? '') : kept.origin,
      scenario: origin ?? base,
      isUnkept: release === null && origin !== null,
    };
    // Changes are counted against the scenario that the work was made from.
    const { config } = this.#page;
    if (config && origin) config.begin({ ...config.origin, scenario: origin });
    this.#become(release ? kept.id : newId(), kept.title);
    this.#release = release;
    if (!release)
      this.#page.notices.show(
        'info',
        `“${titleOf(kept)}” is open in another tab. What you change here is kept beside it.`,
      );
  }

  #become(id: string, title: string): void {
    this.#release?.();
    this.#release = null;
    this.#id = id;
    this.title = title;
    this.#kept = this.#page.config?.scenario ?? null;
  }

  /** A kept piece of work, or null. */
  async take(id: string): Promise<OpenedWork | null> {
    const taken = (await (await this.#shelf())?.take(id)) ?? null;
    if (!taken) return null;
    const [read, origin] = await Promise.all(
      [taken.scenario, taken.origin].map(async (given) =>
        given === null ? null : (await this.#page.run.check(given)).scenario,
      ),
    );
    return { ...taken, read: read ?? null, origin: origin ?? null };
  }

  /** Opens a kept piece of work. */
  async open(id: string): Promise<void> {
    const taken = await this.take(id);
    if (!taken) {
      this.#page.notices.show('warning', 'This work is no longer kept by the browser.');
      return;
    }
    const { baseId, t } = taken.kept;
    await this.#page.openScenario(taken.scenario, baseId, t);
    await this.adopt(taken);
  }

  /** Names a kept piece of work. A named piece shall not be lost, so the browser is asked not to clear it. */
  async rename(id: string, title: string): Promise<void> {
    if (id === this.#id) this.title = title;
    await (await this.#shelf())?.rename(id, title);
    await this.refresh();
    if (title !== '') await this.persist();
  }

  /** Asks the browser not to clear it when space runs out. */
  async persist(): Promise<void> {
    this.isPersistent = await askForPersistence();
  }

  /** Forgets a kept piece of work, and offers to restore it. */
  async forget(kept: Kept): Promise<void> {
    const back = await (await this.#shelf())?.drop(kept.id);
    await this.refresh();
    if (!back) return;
    this.#page.notices.show('info', `“${titleOf(kept)}” is forgotten.`, {
      label: 'Keep it',
      run: () => void back().then(() => this.refresh()),
    });
  }

  #shelf(): Promise<Shelf | null> {
    if (this.#page.isGuest) return Promise.resolve(null);
    this.#opened ??= import('../storage/shelf').then(({ Shelf }) => Shelf.open());
    return this.#opened.then(
      (shelf) => {
        this.isRefused = false;
        return shelf;
      },
      () => {
        // Refused now; perhaps not later.
        this.#opened = null;
        this.isRefused = true;
        return null;
      },
    );
  }
}

/** The name of a kept piece of work. */
export function titleOf({ title, name }: Pick<Kept, 'title' | 'name'>): string {
  return title === '' ? name : title;
}
