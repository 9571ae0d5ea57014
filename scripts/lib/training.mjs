// The runs from which the native program's profile is made: shipped scenarios, and pairs of a machine and a
// scheduler. None of them is a row of `npm run measure bench`, whose speed would otherwise prove nothing.

/** The scenario from which the benchmarks' yield storms are made. */
const MEASURED_SCENARIOS = ['s1-yield-storm'];

/** Machines of benchmarks, with the schedulers that run on them there. */
const MEASURED_PAIRS = { i7860: ['bfs', 'cfs'], v890: ['cfs'], epyc9654: ['bfs'] };

/** A mixed scenario for every machine, each with as many schedulers as a scenario may have, in turn. */
export function pairs({ schedulers, machines }) {
  const ids = schedulers.map((s) => s.id);
  let next = 0;
  return machines.map((machine) => {
    const taken = MEASURED_PAIRS[machine] ?? [];
    const lanes = [];
    while (lanes.length < 3) {
      const id = ids[next % ids.length];
      next += 1;
      if (!taken.includes(id)) lanes.push({ id });
    }
    return {
      version: 1,
      name: `training on ${machine}`,
      machine,
      schedulers: lanes,
      groups: [
        { name: 'hog', count: 20, behaviour: { kind: 'dhrystone' } },
        { name: 'sweep', count: 12, behaviour: { kind: 'loop' }, workingSetBytes: 3 << 20 },
        { name: 'chase', count: 6, behaviour: { kind: 'chase' }, workingSetBytes: 20 << 20 },
        { name: 'program', count: 20, behaviour: { kind: 'compute' } },
        { name: 'person', count: 10, behaviour: { kind: 'interactive' } },
      ],
      background: { daemons: {}, kernelThreads: {} },
      end: { atNs: 2_000_000_000 },
    };
  });
}

/** The shipped scenarios that are not benchmarks. */
export const shipped = ({ scenarios }) =>
  scenarios.filter((id) => !MEASURED_SCENARIOS.includes(id));
