/** Features of the browser that the simulation needs. */

/** Whether the page has an origin, without which there are no workers, and whether WebAssembly is available. */
export function browserSupport(): {
  readonly hasOrigin: boolean;
  readonly hasWebAssembly: boolean;
} {
  const isPage = typeof location !== 'undefined';
  return {
    // A page from a file or from a notebook's blob has no origin either, but its workers are inside the page.
    hasOrigin: !isPage || self.origin !== 'null' || /^(file|blob):$/.test(location.protocol),
    hasWebAssembly: typeof WebAssembly === 'object',
  };
}
