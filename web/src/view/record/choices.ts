/** The choices for a film. */

/** File formats; the first is the one that most slide programs accept. */
export const FORMATS = [
  { id: 'mp4', name: 'MP4', about: 'for slides and programs', fps: 30 },
  { id: 'webm', name: 'WebM', about: 'for pages', fps: 30 },
  // GIFs have times in hundredths of a second.
  { id: 'gif', name: 'GIF', about: 'goes anywhere, larger', fps: 20 },
] as const;

/** A file format for films. */
export type FilmFormat = (typeof FORMATS)[number]['id'];

/** Sizes in pixels: even numbers, all with the same aspect ratio. */
export const SIZES = [
  { width: 1280, height: 720 },
  { width: 1920, height: 1080 },
  { width: 960, height: 540 },
] as const;
