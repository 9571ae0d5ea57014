/** How many processors the browser says there are; one where it says nothing. */
export function processors(): number {
  return typeof navigator === 'undefined' ? 1 : navigator.hardwareConcurrency;
}
