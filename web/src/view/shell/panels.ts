/** The panels over the stage: closed at first, so they are loaded after the first picture. */

import { loadTexts } from '../schedulers/folder';

/** Setup. */
export const setupPanel = () => import('../setup/SetupPanel.svelte');

/** The editor of an own policy, which most readers never open. */
export const policyEditor = () => import('../policy/PolicyEditor.svelte');

/** Inspect, with the words for decisions. */
export const inspectPanel = () => withTexts(import('../inspect/InspectPanel.svelte'));

/** The queue of what is selected, while presenting. */
export const queueCard = () => withTexts(import('../inspect/QueueCard.svelte'));

/** The list of reasons to step to. */
export const reasonChooser = () => withTexts(import('../transport/ReasonChooser.svelte'));

/** The answer to a question, while presenting. */
export const presentedWhy = () => withTexts(import('../explain/PresentedWhy.svelte'));

/** The line from an open answer to the stage. */
export const whyLine = () => import('../explain/WhyLine.svelte');

async function withTexts<T>(panel: Promise<T>): Promise<T> {
  const [loaded] = await Promise.all([panel, loadTexts()]);
  return loaded;
}

/** Loads them in advance. */
export async function fetchPanels(): Promise<void> {
  await Promise.all([setupPanel(), inspectPanel(), queueCard(), presentedWhy(), whyLine()]);
}
