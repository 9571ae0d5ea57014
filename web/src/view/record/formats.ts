/** The file formats that this browser can make. */
import { FORMATS, type FilmFormat } from './choices';
import { codecFor } from './codecs';

/** The formats for films of a size. Every browser can make a GIF. */
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
