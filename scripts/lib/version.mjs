// The version of all released parts, and its changes.
import { readFileSync } from 'node:fs';
import { Failure } from './log.mjs';
import { inRoot } from './paths.mjs';

/** The version of the workspace: that of all crates, of the wheel and of the page. */
export function version() {
  const [, found] = /^\[workspace\.package\]\nversion = "([^"]+)"/m.exec(
    readFileSync(inRoot('Cargo.toml'), 'utf8'),
  );
  return found;
}

/** The date of a version and its section of the changelog, without the heading. */
export function changesOf(wanted) {
  const sections = readFileSync(inRoot('CHANGELOG.md'), 'utf8').split(/^## /m);
  for (const section of sections) {
    const [heading, ...lines] = section.split('\n');
    const [, found, date] = /^(\S+) - (\d{4}-\d{2}-\d{2})$/.exec(heading) ?? [];
    if (found === wanted) return { date, text: lines.join('\n').trim() };
  }
  throw new Failure(`CHANGELOG.md has no section "## ${wanted} - <date>".`);
}
