// All lessons as one file, as the page loads them: `scenarios/lessons/<id>.json`, with scenarios and translations,
// sorted by name.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { inRoot } from './paths.mjs';

const read = (...parts) =>
  JSON.parse(readFileSync(inRoot('scenarios', 'lessons', ...parts), 'utf8'));

/** The languages of a list of lessons: English, and those that some lessons also have. */
export function languagesOf(text) {
  const others = JSON.parse(text).flatMap(({ translations }) => Object.keys(translations));
  return [...new Set(['en', ...others])];
}

/** JSON, a list of `{ id, lesson, scenario, translations: { language: texts } }`. */
export function allLessons() {
  const names = readdirSync(inRoot('scenarios', 'lessons')).map((file) => path.parse(file));
  const translated = names.filter(({ ext, name }) => ext === '.json' && name.includes('.'));
  const ids = names
    .filter(({ ext, name }) => ext === '.json' && !name.includes('.') && name !== 'schema')
    .map(({ name }) => name)
    .sort();
  return JSON.stringify(
    ids.map((id) => ({
      id,
      lesson: read(`${id}.json`),
      scenario: read('scenarios', `${id}.json`),
      translations: Object.fromEntries(
        translated
          .filter(({ name }) => name.startsWith(`${id}.`))
          .map(({ base, name }) => [name.slice(id.length + 1), read(base)]),
      ),
    })),
  );
}
