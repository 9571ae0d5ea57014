/** Sentences far enough apart for a screen reader. */

/**
 * Tells at most one sentence in `everyMs`. Of the sentences that come meanwhile, the newest is told when that time
 * is over.
 */
export function apart(
  everyMs: number,
  tell: (sentence: string) => void,
): (sentence: string) => void {
  let lastMs = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (sentence) => {
    clearTimeout(timer);
    const now = () => {
      lastMs = performance.now();
      tell(sentence);
    };
    const wait = lastMs + everyMs - performance.now();
    if (wait <= 0) now();
    else timer = setTimeout(now, wait);
  };
}
