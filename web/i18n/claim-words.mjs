// What the judge says of published claims and their figures, for the catalogs of the page. Its long sentences, what it found
// and what it suspects, stay English.
import { readFileSync } from 'node:fs';

/** Words of a figure, with those of its axes, lines and rows. */
function* ofFigure({ title, definition, x, y, series, rowLabels = [] }) {
  yield* [title, definition];
  for (const { label, unit } of [x, y, ...rowLabels]) yield* [label, unit];
  for (const { label, band, mark } of series) yield* [label, band?.label ?? '', mark?.label ?? ''];
}

/** All of them, each once: of a judge without results, and of the claims as they were judged. */
export function claimWords(judge, claims) {
  const of = (page) => [
    ...JSON.parse(judge.whatIfs(page)).map(({ label }) => label),
    ...JSON.parse(judge.figures(page)).flatMap((figure) => [...ofFigure(figure)]),
  ];
  const all = [
    ...claims.map(({ statement }) => statement),
    ...claims
      .flatMap(({ measures }) => measures)
      .flatMap(({ band = [] }) => band.map(({ what }) => what)),
    ...JSON.parse(judge.pages()).flatMap(({ id }) => of(id)),
  ];
  return [...new Set(all)].filter((text) => /\p{L}{2}/u.test(text));
}

/** The file that lists them. */
export const claimWordsFile = new URL('claim-words.json', import.meta.url);

/** Those in the file. */
export const knownClaimWords = () => JSON.parse(readFileSync(claimWordsFile, 'utf8'));
