/** What can be chosen for a film. */

/** Files, the one that most programs for slides take first. */
export const FORMATS = [
  { id: 'mp4', name: 'MP4', about: 'for slides and programs', fps: 30 },
  { id: 'webm', name: 'WebM', about: 'for pages', fps: 30 },
  // Times of GIFs are hundredths of a second.
  { id: 'gif', name: 'GIF', about: 'goes anywhere, larger', fps: 20 },
] as const;

/** A file that a film can be. */
export type FilmFormat = (typeof FORMATS)[number]['id'];

/** Sizes in pixels: even numbers, all of one form. */
export const SIZES = [
  { width: 1280, height: 720 },
  { width: 1920, height: 1080 },
  { width: 960, height: 540 },
] as const;
