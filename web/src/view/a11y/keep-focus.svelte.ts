/** A control that takes the place of another one takes its focus as well, so that a keyboard is not thrown off the page. */
import { tick, untrack } from 'svelte';

/** Call while a component is made. `control` is the one of the two that stands now; `which` says which it is. */
export function keepFocus(which: () => unknown, control: () => HTMLElement | undefined): void {
  $effect.pre(() => {
    which();
    const hadFocus = untrack(() => control() !== undefined && document.activeElement === control());
    if (hadFocus) void tick().then(() => control()?.focus());
  });
}
