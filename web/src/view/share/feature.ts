/** The page as a link, as files, and inside other pages. */
import type { Feature } from '../feature';

export const share: Feature = {
  id: 'share',
  share: [
    { name: 'Link', load: () => import('./LinkPart.svelte'), isWide: true },
    { name: 'File', load: () => import('./FilePart.svelte') },
    { name: 'Embed', load: () => import('./EmbedPart.svelte') },
    { name: 'Data', load: () => import('./DataPart.svelte') },
  ],
};
