/**
 * Words for the placements that are no scheduler: by hand and by lot. Each CPU has a queue of its
 * own, each thread a CPU that it was given, and threads of one CPU take turns.
 */
import type { Wordings } from '../reasons';

/** Sentences by reason code. */
export const BASELINE: Wordings = {
  forced_by_edit: (s) => `A change by hand put ${s.who} on ${s.where}.`,
  home_cpu: (s) => `${s.who} was given ${s.where} and wakes there, whatever else is idle.`,
  idle_cpu: (s) => `${s.who} wakes on ${s.where}, which is idle.`,
  next_in_line: (s) => `${s.who} is next in line on ${s.where}: threads of one CPU take turns.`,
  slice_expired: (s) =>
    `${s.who} has run for ${s.op('ran')} of its ${s.op('slice')} on ${s.where}; now it is the turn of the next in line.`,
  fixed_placement: (s) => `${s.who} goes to ${s.where}, the CPU that it was given.`,
  reshuffle: (s) => `All places were drawn anew by lot, and ${s.who} got ${s.where}.`,
};
