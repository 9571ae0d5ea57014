/** Calls of the core by a lesson's worker, without messages, so that tests can run them in place. */
import type { Scenario } from '../types/Scenario';
import type { LessonCall, LessonCalls, LessonRequest } from './protocol';

/** The learner's run of a lesson, as the package has it. */
export interface LessonRunApi {
  step(number: number, answer?: string): string;
  fill(text: string): string;
  value(expression: string): string;
  free(): void;
}

/** The runs of a scenario, followed for expressions, as the package has them. */
export interface MeasureRunApi {
  now(text: string, untilNs: number, language: string): string;
  free(): void;
}

/** The functions of the package that lessons and measures need. */
export interface LessonCore {
  lesson(id: string, language: string): string;
  run(lesson: string, language: string, scenario: string): LessonRunApi;
  measure(scenario: string): MeasureRunApi;
  lessonChanges(id: string, scenario: string): string;
  exerciseCase(exercise: string, index: number, program: string, language: string): string;
  exerciseScenario(exercise: string, index: number, program: string, seed: number): string;
  worksheet(lesson: string, language: string, scenario: string, isForTeacher: boolean): string;
}

type Result = LessonCalls[LessonCall]['result'];

/** Answers requests one after the other; throws the core's errors. */
export class LessonHost {
  readonly #core: LessonCore;
  #run: LessonRunApi | null = null;
  /** The scenario that is followed, as text, and its runs. */
  #followed: { readonly scenario: string; readonly runs: MeasureRunApi } | null = null;

  constructor(core: LessonCore) {
    this.#core = core;
  }

  /** Answers a question. */
  answer(request: LessonRequest): Result {
    const core = this.#core;
    switch (request.kind) {
      case 'text':
        return parsed(core.lesson(request.args.lesson, request.args.language));
      case 'begin': {
        const { lesson, language, scenario } = request.args;
        this.#run?.free();
        this.#run = null;
        this.#run = core.run(lesson, language, JSON.stringify(scenario));
        return null;
      }
      case 'step': {
        const { number, answer } = request.args;
        if (!this.#run) throw new Error('no lesson was begun');
        return parsed(this.#run.step(number, answer === null ? undefined : JSON.stringify(answer)));
      }
      case 'fill':
        if (!this.#run) throw new Error('no lesson was begun');
        return this.#run.fill(request.args.text);
      case 'value':
        if (!this.#run) throw new Error('no lesson was begun');
        return parsed(this.#run.value(request.args.expression));
      case 'measure': {
        const { text, untilNs, language } = request.args;
        return parsed(this.#follow(request.args.scenario).now(text, untilNs, language));
      }
      case 'tried': {
        const { exercise, index, program, language } = request.args;
        return parsed(core.exerciseCase(exercise, index, program, language));
      }
      case 'caseScenario': {
        const { exercise, index, program, seed } = request.args;
        return parsed(core.exerciseScenario(exercise, index, program, seed));
      }
      case 'changes':
        return core.lessonChanges(request.args.lesson, JSON.stringify(request.args.scenario));
      case 'worksheet': {
        const { lesson, language, scenario, isForTeacher } = request.args;
        return core.worksheet(lesson, language, JSON.stringify(scenario), isForTeacher);
      }
    }
  }

  #follow(given: Scenario): MeasureRunApi {
    const scenario = JSON.stringify(given);
    if (this.#followed?.scenario !== scenario) {
      this.#followed?.runs.free();
      this.#followed = null;
      this.#followed = { scenario, runs: this.#core.measure(scenario) };
    }
    return this.#followed.runs;
  }
}

function parsed(json: string): Result {
  return JSON.parse(json) as Result;
}
