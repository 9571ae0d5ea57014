// The suites that ran, and the line that ends every output.
import { duration, heading } from './log.mjs';

export class Tally {
  #rows = [];

  /**
   * Records a suite. One that failed without a failed test (it did not compile, say) counts as one failure, so that
   * the sum shows it.
   */
  add(name, { passed = 0, failed = 0, ok, milliseconds }) {
    this.#rows.push({ name, passed, failed: ok ? failed : Math.max(failed, 1), milliseconds });
  }

  get passed() {
    return this.#rows.reduce((sum, row) => sum + row.passed, 0);
  }

  get failed() {
    return this.#rows.reduce((sum, row) => sum + row.failed, 0);
  }

  /** Prints the table, then the plain line, which must be the last one. */
  print(notRun = []) {
    heading('Summary');
    const width = Math.max(
      12,
      ...[...this.#rows.map((row) => row.name), ...notRun].map((s) => s.length),
    );
    for (const { name, passed, failed, milliseconds } of this.#rows) {
      const mark = failed ? 'FAILED' : 'ok';
      console.log(
        `  ${name.padEnd(width)}  ${mark.padEnd(6)}  ${String(passed).padStart(5)} passed  ` +
          `${String(failed).padStart(3)} failed  ${duration(milliseconds)}`,
      );
    }
    for (const name of notRun) console.log(`  ${name.padEnd(width)}  not run`);
    console.log(`\n${this.passed} passed, ${this.failed} failed`);
  }
}
