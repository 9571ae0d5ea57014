/** Sentences for the user that do not belong to one control. */

/** A sentence, perhaps with an action. */
export interface Notice {
  readonly id: number;
  readonly tone: 'info' | 'warning';
  readonly text: string;
  readonly action: { readonly label: string; readonly run: () => void } | null;
}

const MAX = 4;

/** The notices that are on the page. */
export class Notices {
  list = $state.raw<readonly Notice[]>([]);
  #next = 1;

  /** Shows a notice; it replaces one with the same sentence. */
  show(tone: Notice['tone'], text: string, action: Notice['action'] = null): void {
    const others = this.list.filter((n) => n.text !== text);
    this.list = [...others, { id: this.#next++, tone, text, action }].slice(-MAX);
  }

  /** Takes a notice away. */
  dismiss(id: number): void {
    this.list = this.list.filter((n) => n.id !== id);
  }
}
