/** Terms that the page uses in one sense, and a scenario that shows each of them. Features bring terms of their own. */

export interface Term {
  readonly word: string;
  readonly meaning: string;
  /** Id of a shipped scenario. */
  readonly seenIn: string;
}

/** Terms of no feature. */
export const TERMS: readonly Term[] = [
  { word: 'lane', meaning: 'a scheduler with its own run', seenIn: 's4-dhrystone' },
  { word: 'CPU', meaning: 'what the system lists: cpu 0, cpu 1', seenIn: 'bfs-smt' },
  { word: 'core', meaning: 'one or two CPUs that share what they compute with', seenIn: 'bfs-smt' },
  { word: 'sibling', meaning: 'the other CPU of a core (SMT, hyper-threading)', seenIn: 's0-xeon' },
  { word: 'thread', meaning: 'what runs on a CPU, one at a time', seenIn: 's0-v890' },
  {
    word: 'daemon',
    meaning: 'a background thread that sleeps most of the time',
    seenIn: 'bfs-smt',
  },
  { word: 'move', meaning: 'a change of CPU; migration in tables', seenIn: 's0-v890' },
  { word: 'slice', meaning: 'time until the scheduler looks again', seenIn: 's0-v890' },
  { word: 'switch', meaning: 'another thread on a CPU', seenIn: 's1-yield-storm' },
  { word: 'queue', meaning: 'the threads that wait', seenIn: 's0-v890' },
  { word: 'wait', meaning: 'ready, but not running', seenIn: 's2a-interactive-batch' },
  { word: 'steal', meaning: 'an idle CPU takes a thread that waits', seenIn: 's2c-512-threads' },
  {
    word: 'balance',
    meaning: 'a clock moves threads to even out queues',
    seenIn: 's2c-512-threads',
  },
  { word: 'refuse', meaning: 'a CPU may not take a thread that waits', seenIn: 's0-v890' },
  { word: 'share', meaning: 'CPU time divided by time', seenIn: 's3-nice' },
  { word: 'slowdown', meaning: 'speed lost while running', seenIn: 's4-dhrystone' },
  {
    word: 'nice',
    meaning: 'a wish, from −20 to 20, to be served sooner or later',
    seenIn: 's3-nice',
  },
  {
    word: 'preemption',
    meaning: 'a thread has to leave for another',
    seenIn: 's2b-request-server',
  },
  { word: 'affinity', meaning: 'which CPUs a thread may run on', seenIn: 's2c-512-threads' },
  {
    word: 'working set',
    meaning: 'the bytes that a thread uses again and again',
    seenIn: 's0-v890',
  },
  {
    word: 'lag',
    meaning: 'service that a thread is owed, or ahead of (EEVDF)',
    seenIn: 'cfs-eevdf',
  },
];
