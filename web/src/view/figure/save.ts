/** Hands a view of the page to the user as a picture file. */
import { addressOf } from '../../browser/address-bar';
import { saveFile } from '../../browser/save-file';
import { fileStem } from '../../files/save';
import { clock } from '../../lib/format';
import type { Lab } from '../../state/lab.svelte';
import type { LaneState } from '../../state/lane.svelte';
import { type Caption, toPng, toSvg, viewsIn } from './figure';

/** Formats of picture files. */
export type PictureFormat = 'png' | 'svg';

/** The parts of the page that the lines below a picture need. */
export type CaptionedPage = Pick<Lab, 'address' | 'config' | 'editing' | 'run'>;

/** The run and the time of a picture, in a line. */
export function runLine(lab: Omit<CaptionedPage, 'address'>, nowNs: number): string {
  const { config, run } = lab;
  const machine = config?.scenario.machine;
  const spec =
    typeof machine === 'string'
      ? run.catalog?.machines.find((m) => m.spec.id === machine)?.spec
      : machine;
  const seed = `seed ${String(config?.scenario.seed ?? '')}`;
  return [lab.editing.runName, spec?.name, clock(nowNs), seed].filter(Boolean).join(' · ');
}

/** The caption of a picture of the present moment: of one lane, or of all lanes if it shows all. */
export async function captionOf(
  lab: CaptionedPage,
  what: string,
  lane: LaneState | null,
): Promise<Caption> {
  const { address, run } = lab;
  const page = address.page;
  const fragment = page ? await address.fragmentOf(page) : '';
  const link = addressOf(fragment);
  const lanes = lane ? [lane] : run.lanes;
  const names = lanes.map((l) => `${l.title} ${l.era}`.trim()).join(', ');
  return {
    title: what === '' ? names : `${what}: ${names}`,
    lines: [runLine(lab, run.nowNs), `Timeslice · ${link}`],
    link,
  };
}

/** Saves the views in some elements; returns whether there were any. */
export async function savePicture(
  lab: CaptionedPage,
  roots: readonly Element[],
  what: string,
  lane: LaneState | null,
  format: PictureFormat,
): Promise<boolean> {
  const views = viewsIn(roots);
  if (views.length === 0) return false;
  const caption = await captionOf(lab, what, lane);
  const svg = toSvg(views, caption);
  const name = [what, lane?.title, lab.editing.runName].filter(Boolean).join(' ');
  saveFile(
    `${fileStem(name)}.${format}`,
    format === 'svg' ? new Blob([svg], { type: 'image/svg+xml' }) : await toPng(svg, caption),
  );
  return true;
}
