// Work that the user waits for, with the remaining time: set-up and builds announce their durations beforehand.
import { duration, note } from './log.mjs';

/** Seconds in words, rounded: half a minute does not matter to someone who waits for minutes. */
export function roughly(seconds) {
  if (seconds < 60) return `about ${Math.max(5, 5 * Math.round(seconds / 5))} s`;
  const halves = Math.round(seconds / 30);
  const [minutes, half] = [Math.floor(halves / 2), halves % 2 === 1];
  return `about ${minutes}${half ? '.5' : ''} min`;
}

const list = (words) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

/**
 * Work in stages: works of a stage run side by side, and a stage begins when the one before ends. Work that was not
 * planned belongs to the present stage.
 */
export class Waiting {
  #works = new Map();
  #now;

  constructor(now = Date.now) {
    this.#now = now;
  }

  /** Announces work that takes about this many seconds. */
  plan(what, seconds, stage) {
    this.#works.set(what, { seconds, stage, began: null });
  }

  begin(what, seconds) {
    const known = this.#works.get(what);
    const stage = known?.stage ?? this.#stages()[0] ?? 0;
    this.#works.set(what, { seconds: seconds ?? known?.seconds, stage, began: this.#now() });
  }

  end(what) {
    this.#works.delete(what);
  }

  #stages() {
    return [...new Set([...this.#works.values()].map((w) => w.stage))].sort((a, b) => a - b);
  }

  /** Remaining time of one work; undefined if unknown: not announced, or overdue. */
  #left({ seconds, began }) {
    if (began === null) return seconds;
    const left = seconds - (this.#now() - began) / 1000;
    return left > 0 ? left : undefined;
  }

  /** Remaining time of everything: the longest of each stage. Overdue work counts as 0. */
  secondsLeft() {
    let sum = 0;
    for (const stage of this.#stages()) {
      const of = [...this.#works.values()].filter((w) => w.stage === stage);
      sum += Math.max(...of.map((w) => this.#left(w) ?? 0));
    }
    return sum;
  }

  /** Names and works, those of earlier stages first. */
  #inOrder() {
    return [...this.#works].sort(([, a], [, b]) => a.stage - b.stage);
  }

  /** Planned work in words, or undefined. */
  planned() {
    const names = this.#inOrder().map(([what]) => what);
    if (names.length === 0) return undefined;
    return `to do: ${list(names)}; ${roughly(this.secondsLeft())} in all`;
  }

  /** Present and future work in words, or undefined. */
  line() {
    const under = this.#inOrder().filter(([, w]) => w.began !== null);
    if (under.length === 0) return undefined;
    const words = under.map(([what, work]) => {
      const left = this.#left(work);
      if (left !== undefined) return `${what} (${roughly(left)} left)`;
      return `${what} (${duration(this.#now() - work.began)} up to now)`;
    });
    const later = this.#inOrder()
      .filter(([, w]) => w.began === null)
      .map(([what]) => what);
    const then = later.length > 0 ? `; then ${list(later)}` : '';
    const rest = this.secondsLeft();
    // Nobody knows how long overdue work will take.
    const isLate = under.some(([, work]) => this.#left(work) === undefined);
    const beside = rest > 0 ? `; beside that ${roughly(rest)} left` : '';
    const sum = isLate ? beside : `; ${roughly(rest)} left in all`;
    return `waiting for ${list(words)}${then}${sum}`;
  }
}

export const waiting = new Waiting();

let pulse = null;
let running = 0;

/** Does work that the user waits for, and reports present work every 15 s. */
export async function whileWaiting(what, seconds, work) {
  waiting.begin(what, seconds);
  running += 1;
  pulse ??= setInterval(() => note(waiting.line() ?? 'waiting'), 15_000);
  try {
    return await work();
  } finally {
    waiting.end(what);
    running -= 1;
    if (running === 0) {
      clearInterval(pulse);
      pulse = null;
    }
  }
}
