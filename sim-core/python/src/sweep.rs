//! Sweeps: points, their runs, and their rows as columns.

use crate::columns::{Table, arrow};
use crate::errors::{invalid, wrong};
use crate::pool;
use arrow_array::{RecordBatch, StringArray, UInt64Array};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use pyo3::prelude::*;
use serde_json::Value;
use sim_core::config::validate;
use sim_core::error::ConfigError;
use sim_core::experiment::sweep::{self, Point, Row};
use sim_host::caught::caught;
use sim_host::columns::{self, Columns};
use std::ops::Range;
use std::sync::Arc;

/// All points of a sweep, by number from 0.
#[pyclass(frozen, module = "timeslice._core")]
pub(crate) struct Space {
    space: sweep::Space,
    columns: Columns,
}

type Cells = Vec<Value>;

impl Space {
    fn cells(&self, row: &Row, key: Option<String>) -> Cells {
        self.columns.cells(row, &key.unwrap_or_default())
    }

    /// Cells of some lanes of a point, or of all lanes if none is named. A run that was stopped has none.
    fn rows(
        &self,
        number: usize,
        lanes: Option<&[usize]>,
        max_events: u64,
        goes_on: &dyn Fn() -> bool,
    ) -> Vec<Cells> {
        let made = caught(|| {
            let point = self.space.point(number);
            let all: Vec<usize> = (0..point.lanes()).collect();
            let rows = lanes.unwrap_or(&all).iter().filter_map(|lane| {
                let row = self.space.row_of(&point, *lane, |plan, lane| {
                    let from = self.space.from_ns();
                    caught(|| sweep::run_while(plan, lane, from, max_events, goes_on))
                        .unwrap_or_else(|message| Err(message.into()))
                })?;
                Some(self.cells(&row, key(&point, *lane)))
            });
            rows.collect()
        });
        made.unwrap_or_else(|message| vec![self.cells(&self.space.lost(number, message), None)])
    }

    fn table(&self, rows: &[Cells]) -> PyResult<Table> {
        let columns = &self.columns.0;
        let batch = columns::batch(columns, rows).map_err(arrow)?;
        Ok(Table::new(columns::schema(columns), vec![batch]))
    }

    fn within(&self, py: Python<'_>, first: usize, last: usize) -> PyResult<Range<usize>> {
        let points = self.space.points();
        if first <= last && last <= points {
            return Ok(first..last);
        }
        let message = format!("must lie within 0..{points}; got {first}..{last}");
        Err(wrong(py, "points", message))
    }

    fn lane(&self, py: Python<'_>, number: usize, lane: usize) -> PyResult<Point> {
        self.within(py, number, number.saturating_add(1))?;
        let point = self.space.point(number);
        let lanes = point.lanes();
        if lane < lanes {
            return Ok(point);
        }
        let message = format!("must be below {lanes}; got {lane}");
        Err(wrong(py, "lane", message))
    }
}

fn key(point: &Point, lane: usize) -> Option<String> {
    point.identity(lane).map(|text| columns::key(&text))
}

#[pymethods]
impl Space {
    /// A sweep as `timeslice sweep` reads it, and its base, both as JSON.
    #[new]
    fn new(py: Python<'_>, text: &str, base: &str) -> PyResult<Self> {
        let in_base = |e: ConfigError| {
            let path = if e.path.is_empty() {
                "base".to_owned()
            } else {
                format!("base.{}", e.path)
            };
            ConfigError::new(path, e.message)
        };
        let base = validate::parse(base)
            .map_err(|errors| invalid(py, errors.into_iter().map(in_base).collect()))?;
        let space = sweep::parse(text)
            .and_then(|sweep| sweep::Space::new(sweep, &base))
            .map_err(|errors| invalid(py, errors))?;
        let columns = Columns::of(&space);
        Ok(Self { space, columns })
    }

    /// How many points there are.
    #[getter]
    fn points(&self) -> usize {
        self.space.points()
    }

    /// Headings of the axes, in their order.
    #[getter]
    fn headings(&self) -> Vec<String> {
        self.space.headings().to_vec()
    }

    /// Ids of the measures, in their order.
    #[getter]
    fn measures(&self) -> Vec<String> {
        self.space.measures().to_vec()
    }

    /// The rows of no point: what the columns are.
    fn empty(&self) -> PyResult<Table> {
        self.table(&[])
    }

    /// The scenario of a point, as JSON.
    fn scenario(&self, py: Python<'_>, number: usize) -> PyResult<String> {
        let point = self.lane(py, number, 0)?;
        let plan = point.plan.map_err(|errors| invalid(py, errors))?;
        Ok(serde_json::to_string(&plan.scenario).expect("invariant: scenarios are plain data"))
    }

    /// Runs the points from number `first` up to `last`, `last` not included.
    #[pyo3(signature = (first, last, max_events, jobs=None, progress=None))]
    fn run(
        &self,
        py: Python<'_>,
        first: usize,
        last: usize,
        max_events: u64,
        jobs: Option<usize>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Table> {
        let numbers = self.within(py, first, last)?;
        let jobs = pool::jobs(jobs);
        let rows = pool::map(py, numbers, jobs, progress.as_ref(), |number, goes_on| {
            self.rows(number, None, max_events, goes_on)
        })?;
        self.table(&rows.concat())
    }

    /// Runs some lanes, each named by the numbers of its point and itself.
    #[pyo3(signature = (lanes, max_events, jobs=None))]
    fn run_lanes(
        &self,
        py: Python<'_>,
        lanes: Vec<(usize, usize)>,
        max_events: u64,
        jobs: Option<usize>,
    ) -> PyResult<Table> {
        for (point, lane) in &lanes {
            self.lane(py, *point, *lane)?;
        }
        let jobs = pool::jobs(jobs);
        let rows = pool::map(py, 0..lanes.len(), jobs, None, |i, goes_on| {
            let (point, lane) = lanes[i];
            self.rows(point, Some(&[lane]), max_events, goes_on)
        })?;
        self.table(&rows.concat())
    }

    /// Rows of lanes that were not run, as their runs end the process.
    fn killed(&self, py: Python<'_>, lanes: Vec<(usize, usize)>, message: &str) -> PyResult<Table> {
        let mut rows = Vec::new();
        for (number, lane) in lanes {
            let point = self.lane(py, number, lane)?;
            let row = self.space.killed(&point, lane, message.to_owned());
            rows.push(self.cells(&row, key(&point, lane)));
        }
        self.table(&rows)
    }

    /// Point, lane and key of every lane of the points from number `first` up to `last`.
    #[pyo3(signature = (first, last, jobs=None))]
    fn keys(
        &self,
        py: Python<'_>,
        first: usize,
        last: usize,
        jobs: Option<usize>,
    ) -> PyResult<Table> {
        let numbers = self.within(py, first, last)?;
        let found = pool::map(py, numbers, pool::jobs(jobs), None, |number, goes_on| {
            if !goes_on() {
                return Vec::new();
            }
            let point = self.space.point(number);
            let keys = (0..point.lanes()).map(|lane| (number, lane, key(&point, lane)));
            keys.collect()
        })?;
        keys_table(&found.concat()).map_err(arrow)
    }
}

fn keys_table(all: &[(usize, usize, Option<String>)]) -> Result<Table, ArrowError> {
    let field = |name: &str, kind| Field::new(name, kind, true);
    let schema = Arc::new(Schema::new(vec![
        field("point", DataType::UInt64),
        field("lane", DataType::UInt64),
        field("key", DataType::Utf8),
    ]));
    let whole = |n: usize| n as u64;
    let points: UInt64Array = all.iter().map(|k| Some(whole(k.0))).collect();
    let lanes: UInt64Array = all.iter().map(|k| Some(whole(k.1))).collect();
    let keys: StringArray = all.iter().map(|k| k.2.as_deref()).collect();
    let columns = vec![
        Arc::new(points) as _,
        Arc::new(lanes) as _,
        Arc::new(keys) as _,
    ];
    let batch = RecordBatch::try_new(schema.clone(), columns)?;
    Ok(Table::new(schema, vec![batch]))
}
