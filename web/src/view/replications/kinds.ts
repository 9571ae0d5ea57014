/** Kinds of claims, of published numbers and of what became of runs, as people say them. */
import type { Evaluation, Provenance } from '../../state/replications/replication.svelte';
import type { Row } from '../../state/replications/sweep-rows';

/** What a claim is held against. */
export const CLAIM_KINDS: Readonly<Record<Evaluation['kind'], string>> = {
  validation: 'validation',
  calibration: 'calibration',
  verification: 'verification',
};

/** How published numbers came about; without a word they are published, and that is all that is known. */
export const PROVENANCES: Readonly<Record<Provenance, string>> = {
  measured: 'measured',
  stated: 'stated',
  inferred: 'inferred',
  theory: 'theory',
  '': 'published',
};

/** What became of a run. */
export const RUN_STATES: Readonly<Record<Row['status'], string>> = {
  ok: 'ok',
  invalid: 'invalid',
  failed: 'failed',
  waiting: 'waiting',
};
