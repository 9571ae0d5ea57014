/** Sentences far enough apart for a screen reader. */

/**
 * Tells at most one sentence in `everyMs`. Of the sentences that come meanwhile, the newest is told when that time
 * is over, unless `stop` comes first.
 */
export function apart(
  everyMs: number,
  tell: (sentence: string) => void,
): { readonly speak: (sentence: string) => void; readonly stop: () => void } {
  let lastMs = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    clearTimeout(timer);
  };
  const speak = (sentence: string) => {
    stop();
    const now = () => {
      lastMs = performance.now();
      tell(sentence);
    };
    const wait = lastMs + everyMs - performance.now();
    if (wait <= 0) now();
    else timer = setTimeout(now, wait);
  };
  return { speak, stop };
}
