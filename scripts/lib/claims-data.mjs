// The data of the published claims as one file, as the page loads them: the files of `scenarios/claims/`, with the
// inputs of their runs and the published values.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { inRoot } from './paths.mjs';

/** Texts that only people read. */
const texts = {
  claims: [],
  experiments: ['ask', 'opening', 'answer', 'controls', 'moments', 'thumb', 'try'],
  machines: ['provenance'],
  published: [],
};

/** JSON: an object of files by path below `scenarios/`, without extensions. */
export function claimsData() {
  const files = Object.entries(texts).flatMap(([folder, left]) =>
    readdirSync(inRoot('scenarios', folder))
      .sort()
      .map((file) => {
        const value = JSON.parse(readFileSync(inRoot('scenarios', folder, file), 'utf8'));
        for (const key of left) delete value[key];
        return [`${folder}/${path.parse(file).name}`, value];
      }),
  );
  return JSON.stringify(Object.fromEntries(files));
}
