/**
 * Who changes the document next. Changes, undo and forks take turns: each finds the document as the one before left
 * it. What opens waits for all of them, and holds those that come later.
 */

interface Turn {
  /** Turns with the same key replace each other while they wait. */
  readonly key: string | null;
  work: () => Promise<void>;
  readonly done: Promise<void>;
  readonly end: () => void;
}

/** See the module comment. */
export class Turns {
  readonly #track: (work: () => Promise<void>) => Promise<void>;
  #waiting: Turn[] = [];
  #current: Turn | null = null;
  #isBusy = false;
  /** Openings under way. */
  #holding = 0;
  #wake: () => void = () => undefined;

  /** `track` carries out work; it never rejects because something newer was opened. */
  constructor(track: (work: () => Promise<void>) => Promise<void>) {
    this.#track = track;
  }

  /** Carries out work when its turn comes; resolves when that is done or dropped. */
  take(work: () => Promise<void>, key: string | null = null): Promise<void> {
    // It replaces only changes: what was asked for between the two keeps its place.
    const last = this.#waiting.findLastIndex((turn) => turn.key === null);
    const same = this.#waiting.slice(last + 1).find((turn) => turn.key === key);
    if (same && key !== null) {
      same.work = work;
      return same.done;
    }
    let end = (): void => undefined;
    const done = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#waiting.push({ key, work, done, end });
    if (!this.#isBusy) void this.#track(() => this.#work());
    return done;
  }

  /** Drops the changes that wait. */
  drop(): void {
    const dropped = this.#waiting.filter(({ key }) => key !== null);
    this.#waiting = this.#waiting.filter(({ key }) => key === null);
    for (const { end } of dropped) end();
  }

  /** Resolves when no turn waits; at once while something is opened, as turns wait for that. */
  async done(): Promise<void> {
    for (let last = this.#last; last; last = this.#last) await last.done;
  }

  /** The last turn that something new has to wait for. */
  get #last(): Turn | null {
    return this.#holding > 0 ? null : (this.#waiting.at(-1) ?? this.#current);
  }

  /** Opens something after all turns; meanwhile no turn begins. */
  async hold(open: () => Promise<void>): Promise<void> {
    for (let last = this.#last; last; last = this.#last) await last.done;
    this.#holding += 1;
    try {
      await open();
    } finally {
      this.#holding -= 1;
      if (this.#holding === 0) this.#wake();
    }
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    try {
      for (;;) {
        while (this.#holding > 0)
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        const next = this.#waiting.shift();
        if (!next) break;
        this.#current = next;
        try {
          await this.#track(next.work);
        } finally {
          this.#current = null;
          next.end();
        }
      }
    } finally {
      this.#isBusy = false;
    }
  }
}
