/**
 * Groups that are no threads, but the time of a CPU in which others had it, or of which a trace tells nothing. The core
 * names them (`OTHERS` in `sim-core/import/src/others.rs`); nothing else on the page looks at this name.
 */

/** Whether a group stands for others. */
export const isOthers = (group: { readonly name?: string } | undefined): boolean =>
  group?.name?.startsWith('others on CPU ') === true;

/** Groups as the page sees them: others belong to the background, as nobody asks what they did. */
export const withOthers = <G extends { readonly name?: string; readonly background: boolean }>(
  groups: readonly G[],
): readonly G[] =>
  groups.map((group) => (isOthers(group) ? { ...group, background: true } : group));
