/** Films and pictures of the stage. */
import type { Feature } from '../feature';

export const record: Feature = {
  id: 'record',
  share: [{ name: 'Record', load: () => import('./RecordPart.svelte') }],
};
