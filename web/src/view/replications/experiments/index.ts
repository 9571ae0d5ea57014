/** The pages, one line each, in the order of the gallery. */
import { EEVDF } from './eevdf';
import { QUEUEING } from './queueing';
import { S0_V890, S0_XEON } from './s0';
import { S1 } from './s1';
import { S2A, S2B } from './s2';
import { S2C, S2D, S2E } from './s2-cores';
import { S3 } from './s3';
import { S4 } from './s4';
import type { ExperimentPage } from './types';

export const PAGES: readonly ExperimentPage[] = [
  S0_V890,
  S0_XEON,
  S1,
  S2A,
  S2B,
  S2C,
  S2D,
  S2E,
  S3,
  S4,
  EEVDF,
  QUEUEING,
];
