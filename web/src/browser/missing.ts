/**
 * Parts of the page that do not arrive. Vite says so by an event, whatever part it is, and so does `spawn.ts` of
 * workers. In an open page the reason is mostly that a newer version has replaced the files.
 */

const EVENT = 'vite:preloadError';

/** Why a part is not there: newer files are in its place, nothing answers, or the host lacks this one file. */
export type WhyMissing = 'newer' | 'network' | 'file';

let asking: Promise<WhyMissing> | null = null;

/** Finds out why a part is not there. The script of the service worker names all files, and is never kept itself. */
export function whyMissing(): Promise<WhyMissing> {
  asking ??= ask().finally(() => (asking = null));
  return asking;
}

async function ask(): Promise<WhyMissing> {
  const own = document.querySelector<HTMLScriptElement>('script[type="module"][src]');
  if (__SINGLE_FILE__ || !__SERVICE_WORKER__ || !own) return 'file';
  try {
    const answer = await fetch('./sw.js', { cache: 'no-store' });
    const isOurs = (await answer.text()).includes(own.src.replace(/.*\//, ''));
    return answer.ok && !isOurs ? 'newer' : 'file';
  } catch {
    return 'network';
  }
}

/** Calls back when a part of the page did not arrive. */
export function onMissing(tell: (why: WhyMissing) => void): void {
  addEventListener(EVENT, () => void whyMissing().then(tell));
}

/** Says that a part that Vite does not load itself did not arrive. */
export function reportMissing(): void {
  dispatchEvent(new Event(EVENT));
}
