/** The system's settings for colours and motion. */

/** Whether a media query matches now; calls back when that changes. Without a page nothing matches. */
export function follows(query: string, changed: (matches: boolean) => void): boolean {
  if (typeof matchMedia !== 'function') return false;
  const media = matchMedia(query);
  media.addEventListener('change', ({ matches }) => {
    changed(matches);
  });
  return media.matches;
}
