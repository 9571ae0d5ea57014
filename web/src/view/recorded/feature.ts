/** Traces of real machines as lanes. */
import type { Feature } from '../feature';
import ReadingLine from './ReadingLine.svelte';
import RecordedCards from './RecordedCards.svelte';

export const recorded: Feature = {
  id: 'recorded',
  over: [ReadingLine, RecordedCards],
};
