/** What the page says to people who do not see it, or who look elsewhere: the newest sentence, and the announced event. */
import type { Announced } from './selection.svelte';

export class Speech {
  /** The newest sentence for screen readers; the announcer decides when it is spoken. */
  spoken = $state('');
  /** The last announced event, and the question that asks why it happened. */
  announced = $state.raw<Announced | null>(null);

  /** Speaks a sentence to users of screen readers. */
  say(text: string): void {
    this.spoken = text;
  }
}
