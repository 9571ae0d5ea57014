// The contents of the manual: its sections in order, and for each page its address and its text.

/**
 * A page: `id` is its address below manual/ without `.html`, and `file` is its text. Of a `brief` one the search
 * finds only headings.
 */
const page = (id, file, more = {}) => ({ id, file, ...more });
const own = (id) => page(id, `docs/manual/${id}.md`);

export const SECTIONS = [
  {
    name: 'Begin',
    pages: [page('index', 'docs/manual/README.md'), own('first-lecture'), own('glossary')],
  },
  {
    name: 'The page',
    pages: [
      own('start'),
      own('laboratory'),
      own('timelines'),
      own('panels'),
      own('why'),
      own('replications'),
      own('presenting'),
    ],
  },
  {
    name: 'Schedulers',
    pages: [
      page('schedulers/index', 'docs/manual/schedulers/README.md'),
      own('schedulers/ule'),
      own('schedulers/4bsd'),
      own('schedulers/eevdf'),
      own('schedulers/cfs'),
      own('schedulers/bfs'),
      own('schedulers/manual'),
      own('schedulers/random'),
    ],
  },
  {
    name: 'Make and share',
    pages: [
      own('scenario'),
      own('workloads'),
      own('sharing'),
      page('embedding', 'docs/embedding.md'),
      page('hosting', 'docs/hosting.md'),
      page('lessons', 'docs/lessons.md'),
    ],
  },
  {
    name: 'Programs',
    pages: [
      own('command-line'),
      own('record'),
      own('real'),
      own('changes'),
      own('policies'),
      own('measures'),
      page('python', 'docs/python.md'),
      page('sweeps', 'docs/sweeps.md'),
    ],
  },
  {
    name: 'Trust',
    pages: [
      own('trust'),
      own('obeys'),
      page('provenance', 'docs/provenance.md'),
      page('model', 'docs/model.md'),
      page('claims', 'docs/claims.md', { brief: true }),
      page('machines', 'docs/machines.md', { brief: true }),
      page('constants', 'docs/constants.md', { brief: true }),
      page('linux', 'docs/linux.md', { brief: true }),
    ],
  },
  {
    name: 'For schools',
    pages: [own('privacy'), own('accessibility'), own('conformance')],
  },
  {
    name: 'For developers',
    pages: [
      page('developers/architecture', 'ARCHITECTURE.md'),
      page('developers/contributing', 'CONTRIBUTING.md'),
      page('developers/newcomer', 'docs/newcomer.md'),
      page('developers/adding', 'docs/adding.md'),
      page('developers/safety', 'docs/safety.md'),
      page('developers/security', 'SECURITY.md'),
      page('developers/scaling', 'docs/scaling.md'),
      page('developers/changes', 'CHANGELOG.md', { brief: true }),
    ],
  },
];

/** All pages in the order of reading. */
export const PAGES = SECTIONS.flatMap(({ pages }) => pages);
