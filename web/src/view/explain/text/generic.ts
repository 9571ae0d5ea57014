/** Words for a reason that nobody has worded yet: its code and its operands, so that nothing is hidden. */
import type { Said } from '../reasons';

/** A sentence from the code alone. */
export function generic(s: Said): string {
  const code = s.decision.reason.replaceAll('_', ' ');
  const operands = s.decision.operands
    .filter((o) => o.name !== '')
    .map((o) => `${o.name} ${s.op(o.name)}`);
  const about = [
    s.decision.task === null ? '' : s.who,
    s.decision.cpu === null ? '' : `on ${s.where}`,
  ]
    .filter(Boolean)
    .join(' ');
  return `${about === '' ? '' : `${about}: `}${code}${operands.length > 0 ? ` (${operands.join(', ')})` : ''}.`;
}
