/**
 * Why claims do not hold, each in one sentence: the beginning of what their files suspect. That text is longer, and
 * English only.
 */
const WHYS: Readonly<Record<string, string>> = {
  J2: '4BSD of 2013 knows no hyper-threads: two of three processes share a core, and under ULE none do.',
  J3: 'A switch costs the same under both schedulers here, and 4BSD switches only a little more often.',
  J9: 'ULE finds a core for each of two to four processes here, in every run.',
  J11: 'Under 4BSD only the last turns are uneven: half a percent of 18 s.',
  J14: 'ULE finds a core for each of two to four processes here, in every run.',
  J20: 'Under 4BSD processes change cores at nearly every turn here, and load 4 MiB anew.',
  J25: 'The memory bus carries the same total here, however many processes stream at once.',
  J26: 'Under 4BSD only the last turns are uneven, and these are 0.2 % of the time.',
  'X32-T': 'Two of three processes share a core under 4BSD; ULE gives each a core of its own.',
  'X4-C':
    'Chance decides with four processes: the interval over five seeds is wider than the bound.',
  'X32-E': 'Under 4BSD only the last turns are uneven here.',
  S1a: 'What makes 4BSD slower with 5000 processes is not known; fork and wait are not the cause.',
  S1c: 'What fork and wait take is a supposition, and it decides.',
  S1d: 'What a fork takes is a supposition, and it decides.',
  S1f: 'Two suppositions decide: the latency of memory, and what fork and wait take.',
  S1g: 'ULE before the patch is not modelled: what runs here is the ULE after it.',
  S1h: 'A lock that nobody else holds costs nothing of its own in this model.',
  S2c: 'How the cores lie and how far apart threads were forked is not published; the moves depend on both.',
  S2d: 'ULE takes the least loaded core on which the thread runs at once, not the least loaded of all.',
  S2f: 'A sleeper counts as interactive only once it has slept, so the first twenty go first ever after.',
  'S3-series': 'The patches were an earlier version than those of the later table.',
  W4: 'With five and six instances CFS itself moves about a hundred in a minute.',
  'E-short-size': 'In the model the rule leaves a thread of so short a slice hardly any wait.',
  'E-lag-asked':
    'A request ends at the first tick after its use: at 250 Hz it lasts 4 ms, not 2.8.',
};

/** Why a claim does not hold, in one sentence in the language of the page; empty if nobody wrote it. */
export const whyOf = (id: string): string => WHYS[id] ?? '';
