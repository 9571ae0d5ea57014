/** How often each CPU changed its thread in the last drawn second: what the eye has to follow. */
import type { History } from '../../sim/history';

const SAMPLE_MS = 125;
const SAMPLES = 8;
/** Stands for "uncountably often": the trace had a gap while time went on. */
const MANY = 99;

/** Watches the switches of one lane. */
export class Churn {
  #samples: Float64Array[] = [];
  #lastMs = -Infinity;
  #generation = -1;
  #gapUntilMs = -Infinity;

  /** Switches per CPU in the last drawn second. */
  at(history: History, nowMs: number, isPlaying: boolean): Float64Array {
    const { switches } = history;
    if (!isPlaying) {
      // Paused: everything stands still and can be read.
      this.#samples = [];
      this.#generation = history.generation;
      return new Float64Array(history.cpus);
    }
    if (history.generation !== this.#generation) {
      if (this.#samples.length > 0) this.#gapUntilMs = nowMs + 1000;
      this.#generation = history.generation;
      this.#samples = [];
    }
    if (nowMs - this.#lastMs >= SAMPLE_MS) {
      this.#lastMs = nowMs;
      this.#samples.push(switches.slice());
      if (this.#samples.length > SAMPLES) this.#samples.shift();
    }
    const oldest = this.#samples[0];
    if (nowMs < this.#gapUntilMs) return new Float64Array(history.cpus).fill(MANY);
    return switches.map((n, cpu) => n - (oldest?.[cpu] ?? n));
  }
}
