/** The present stage as one picture: all lanes, with the meaning of their colours. */
import type { Lab } from '../../state/lab.svelte';
import type { ChartPage } from '../timeline/tab';
import { type Caption, toPng } from '../figure/figure';
import { type CaptionedPage, captionOf } from '../figure/save';
import { sheetToSvg } from './sheet';
import { StagePainter } from './stage-painter';
import { withTheme } from './theme';

/** Units across and down, as on a slide. */
const SIZE = { width: 1280, height: 720 };
/** Pixels of canvases to one of the picture. */
const SHARP = 2;

/** The parts of the page that are in a picture of the stage. */
export type PicturedPage = CaptionedPage &
  ChartPage &
  Pick<Lab, 'answer' | 'hues' | 'moment' | 'regime'>;

/** Waits until the core has answered all requests; returns whether there were any. */
async function answered({ playback, run }: PicturedPage): Promise<boolean> {
  if (run.pending === 0) return false;
  // Requests are answered in order: earlier ones have been answered by then.
  await playback.tracked(() => run.look());
  return true;
}

/** The parts of the page that painters read; while time runs, at the moment of the picture. */
function drawn(lab: PicturedPage) {
  const { answer, config, hues, moment, playback, prefs, regime, run, selection, window } = lab;
  const page = { answer, config, hues, moment, playback, prefs, regime, run, selection, window };
  return { ...page, charts: lab, settled: () => answered(lab) };
}

/** The picture as an SVG file, and the lines below it. */
export async function stageSvg(
  lab: PicturedPage,
): Promise<{ readonly svg: string; readonly caption: Caption }> {
  const caption = await captionOf(lab, 'Stage', null);
  const pixels = { width: SIZE.width * SHARP, height: SIZE.height * SHARP };
  return await withTheme(lab.prefs.colours, async (theme) => {
    const painter = new StagePainter(drawn(lab), pixels, theme, () => caption.lines);
    const sheet = await painter.paint(performance.now());
    const svg = sheetToSvg(sheet, { ...caption, lines: [...caption.lines, caption.link] });
    return { svg, caption };
  });
}

/** The picture as a file. */
export async function stagePicture(lab: PicturedPage, format: 'png' | 'svg'): Promise<Blob> {
  const { svg, caption } = await stageSvg(lab);
  return format === 'svg' ? new Blob([svg], { type: 'image/svg+xml' }) : toPng(svg, caption);
}
