//! The figures of a page with the results so far.

use super::format::{FigureSpec, Lists, PageSpec, Points, SeriesSpec};
use super::place::{Asked, Bound, as_number, text};
use super::{Data, Effort, Told};
use crate::experiment::figure::{Figure, Mark, Range, RowLabel, Series, TimeOfX};
use crate::experiment::numbers::count;
use crate::experiment::results::Results;
use crate::experiment::stats::Estimate;
use sim_measure::quantity::Quantity;

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
        if let Some(lists) = &spec.lists {
            for line in self.places(here, &spec.over)? {
                asked.append(&mut self.asked(&line, &lists.y)?);
            }
        }
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
            definition: word(&spec.definition)?,
            kind: spec.kind,
            x: spec.x.clone(),
            y: spec.y.clone(),
            moment: spec.moment,
            fair: spec.fair,
            ..Figure::default()
        };
        if let Some(opens) = &spec.opens {
            let found = self.estimate(here, results, opens, &[])?;
            figure.moment = found.is_there.then_some(TimeOfX {
                origin_ns: found.estimate.mean,
                per_x_ns: 0.0,
            });
        }
        if let Some(rows) = &spec.rows {
            for row in self.places(here, &rows.over)? {
                let word =
                    |part: &str| -> Told<String> { Ok(text(&self.filled(&row, &part.into())?)) };
                figure.row_labels.push(RowLabel {
                    label: word(&rows.label)?,
                    unit: word(&rows.unit)?,
                });
            }
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
        if let Some(lists) = &spec.lists {
            self.add_lists(lists, line, results, &mut series)?;
        }
        if let Some(mark) = &spec.mark {
            series.mark = Some(Mark {
                x: self.number(line, &mark.x)?,
                label: word(&mark.label)?,
            });
        }
        if let Some(points) = &spec.published {
            for place in self.places(line, &points.over)? {
                let y = self.number(&place, &points.y)?;
                if !y.is_nan() {
                    series.published.push((self.number(&place, &points.x)?, y));
                }
            }
        }
        if !series.published.is_empty() {
            series.provenance = &spec.provenance;
        }
        if let (Some(band), Some(points)) = (&spec.band, &spec.points) {
            series.band = Some(Range {
                label: band.label.clone(),
                points: self.band(points, line, &band.under, results)?,
            });
        }
        Ok(series)
    }

    /// Adds the points that are the items of lists.
    fn add_lists(
        &self,
        lists: &Lists,
        line: &Bound,
        results: &Results,
        series: &mut Series,
    ) -> Told<()> {
        let (y, mut keys) = self.listed(line, results, &lists.y)?;
        if keys.is_empty() {
            return Ok(());
        }
        let of_seeds = by_seed(&y)?;
        let n = of_seeds.iter().map(Vec::len).min().unwrap_or(0);
        let x = match &lists.x {
            Some(x) => by_seed(&self.listed(line, results, x)?.0)?.swap_remove(0),
            None => (1..=n).map(count).collect(),
        };
        for (i, x) in x.into_iter().enumerate().take(n) {
            let values: Vec<f64> = of_seeds.iter().map(|seed| seed[i]).collect();
            series.add(x, Estimate::mean(&values), std::mem::take(&mut keys));
        }
        if let Some(rows) = &lists.rows {
            let (rows, _) = self.listed(line, results, rows)?;
            for row in items(&rows)?.first().map_or(Ok(&[][..]), items)? {
                let numbers = items(row)?.iter().map(as_number);
                series.rows.push(numbers.collect::<Told<_>>()?);
            }
        }
        Ok(())
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

fn items(quantity: &Quantity) -> Told<&[Quantity]> {
    match quantity {
        Quantity::List(all) => Ok(all),
        Quantity::Missing => Ok(&[]),
        other => Err(format!("must give a list, gives {}", other.name())),
    }
}

/// The list of each seed; a list of numbers counts as that of a single one.
fn by_seed(all: &Quantity) -> Told<Vec<Vec<f64>>> {
    let numbers = |list: &[Quantity]| list.iter().map(as_number).collect::<Told<Vec<f64>>>();
    match items(all)? {
        seeds @ [Quantity::List(_), ..] => {
            let seeds = seeds.iter().map(|seed| numbers(items(seed)?));
            seeds.collect()
        }
        list => Ok(vec![numbers(list)?]),
    }
}
