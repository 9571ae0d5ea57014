//! The figures of a page with the results so far.

use super::format::{FigureSpec, PageSpec, Points, SeriesSpec};
use super::place::{Asked, Bound, text};
use super::{Data, Effort, Told};
use crate::experiment::figure::{Figure, Range, Series, TimeOfX};
use crate::experiment::results::Results;

impl Data {
    /// The runs that the figures of a page ask for.
    pub(super) fn asked_by(&self, page: &PageSpec, effort: Effort) -> Told<Vec<Asked<'_>>> {
        let mut asked = Vec::new();
        for figure in &page.figures {
            for here in self.places(&Bound::new(effort), &figure.over)? {
                for spec in &figure.series {
                    self.asked_by_line(spec, &here, &mut asked)?;
                }
            }
        }
        Ok(asked)
    }

    fn asked_by_line<'a>(
        &'a self,
        spec: &SeriesSpec,
        here: &Bound,
        asked: &mut Vec<Asked<'a>>,
    ) -> Told<()> {
        let Some(points) = &spec.points else {
            return Ok(());
        };
        let under = spec.band.as_ref().map(|band| &band.under);
        for line in self.places(here, &spec.over)? {
            for place in self.places(&line, &points.over)? {
                asked.append(&mut self.asked(&place, &points.y)?);
                for (_, other) in self.others(&place, under)? {
                    asked.append(&mut self.asked(&other, &points.y)?);
                }
            }
        }
        Ok(())
    }

    pub(super) fn drawn(
        &'static self,
        page: &'static PageSpec,
        results: &Results,
    ) -> Told<Vec<Figure>> {
        let mut figures = Vec::new();
        for spec in &page.figures {
            for here in self.places(&Bound::new(results.effort()), &spec.over)? {
                figures.push(self.figure(spec, &here, results)?);
            }
        }
        Ok(figures)
    }

    fn figure(&self, spec: &'static FigureSpec, here: &Bound, results: &Results) -> Told<Figure> {
        let word = |part: &str| -> Told<String> { Ok(text(&self.filled(here, &part.into())?)) };
        let mut figure = Figure {
            id: word(&spec.id)?,
            title: word(&spec.title)?,
            definition: spec.definition.clone(),
            kind: spec.kind,
            x: spec.x.clone(),
            y: spec.y.clone(),
            moment: spec.moment,
            ..Figure::default()
        };
        if let Some(opens) = &spec.opens {
            let found = self.estimate(here, results, opens, &[])?;
            figure.moment = found.is_there.then_some(TimeOfX {
                origin_ns: found.estimate.mean,
                per_x_ns: 0.0,
            });
        }
        for spec in &spec.series {
            for line in self.places(here, &spec.over)? {
                figure.series.push(self.line(spec, &line, results)?);
            }
        }
        Ok(figure)
    }

    fn line(&self, spec: &'static SeriesSpec, line: &Bound, results: &Results) -> Told<Series> {
        let word = |part: &str| -> Told<String> { Ok(text(&self.filled(line, &part.into())?)) };
        let (id, label, scheduler) = (word(&spec.id)?, word(&spec.label)?, word(&spec.scheduler)?);
        let mut series = Series::new(&id, &label, &scheduler, &spec.unit);
        if let Some(points) = &spec.points {
            for place in self.places(line, &points.over)? {
                let found = self.estimate(&place, results, &points.y, &points.times)?;
                if found.is_there {
                    series.add(self.number(&place, &points.x)?, found.estimate, found.keys);
                }
            }
        }
        if let Some(points) = &spec.published {
            for place in self.places(line, &points.over)? {
                let y = self.number(&place, &points.y)?;
                if !y.is_nan() {
                    series.published.push((self.number(&place, &points.x)?, y));
                }
            }
        }
        series.provenance = &spec.provenance;
        if let (Some(band), Some(points)) = (&spec.band, &spec.points) {
            series.band = Some(Range {
                label: band.label.clone(),
                points: self.band(points, line, &band.under, results)?,
            });
        }
        Ok(series)
    }

    /// x, smallest and largest value under other assumptions.
    fn band(
        &self,
        points: &Points,
        line: &Bound,
        under: &String,
        results: &Results,
    ) -> Told<Vec<(f64, f64, f64)>> {
        let mut all = Vec::new();
        for place in self.places(line, &points.over)? {
            let mut ends = [f64::INFINITY, f64::NEG_INFINITY];
            for (_, other) in self.others(&place, Some(under))? {
                let found = self.estimate(&other, results, &points.y, &points.times)?;
                if found.is_there {
                    let y = found.estimate.mean;
                    ends = [ends[0].min(y), ends[1].max(y)];
                }
            }
            if ends[0].is_finite() {
                all.push((self.number(&place, &points.x)?, ends[0], ends[1]));
            }
        }
        Ok(all)
    }
}
