import type { Address } from '../../state/address.svelte';

/** Follows a link of the page without loading it anew. The browser handles another tab or window. */
export function follow(event: MouseEvent, address: Address, fragment: string): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  void address.go(fragment);
}
