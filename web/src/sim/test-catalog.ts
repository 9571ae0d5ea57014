/** A small catalog for tests of the readers; tests of the real one run the core itself. */
import type { Catalog } from './types/Catalog';

/** Columns and codes as the core has them, few of everything else. */
export const CATALOG: Catalog = {
  version: '0',
  scenarioVersion: 1,
  schedulers: [
    {
      id: 'bfs',
      name: 'BFS',
      summary: '',
      family: 'linux',
      niceMax: 19,
      queueShape: 'deadlineAxis',
      eras: [
        { id: '0.318', name: '0.318', summary: '', year: 2010, tunables: [] },
        { id: '0.512', name: '0.512', summary: '', year: 2016, tunables: [] },
      ],
      taskColumns: [{ id: 'deadlineNs', label: 'deadline', unit: 'ns' }],
      cpuColumns: [{ id: 'rqDeadlineNs', label: 'deadline', unit: 'ns' }],
    },
    {
      id: 'random',
      name: 'Random',
      summary: '',
      family: 'baseline',
      niceMax: 20,
      queueShape: 'perCpuFifo',
      eras: [{ id: 'any', name: 'any', summary: '', year: 2026, tunables: [] }],
      taskColumns: [],
      cpuColumns: [],
    },
  ],
  machines: ['i7860', 'i7980x'].map((id) => ({
    spec: {
      id,
      name: id,
      year: 2009,
      microarchitecture: '',
      purpose: '',
      clockMhz: 2800,
      caches: [],
      provenance: [],
      topology: {
        numbering: 'coresFirst',
        packages: [
          { count: 1, nodes: [{ count: 1, llcs: [{ count: 1, cores: [{ count: 2, smt: 2 }] }] }] },
        ],
      },
      memory: { localLatencyNs: 50, peakMbPerS: 10_000 },
      costs: { yieldNs: 1, switchNs: 1, tickNs: 1, kickNs: 1, idleExitNs: 1, idleExitDeepNs: 1 },
    },
    tree: {
      core: [0, 1, 0, 1],
      llc: [0, 0, 0, 0],
      node: [0, 0, 0, 0],
      package: [0, 0, 0, 0],
      thread: [0, 0, 1, 1],
    },
  })),
  behaviours: [],
  metrics: [],
  reasons: [],
  causes: ['work', 'sibling'].map((id) => ({ id, name: id, summary: '' })),
  traceKinds: ['wakeup', 'fork', 'switch', 'migrate'],
  frame: {
    header: [
      'layoutRevision',
      'nowNs',
      'cpus',
      'tasks',
      'queueRows',
      'cpuColumns',
      'taskColumns',
      'queueColumns',
      'finished',
      'traceSeq',
      'decisionSeq',
      'clockHz',
    ],
    cpu: ['curr', 'state'],
    task: ['state', 'cpu', 'group'],
    queue: ['queue', 'task', 'key', 'position'],
    trace: ['seq', 'atNs', 'kind', 'reason', 'cpu', 'task', 'other', 'decision'],
  },
  bounds: [],
  scenarios: [
    {
      id: 'bfs-smt',
      scenario: {
        version: 1,
        name: 'BFS and SMT',
        seed: 1,
        machine: 'i7860',
        schedulers: [{ id: 'bfs', tunables: { hz: 100 } }, { id: 'random' }],
        groups: [{ name: 'dhry', count: 4, behaviour: { kind: 'dhrystone' } }],
        end: { atNs: 1e10 },
      },
    },
  ],
};
