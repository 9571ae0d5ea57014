/** Functions for the dialog, loaded when the user records. */
import type { FilmPlan } from '../../state/film/plan';
import type { FilmedPage } from '../../state/film/reel.svelte';
import type { Look } from '../../state/prefs.svelte';
import type { CaptionedPage } from '../figure/save';
import type { FilmFormat } from './choices';
import { makeFilm, type Watching } from './film';
import { withTheme } from './theme';
import { whereFrom } from './where';

/** What is asked for. */
interface Asked {
  readonly plan: FilmPlan;
  readonly format: FilmFormat;
  readonly width: number;
  readonly height: number;
  readonly look: Look;
}

/** Makes a film of the page's run. */
export async function recordFilm(
  lab: FilmedPage & CaptionedPage,
  asked: Asked,
  watching: Watching,
): Promise<Blob> {
  const { look, ...wish } = asked;
  const say = await whereFrom(lab, wish.plan.fromNs);
  return await withTheme(look, (theme) => makeFilm(lab, { ...wish, theme, say }, watching));
}
