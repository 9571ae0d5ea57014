/** Number of processors that the browser reports; 1 where it reports none. */
export function processors(): number {
  return typeof navigator === 'undefined' ? 1 : navigator.hardwareConcurrency;
}
