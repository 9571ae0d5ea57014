/** The lesson that is open beside the laboratory, if any. The code of lessons is loaded with the first one. */
import { messageOf } from '../../lib/assert';
import { firstProblem } from '../../lib/core-message';
import { LESSON_LANGUAGE } from '../../lib/language';
import type { LessonPlace } from '../../link/lesson-place';
import type { LessonWorker } from '../../sim/lesson/client';
import type { LessonEntry } from '../../sim/types/LessonEntry';
import type { Scenario } from '../../sim/types/Scenario';
import type { Notices } from '../notices.svelte';
import type { LessonPage, LessonState } from './lesson.svelte';

/** What opening a lesson needs of the page. */
export interface LessonsPage extends LessonPage {
  readonly notices: Notices;
  readonly places: { at: unknown };
  readonly kept: LessonPage['kept'] & { resume(): void };
  beginOpening(): number;
  openForLesson(scenario: Scenario, isLocked: boolean, opening: number): Promise<boolean>;
}

/** See the module comment. */
export class Lessons {
  readonly #page: LessonsPage;
  readonly #spawn: () => LessonWorker;
  /** The lesson that is open. */
  open = $state.raw<LessonState | null>(null);
  /** Lessons that are being opened. */
  #opening = $state(0);

  constructor(page: LessonsPage, spawn: () => LessonWorker) {
    this.#page = page;
    this.#spawn = spawn;
  }

  /** The lessons of this core, in their order. */
  get list(): readonly LessonEntry[] {
    return this.#page.run.lessons;
  }

  /** The number of the last lesson. Those that cannot run here keep theirs, so that a link means the same everywhere. */
  get last(): number {
    return Math.max(0, ...this.list.map(({ number }) => number));
  }

  /** Whether a lesson is being opened. */
  get isOpening(): boolean {
    return this.#opening > 0;
  }

  /** Whether no lesson is being opened, and no awaited result is being computed. */
  get isIdle(): boolean {
    return this.#opening === 0 && this.open?.evaluation.isWaiting !== true;
  }

  /** Opens a lesson at a step, or goes to that step if the lesson is open. */
  async show(place: LessonPlace): Promise<void> {
    const entry = this.list.find(({ number }) => number === place.number);
    if (!entry) {
      const { notices, places } = this.#page;
      places.at = { kind: 'start' };
      const most = this.last;
      const { run } = this.#page;
      if (run.withheld.includes(place.number)) {
        const why = `Lesson ${String(place.number)} needs own policies: ${run.withoutPolicies}.`;
        const how = 'The manual says how to get them, under “Own policies”.';
        notices.show('warning', run.arePoliciesComing ? why : `${why} ${how}`);
        return;
      }
      notices.show(
        'warning',
        `There is no lesson ${String(place.number)}. ${most === 0 ? 'There are none.' : `There are lessons 1 to ${String(most)}.`}`,
      );
      return;
    }
    if (this.open?.entry.id === entry.id && place.answers.size === 0) {
      this.open.goTo(place.step);
      return;
    }
    await this.#begin(place, entry);
  }

  async #begin(place: LessonPlace, entry: LessonEntry): Promise<void> {
    const opening = this.#page.beginOpening();
    this.#opening += 1;
    try {
      const { LessonState: Lesson } = await import('./lesson.svelte');
      const client = Lesson.client(this.#spawn);
      const [text, isOpen] = await Promise.all([
        client.call('text', { lesson: entry.id, language: LESSON_LANGUAGE }),
        this.#page.openForLesson(entry.scenario, place.teach.isLocked, opening),
      ]);
      if (!isOpen) {
        client.cancel();
        return;
      }
      const lesson = new Lesson(this.#page, entry, text, place, client);
      this.open = lesson;
      lesson.begin();
    } catch (error) {
      // Its run is there, without the lesson.
      this.#page.kept.resume();
      this.#page.notices.show(
        'warning',
        `The lesson could not be opened: ${firstProblem(messageOf(error))}.`,
      );
    } finally {
      this.#opening -= 1;
    }
  }

  /** Closes it; the run stays where it is. */
  close(): void {
    this.open?.end();
    this.open = null;
  }
}
