/** Runs a build again for each change, one at a time: changes made during a build are built next, all together. */
export class Rebuilder {
  #build;
  #isAsked = false;
  #running;

  /** `build` reports its failures itself. */
  constructor(build) {
    this.#build = build;
  }

  /** Says that something has changed. Resolves when nothing is left to build. */
  ask() {
    this.#isAsked = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #run() {
    while (this.#isAsked) {
      this.#isAsked = false;
      await this.#build();
    }
  }
}
