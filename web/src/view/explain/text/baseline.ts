/** Words for reasons that several schedulers share, and for the placements that are no scheduler. */
import type { Wordings } from '../reasons';

/** Sentences by reason code. */
export const BASELINE: Wordings = {
  idle: (s) => `Nobody waits that ${s.where} may run, so it goes idle.`,
  only_task: (s) => `${s.who} is the only thread that ${s.where} could run.`,
  pinned: (s) => `${s.who} may only run on ${s.where}.`,
  forced_by_edit: (s) => `A change by hand put ${s.who} on ${s.where}.`,
  manual_placement: (s) =>
    `${s.who} belongs on ${s.where}: one thread per core as long as there is a core without one. This is placement by hand, not a scheduler.`,
  random_placement: (s) =>
    `${s.who} drew ${s.where} by lot among the CPUs that nobody else was given. This is chance, not a scheduler.`,
  reshuffle: (s) => `All places were drawn anew, and ${s.who} got ${s.where}.`,
  slice_expired: (s) => `The slice of ${s.who} on ${s.where} is used up.`,
  alone_on_cpu: (s) => `The slice of ${s.who} is used up, but nobody else waits for ${s.where}.`,
  yielded: (s) => `${s.who} gave up ${s.where} of its own accord.`,
  already_signalled: (s) =>
    `${s.where} had been signalled before and has not come to it yet, so it is not signalled again.`,
};
