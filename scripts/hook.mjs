// npm run hook: git then runs the static checks before each commit in this clone. This is optional: `npm run hook --
// --off` removes it, and `git commit --no-verify` skips it once.
import { runIfEntry } from './lib/entry.mjs';
import { Failure, note } from './lib/log.mjs';
import { run } from './lib/run.mjs';

const FOLDER = '.githooks';

await runIfEntry(import.meta.url, async (args) => {
  const off = args.includes('--off');
  const change = off ? ['--unset', 'core.hooksPath', `^${FOLDER}$`] : ['core.hooksPath', FOLDER];
  const { code, output } = await run(['git', 'config', '--local', ...change]);
  // 5: there was nothing to remove.
  if (code !== 0 && !(off && code === 5)) throw new Failure(`${output}\ngit refuses.`);
  note(off ? 'nothing runs before a commit' : `${FOLDER}/pre-commit runs before each commit`);
});
