// Writes beside the built page what others have made in it, and under which terms.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { NOTICES, pageNotices } from '../scripts/lib/notices.mjs';
import { inRoot } from '../scripts/lib/paths.mjs';

/** The folder of the npm package that a module is in, or undefined. */
export function packageFolder(id) {
  const [file] = id.replace(/^\0+/, '').split('?');
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file.split(path.sep).join('/'))?.[0];
}

/**
 * Two plugins that belong together: `inWorkers` sees the bundles of workers, `inPage` that of the page, which is the last
 * one, and writes the file.
 */
export function notices() {
  // What package.json calls a dependency is in the page; letters are, and no module shows them.
  const { dependencies } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  const folders = new Set(
    Object.keys(dependencies).map((name) => inRoot('node_modules', ...name.split('/'))),
  );
  const gather = (ids) => {
    for (const id of ids) {
      const folder = packageFolder(id);
      if (folder) folders.add(folder);
    }
  };
  // What is left after bundling.
  const look = (bundle) => {
    for (const { type, modules } of Object.values(bundle)) {
      if (type === 'chunk')
        gather(Object.keys(modules).filter((id) => modules[id].renderedLength > 0));
    }
  };
  return {
    inWorkers: () => ({
      name: 'notices-of-workers',
      generateBundle(_, bundle) {
        look(bundle);
      },
    }),
    inPage: () => ({
      name: 'notices-of-the-page',
      apply: 'build',
      generateBundle(_, bundle) {
        look(bundle);
        this.emitFile({ type: 'asset', fileName: NOTICES, source: pageNotices([...folders]) });
      },
    }),
  };
}
