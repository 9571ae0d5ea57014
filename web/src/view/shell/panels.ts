/** The panels over the stage: closed at first, so they are loaded after the first picture. */

/** What is simulated. */
export const setupPanel = () => import('../setup/SetupPanel.svelte');

/** What is selected. */
export const inspectPanel = () => import('../inspect/InspectPanel.svelte');

/** The line from an open answer to the stage. */
export const whyLine = () => import('../explain/WhyLine.svelte');

/** Loads them in advance. */
export async function fetchPanels(): Promise<void> {
  await Promise.all([setupPanel(), inspectPanel(), whyLine()]);
}
