/** The user's work as this browser keeps it: saved while it changes, and listed where scenarios are opened. */
import { stateOfAddress } from '../../browser/address-bar';
import { onLeaving } from '../../browser/leaving';
import { saveFile } from '../../browser/save-file';
import { fileStem } from '../../files/save';
import { sameJson } from '../../lib/json';
import { claim, newId } from '../../storage/claim';
import { keepLesson, type KeptLesson, keptLessons } from '../../storage/lesson-answers';
import { askForPersistence, isPersistent } from '../../storage/persistence';
import type { Damaged, Kept, KeptStore } from '../../storage/kept-store';
import type { Catalog } from '../../sim/types/Catalog';
import type { Scenario } from '../../sim/types/Scenario';
import { type Change, isChange } from '../editing/change';
import { changesOf } from '../editing/changed';
import type { Config } from '../config.svelte';
import type { Notices } from '../notices.svelte';
import { Piece, type PieceOrigin } from './piece.svelte';
import type { Run } from '../run.svelte';

/**
 * Short enough that little is lost when the browser is killed, and long enough that a dragged slider does not
 * stutter.
 */
const KEEP_AFTER_MS = 300;

/** What could not be written is tried again after this time. */
const RETRY_MS = 10_000;

/** Something to write: the data about it, the scenario, and what it was made from. */
type Due = readonly [
  entry: Pick<Kept, 'id' | 'title' | 'baseId' | 't'>,
  scenario: Scenario,
  origin: PieceOrigin,
];

/** Something that could not be written. */
interface Unwritten {
  again(): Promise<boolean>;
  save(): void;
}

/** Lessons and pieces of work have names of their own. */
const lessonName = (id: string): string => `lesson:${id}`;

function isNoRoom(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'QuotaExceededError';
}

/** A piece of work from the store, and its scenario as the core reads it: null where the present core refuses it. */
interface OpenedWork {
  readonly kept: Kept;
  readonly scenario: unknown;
  readonly read: Scenario | null;
  readonly origin: Scenario | null;
}

/** What the address said of a tab that was loaded again: its piece of work, and changes without an answer. */
function tabOf(state: unknown): {
  readonly work: string | null;
  readonly asked: readonly Change[];
} {
  const { work, asked }: { work?: unknown; asked?: unknown } = { ...(state as object | null) };
  return {
    work: typeof work === 'string' ? work : null,
    asked: Array.isArray(asked) ? asked.filter((change) => isChange(change)) : [],
  };
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
  readonly editing: { change(change: Change): void };
  openScenario(scenario: unknown, baseId: string, atNs?: number): Promise<boolean>;
  /** Resolves when all changes that were asked for are made and written. */
  settle(): Promise<void>;
}

/** See the module comment. */
export class KeptWork {
  readonly #page: KeptPage;
  /** The piece of work before anything is open. */
  readonly #none = new Piece();
  /** The piece of work that this tab had before it was loaded again, and what it had asked for. */
  readonly #before = tabOf(stateOfAddress());
  /** Whether what is kept has been read, and the tab goes on with its piece of work, if that is there. */
  #isAwake = false;
  /** The pieces of work that only this tab writes, by name: those that undo can bring back, too. */
  readonly #claims = new Map<string, () => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #opened: Promise<KeptStore | null> | null = null;
  #written: Promise<unknown> = Promise.resolve();
  #writing = 0;
  /** What could not be written, by its name: how it is tried again, and how it is saved instead. */
  readonly #unwritten = new Map<string, Unwritten>();
  /** Lessons that are not written, by id: they last as long as the page. Null: one that was forgotten. */
  readonly #lessons = new Map<string, KeptLesson | null>();
  #retry: ReturnType<typeof setTimeout> | undefined;
  /** The name for which the refusal was shown last, and the sentences of all. */
  #warned = '';
  #sentences: readonly string[] = [];
  /** What this browser keeps, newest first. */
  list = $state.raw<readonly Kept[]>([]);
  /** What this browser keeps and the page cannot read. */
  damaged = $state.raw<readonly Damaged[]>([]);
  /** Whether the dialog of kept work and files is open. */
  isShown = $state(false);
  /** Whether the browser refuses to keep anything. */
  isRefused = $state(false);
  /** Whether the browser has promised not to clear it when space runs out; null where that is not known. */
  isPersistent = $state<boolean | null>(null);

  constructor(page: KeptPage) {
    this.#page = page;
  }

  get #piece(): Piece {
    return this.#page.config?.piece ?? this.#none;
  }

  /** Name under which this browser keeps the present work. */
  get id(): string {
    return this.#piece.id;
  }

  /**
   * Name of the work that this tab goes on with when it is loaded again; null where nothing is kept. Until the page has
   * read what is kept, it is that from before: the page may be loaded again already.
   */
  get tabId(): string | null {
    if (this.#page.isGuest) return null;
    return (this.#isAwake ? null : this.#before.work) ?? this.id;
  }

  /** Name that the person gave the present work; empty if none. */
  get title(): string {
    return this.#piece.title;
  }

  /** Whether something is about to be kept. */
  get isDue(): boolean {
    return this.#timer !== undefined || this.#writing > 0;
  }

  /** Whether something could not be written. */
  get isUnwritten(): boolean {
    return this.#unwritten.size > 0;
  }

  /** Whether something is being written. */
  get isWriting(): boolean {
    return this.#writing > 0;
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

  /** Reads the kept work once the page is there. A tab that is loaded again goes on with its piece of work. */
  async wake(): Promise<void> {
    const { work, asked } = this.#before;
    try {
      await this.refresh();
      const taken = work === null ? null : await this.take(work);
      const { config } = this.#page;
      // Something has been opened or changed meanwhile.
      if (config?.scenario !== this.#piece.kept) return;
      if (taken && taken.kept.id !== this.id && sameJson(taken.read, config?.scenario))
        await this.adopt(taken);
      for (const change of asked) this.#page.editing.change(change);
    } finally {
      this.#isAwake = true;
    }
  }

  /** Reads the list again: other tabs keep work too. */
  async refresh(): Promise<void> {
    const { works = [], damaged = [] } = (await (await this.#store())?.holding()) ?? {};
    [this.list, this.damaged] = [works, damaged];
    this.isPersistent = await isPersistent();
  }

  /** Keeps the present work now, if it differs from what was opened or if `isForced`; resolves when it is written. */
  async keep(isForced = false): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { config, run } = this.#page;
    if (config && !this.#page.isGuest && (isForced || !config.piece.isLesson)) {
      const { scenario, baseId, piece } = config;
      // Work that nobody changed since it was opened is already kept under its id.
      const isThere = this.list.some(({ id }) => id === piece.id);
      if (scenario !== piece.kept || (isForced && !isThere)) {
        piece.kept = scenario;
        const entry = { id: piece.id, title: piece.title, baseId, t: run.nowNs };
        this.#written = Promise.all([this.#written, this.#write(entry, scenario, piece.origin)]);
        piece.origin = { ...piece.origin, isUnkept: false };
      }
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

  /** Tries to write what could not be written; when all of it is, the sentences about that go. */
  async retry(): Promise<void> {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    await Promise.all([...this.#unwritten.values()].map(({ again }) => again()));
  }

  #worked(id: string): void {
    this.#unwritten.delete(id);
    if (this.#unwritten.size > 0 || this.#sentences.length === 0) return;
    const { notices } = this.#page;
    for (const notice of notices.list)
      if (this.#sentences.includes(notice.text)) notices.dismiss(notice.id);
    [this.#warned, this.#sentences] = ['', []];
  }

  async #write(...due: Due): Promise<boolean> {
    const [entry, scenario, origin] = due;
    const kept = {
      ...entry,
      name: scenario.name,
      origin: origin.name,
      differs: [] as readonly string[],
      savedAt: Date.now(),
      size: 0,
    };
    try {
      const keptStore = await this.#store();
      if (!keptStore) throw new Error('refused');
      if (origin.scenario)
        kept.differs = changesOf(scenario, origin.scenario, this.#page.run.catalog);
      await keptStore.keep(kept, scenario, origin.isUnkept ? origin.scenario : null);
      this.list = [kept, ...this.list.filter(({ id }) => id !== kept.id)];
      this.#worked(kept.id);
      return true;
    } catch (error) {
      // The database may have been closed; the next attempt opens it again.
      this.#opened = null;
      const isFull = isNoRoom(error);
      const sentence = isFull
        ? `This browser has no room left for “${kept.name}”, so it is not kept. What was kept before is still there. Save this one as a file, or forget work that you no longer need.`
        : 'This browser does not let the page keep your work. Save it as a file or copy the link before you leave.';
      const save = () => {
        this.#page.work.save();
      };
      this.#refused(kept.id, { again: () => this.#write(...due), save }, sentence, isFull);
      return false;
    }
  }

  /** All lessons that were begun, by id: as this browser keeps them, and in this page beyond that. */
  get lessons(): ReadonlyMap<string, KeptLesson> {
    const all = new Map(this.#page.isGuest ? [] : keptLessons());
    for (const [id, lesson] of this.#lessons)
      if (lesson) all.set(id, lesson);
      else all.delete(id);
    return all;
  }

  /** Saves answers in a lesson that could not be written as a file; null if there are none. */
  get saveAnswers(): (() => void) | null {
    for (const id of this.#lessons.keys()) {
      const unwritten = this.#unwritten.get(lessonName(id));
      if (unwritten) return unwritten.save;
    }
    return null;
  }

  /** Keeps a lesson; null: forgets it. `save` offers its answers as a file, where they cannot be written. */
  keepLesson(id: string, lesson: KeptLesson | null, save: () => void): void {
    this.#lessons.set(id, lesson);
    if (!this.#page.isGuest) this.#writeLesson(id, save);
  }

  #writeLesson(id: string, save: () => void): boolean {
    try {
      keepLesson(id, this.#lessons.get(id) ?? null);
      this.#lessons.delete(id);
      this.#worked(lessonName(id));
      return true;
    } catch (error) {
      const isFull = isNoRoom(error);
      const sentence = isFull
        ? 'This browser has no room left for your answers in lessons. They last until this page is closed. Save them as a file before you leave.'
        : 'This browser does not let the page keep your answers in lessons. They last until this page is closed. Save them as a file before you leave.';
      const again = () => Promise.resolve(this.#writeLesson(id, save));
      this.#refused(lessonName(id), { again, save }, sentence, isFull);
      return false;
    }
  }

  /** Something could not be written: it is told once, and tried again later. */
  #refused(name: string, unwritten: Unwritten, sentence: string, isFull: boolean): void {
    this.#unwritten.set(name, unwritten);
    this.#retry ??= setTimeout(() => void this.retry(), RETRY_MS);
    if (this.#warned === name) return;
    this.#warned = name;
    this.#sentences = [...this.#sentences, sentence];
    const action = { label: 'Save as a file', run: unwritten.save };
    this.#page.notices.show(isFull ? 'warning' : 'info', sentence, action);
  }

  /**
   * The scenario on the page is a new piece of work, made from a file or from a shipped scenario. The run of a lesson
   * is no work of the user's.
   */
  begin(file = '', isLesson = false): void {
    const scenario = this.#page.config?.scenario ?? null;
    const { base } = this.#page;
    const piece = this.#piece;
    piece.origin =
      file === ''
        ? { name: base?.scenario.name ?? '', scenario: base?.scenario ?? null, isUnkept: false }
        : { name: file, scenario, isUnkept: true };
    piece.kept = scenario;
    piece.isLesson = isLesson;
    void this.#claim(piece.id);
    this.#releaseOthers();
  }

  /** The scenario on the page becomes a kept piece of work; if another tab has that one open, a copy of it. */
  async adopt({ kept, origin }: OpenedWork): Promise<void> {
    const { config, base } = this.#page;
    const piece = this.#piece;
    // Undo can bring it back: then it is one and the same piece.
    const same = [...(config?.pieces ?? [])].find(
      (other) => other !== piece && other.id === kept.id,
    );
    if (config && same) {
      same.kept = piece.kept;
      same.isLesson = false;
      config.piece = same;
      if (origin) config.begin({ ...config.origin, scenario: origin });
      return;
    }
    const isOwn = await this.#claim(kept.id);
    const from = base?.scenario ?? null;
    piece.origin = {
      name: kept.origin === '' ? (from?.name ?? '') : kept.origin,
      scenario: origin ?? from,
      isUnkept: !isOwn && origin !== null,
    };
    piece.title = kept.title;
    if (isOwn) piece.id = kept.id;
    this.#releaseOthers();
    // Changes are counted against the scenario that the work was made from.
    if (config?.piece === piece && origin) config.begin({ ...config.origin, scenario: origin });
    if (!isOwn)
      this.#page.notices.show(
        'info',
        `“${titleOf(kept)}” is open in another tab. What you change here is kept beside it.`,
      );
  }

  /** Undo or redo has brought back a piece of work. The run of a lesson becomes the user's own. */
  resume(): void {
    const piece = this.#piece;
    if (!piece.isLesson) return;
    piece.isLesson = false;
    piece.kept = this.#page.config?.scenario ?? null;
  }

  /** Takes care that no other tab writes a piece of work; returns whether that is so. */
  async #claim(id: string): Promise<boolean> {
    if (this.#claims.has(id)) return true;
    const release = await claim(id);
    if (release) this.#claims.set(id, release);
    return release !== null;
  }

  /** Lets other tabs write what even undo cannot bring back any more. */
  #releaseOthers(): void {
    const { config } = this.#page;
    const ids = new Set([...(config?.pieces ?? [])].map(({ id }) => id));
    for (const [id, release] of this.#claims)
      if (!ids.has(id)) {
        this.#claims.delete(id);
        release();
      }
  }

  /** A kept piece of work, or null. */
  async take(id: string): Promise<OpenedWork | null> {
    // It may be the work on the page.
    await this.#page.settle();
    const taken = (await (await this.#store())?.take(id)) ?? null;
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
      await this.refresh();
      const isThere = this.damaged.some(({ key }) => key === id);
      this.#page.notices.show(
        'warning',
        isThere
          ? 'This work is damaged and cannot be read. “Open…” lists it; there you can save what is left of it.'
          : 'This work is no longer kept by the browser.',
      );
      return;
    }
    const { baseId, t } = taken.kept;
    if (await this.#page.openScenario(taken.scenario, baseId, t)) await this.adopt(taken);
  }

  /** Names a kept piece of work. A named piece shall not be lost, so the browser is asked not to clear it. */
  async rename(id: string, title: string): Promise<void> {
    for (const piece of this.#page.config?.pieces ?? []) if (piece.id === id) piece.title = title;
    await (await this.#store())?.rename(id, title);
    await this.refresh();
    if (title !== '') await this.persist();
  }

  /** Asks the browser not to clear it when space runs out. */
  async persist(): Promise<void> {
    this.isPersistent = await askForPersistence();
  }

  /** Forgets a kept piece of work, and offers to restore it. */
  async forget(kept: Kept): Promise<void> {
    const back = await (await this.#store())?.drop(kept.id);
    await this.refresh();
    if (back) this.#offerBack(titleOf(kept), back);
    this.#unwritten.delete(kept.id);
    // There may be room now.
    await this.retry();
  }

  /** Offers what cannot be read as a file, as it is kept. */
  async saveDamaged(damaged: Damaged): Promise<void> {
    const text = await (await this.#store())?.textOf(damaged);
    if (text !== undefined) saveFile(`${fileStem(damaged.name)}.txt`, new Blob([text]));
  }

  /** Forgets what cannot be read, and offers to restore it. */
  async forgetDamaged(damaged: Damaged): Promise<void> {
    const back = await (await this.#store())?.dropDamaged(damaged);
    await this.refresh();
    if (back) this.#offerBack(damaged.name, back);
  }

  #offerBack(title: string, back: () => Promise<void>): void {
    this.#page.notices.show('info', `“${title}” is forgotten.`, {
      label: 'Keep it',
      run: () => void back().then(() => this.refresh()),
    });
  }

  #store(): Promise<KeptStore | null> {
    if (this.#page.isGuest) return Promise.resolve(null);
    this.#opened ??= import('../../storage/kept-store').then(({ KeptStore }) => KeptStore.open());
    return this.#opened.then(
      (keptStore) => {
        this.isRefused = false;
        return keptStore;
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
