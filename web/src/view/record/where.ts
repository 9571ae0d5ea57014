/** Where a film or a picture of the stage comes from: the run and its time, and the link that brings it back. */
import { addressOf } from '../../browser/address-bar';
import type { Lab } from '../../state/lab.svelte';
import { runLine } from '../figure/save';
import type { SayWhere } from './stage-painter';

/** The same link for all pictures of a film: to the moment at which it begins. */
export async function whereFrom(lab: Lab, fromNs: number): Promise<SayWhere> {
  const { address } = lab;
  const { page } = address;
  const begin = page && { ...page, t: fromNs, position: null, isOpening: false };
  const fragment = begin ? await address.fragmentOf(begin, { short: true }) : '';
  const link = addressOf(fragment);
  return (nowNs) => [runLine(lab, nowNs), `Timeslice · ${link}`];
}
