/** The lessons that Start offers, in their order. */

/** What Start tells of a lesson: never its result. */
export interface LessonCard {
  /** Fragment that opens it. */
  readonly fragment: string;
  /** Its question. */
  readonly title: string;
  readonly minutes: number;
}

export const LESSONS: readonly LessonCard[] = [];
