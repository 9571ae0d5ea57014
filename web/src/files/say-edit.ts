/** An edit in words. */
import { bytes, exactDuration, nice } from '../lib/format';
import type { Edit } from '../sim/types/Edit';
import type { Target } from '../sim/types/Target';

function who(target: Target): string {
  return target.thread ?? target.group ?? 'all threads';
}

/** An edit in words, for marks and lists. */
export function sayEdit(edit: Edit): string {
  switch (edit.kind) {
    case 'setNice':
      return `nice of ${who(edit.target)} to ${nice(edit.nice)}`;
    case 'setSlice':
      return edit.sliceNs === 0
        ? `no slice of their own for ${who(edit.target)}`
        : `slice of ${who(edit.target)} to ${exactDuration(edit.sliceNs)}`;
    case 'setWorkingSet':
      return `working set of ${who(edit.target)} to ${bytes(edit.bytes)}`;
    case 'pin':
      return `${who(edit.target)} pinned to cpu ${edit.cpus.join(', ')}`;
    case 'unpin':
      return `${who(edit.target)} unpinned`;
    case 'spawn':
      return `${String(edit.count)} more of ${edit.group}`;
    case 'kill':
      if (edit.target.thread !== undefined) return `${edit.target.thread} ended`;
      return `${edit.count === undefined ? 'all' : String(edit.count)} of ${who(edit.target)} ended`;
    case 'pause':
      return `${who(edit.target)} stopped`;
    case 'resume':
      return `${who(edit.target)} let go on`;
    case 'copy':
      return `one more like ${edit.thread}`;
    case 'setTunable':
      // @wc-context: a change
      return `${edit.id} to ${String(edit.value)}`;
  }
}
