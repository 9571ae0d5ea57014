// Writes beside the built page what others have made in it, and under which terms.
import path from 'node:path';
import { NOTICES, pageNotices } from '../scripts/lib/notices.mjs';

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
  const folders = new Set();
  const gather = (ids) => {
    for (const id of ids) {
      const folder = packageFolder(id);
      if (folder) folders.add(folder);
    }
  };
  // Of scripts what is left after bundling; of styles, which bring the letters, all.
  const look = (context, bundle) => {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type === 'chunk') {
        gather(
          Object.entries(chunk.modules).flatMap(([id, { renderedLength }]) =>
            renderedLength > 0 ? [id] : [],
          ),
        );
      }
    }
    gather([...context.getModuleIds()].filter((id) => /\.css($|\?)/.test(id)));
  };
  return {
    inWorkers: () => ({
      name: 'notices-of-workers',
      generateBundle(_, bundle) {
        look(this, bundle);
      },
    }),
    inPage: () => ({
      name: 'notices-of-the-page',
      apply: 'build',
      generateBundle(_, bundle) {
        look(this, bundle);
        this.emitFile({ type: 'asset', fileName: NOTICES, source: pageNotices([...folders]) });
      },
    }),
  };
}
