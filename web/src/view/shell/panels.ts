/** The panels over the stage: closed at first, so they come after the first picture. */

/** What is simulated. */
export const setupPanel = () => import('../setup/SetupPanel.svelte');

/** What is selected. */
export const inspectPanel = () => import('../inspect/InspectPanel.svelte');

/** The line from an answer in it to the stage. */
export const whyLine = () => import('../explain/WhyLine.svelte');

/** Fetches them before somebody waits for one. */
export async function fetchPanels(): Promise<void> {
  await Promise.all([setupPanel(), inspectPanel(), whyLine()]);
}
