/** The origin of a film or a picture: the run, its time, and a link to it. */
import { addressOf } from '../../browser/address-bar';
import { type CaptionedPage, runLine } from '../figure/save';
import type { SayWhere } from './stage-painter';

/** All pictures of a film have the same link, to the moment at which the film begins. */
export async function whereFrom(lab: CaptionedPage, fromNs: number): Promise<SayWhere> {
  const { address } = lab;
  const { page } = address;
  const begin = page && { ...page, t: fromNs, position: null, isOpening: false };
  const fragment = begin ? await address.fragmentOf(begin, { short: true }) : '';
  const link = addressOf(fragment);
  return (nowNs) => [runLine(lab, nowNs), `Timeslice · ${link}`];
}
