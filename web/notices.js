// Writes the notices of third-party components and their licences beside the built page.
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
 * Two plugins that belong together: `inWorkers` collects the bundles of workers. `inPage` collects that of the page,
 * which is the last one, and writes the file.
 */
export function notices(hasPolicies = false) {
  // Dependencies of package.json are in the page; fonts are, too, but are not among the modules.
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
        const source = pageNotices([...folders], hasPolicies);
        this.emitFile({ type: 'asset', fileName: NOTICES, source });
      },
    }),
  };
}
