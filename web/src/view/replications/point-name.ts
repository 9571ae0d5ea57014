/** The name of a point that is opened on the stage. */

/** As much as a scenario's name may have, in bytes. */
const MOST_BYTES = 80;

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** The title and the point; a title that is too long loses its last words, never the point. */
export function pointName(title: string, point: string): string {
  const words = title.split(' ');
  const named = () => `${words.join(' ')} …${point}`;
  if (bytesOf(title + point) <= MOST_BYTES) return title + point;
  while (words.length > 1 && bytesOf(named()) > MOST_BYTES) words.pop();
  return named();
}
