// The data of the published claims as one file, as the page loads them: the files of `scenarios/claims/`, and what their
// runs are made of and are compared with.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { inRoot } from './paths.mjs';

/** What of a file only people read. */
const texts = {
  claims: [],
  experiments: ['ask', 'opening', 'answer', 'controls', 'moments', 'thumb', 'try'],
  machines: ['provenance'],
  published: [],
};

/** JSON, an object of files by their paths below `scenarios/`, without their endings. */
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
