/** How an embedded page looks: what its link says about parts and controls. */
import type { LinkView, Part, View } from '../link/view';

type Embedding = Pick<LinkView, 'lane' | 'embed' | 'show' | 'hide' | 'lock' | 'play'>;

/** The options of the link for the frame. */
export class Look {
  view = $state.raw<Embedding>({});
  /** Embedded in another page: without bar and panels. */
  readonly isEmbedded = $derived(this.view.embed === true);
  /** Nothing can be changed; time can. */
  readonly isLocked = $derived(this.view.lock === true);
  /** The part of the lanes that is shown. */
  readonly show = $derived<View>(this.view.show ?? 'all');

  /** The only lane that is shown, from 0; null for all. */
  readonly lane = $derived(this.isEmbedded ? (this.view.lane ?? null) : null);

  /** Takes over what a link says. */
  take({ lane, embed, show, hide, lock, play }: LinkView): void {
    this.view = {
      ...(embed && lane !== undefined ? { lane } : {}),
      ...(embed ? { embed } : {}),
      ...(show ? { show } : {}),
      ...(hide ? { hide } : {}),
      ...(lock ? { lock } : {}),
      ...(play ? { play } : {}),
    };
  }

  /** Whether a part of the page is visible. */
  has(part: Part): boolean {
    if (this.view.hide?.includes(part)) return false;
    return !this.isEmbedded || part === 'transport';
  }
}
