/** Which files this browser can make. */
import { FORMATS, type FilmFormat } from './choices';
import { codecFor } from './codecs';

/** Files that films of a size can be here. A GIF can be made anywhere. */
export async function possibleFormats(size: {
  readonly width: number;
  readonly height: number;
}): Promise<readonly FilmFormat[]> {
  const found = await Promise.all(
    FORMATS.map(async ({ id, fps }) =>
      id === 'gif' || (await codecFor(id, { ...size, fps })) !== null ? [id] : [],
    ),
  );
  return found.flat();
}
