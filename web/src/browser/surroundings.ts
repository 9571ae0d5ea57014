/** What of the browser may be the reason that the simulation cannot run. */

/** Whether the page has an origin, without which there are no workers, and whether there is WebAssembly. */
export function surroundings(): { readonly hasOrigin: boolean; readonly hasWebAssembly: boolean } {
  const isPage = typeof location !== 'undefined';
  return {
    // A page from a disk has none either, nor one from a blob in a notebook, but its workers are inside it.
    hasOrigin: !isPage || self.origin !== 'null' || /^(file|blob):$/.test(location.protocol),
    hasWebAssembly: typeof WebAssembly === 'object',
  };
}
