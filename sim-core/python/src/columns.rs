//! Rows as columns, which leave through the Arrow `PyCapsule` interface without a copy.

use arrow_array::cast::AsArray;
use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{Float64Type, Int64Type, UInt64Type};
use arrow_array::{Array, RecordBatch, RecordBatchIterator, RecordBatchReader};
use arrow_schema::{ArrowError, DataType, SchemaRef};
use pyo3::BoundObject;
use pyo3::exceptions::{PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList};
use std::ffi::CStr;

const SCHEMA: &CStr = c"arrow_schema";
const STREAM: &CStr = c"arrow_array_stream";

/// Number of rows that a notebook shows. A sweep may have thousands.
const SHOWN: usize = 10;

/// Columns of equal length.
#[pyclass(frozen, module = "timeslice._core")]
pub(crate) struct Table {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

/// A description of columns for other programs.
pub(crate) fn schema_capsule<'py>(
    py: Python<'py>,
    schema: &SchemaRef,
) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(schema.as_ref()).map_err(arrow)?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}

/// Batches for other programs.
pub(crate) fn stream_capsule<'py>(
    py: Python<'py>,
    batches: Box<dyn RecordBatchReader + Send>,
) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(batches), STREAM)
}

pub(crate) fn arrow(error: ArrowError) -> PyErr {
    PyTypeError::new_err(error.to_string())
}

impl Table {
    pub(crate) fn new(schema: SchemaRef, batches: Vec<RecordBatch>) -> Self {
        Self { schema, batches }
    }

    pub(crate) fn rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }
}

#[pymethods]
impl Table {
    /// The columns as an Arrow stream; polars, pyarrow, pandas and duckdb ask for it.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A producer may return its own schema if it cannot give the requested one.
        let _ = requested_schema;
        let batches = self.batches.clone().into_iter().map(Ok);
        let reader = RecordBatchIterator::new(batches, self.schema.clone());
        stream_capsule(py, Box::new(reader))
    }

    /// What the columns are called and hold, as Arrow describes it.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &self.schema)
    }

    /// Number of rows.
    fn __len__(&self) -> usize {
        self.rows()
    }

    /// Names of the columns, in their order.
    #[getter]
    fn columns(&self) -> Vec<&str> {
        let fields = self.schema.fields().iter();
        fields.map(|f| f.name().as_str()).collect()
    }

    /// A column by its name, as a list of plain values; `None` where there is nothing.
    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyList>> {
        let Some((at, _)) = self.schema.column_with_name(name) else {
            let known = self.columns().join(", ");
            let message = format!("must be one of {known}; got \"{name}\"");
            return Err(PyKeyError::new_err(message));
        };
        let list = PyList::empty(py);
        for batch in &self.batches {
            let column = batch.column(at);
            for row in 0..column.len() {
                list.append(value(py, column.as_ref(), row)?)?;
            }
        }
        Ok(list)
    }

    /// The rows as dictionaries.
    fn to_dicts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for batch in &self.batches {
            for row in 0..batch.num_rows() {
                let dict = PyDict::new(py);
                for (field, column) in self.schema.fields().iter().zip(batch.columns()) {
                    dict.set_item(field.name(), value(py, column.as_ref(), row)?)?;
                }
                list.append(dict)?;
            }
        }
        Ok(list)
    }

    /// A data frame of pandas, which must be installed.
    fn to_pandas<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let frames = slf.py().import("pandas")?.getattr("DataFrame")?;
        frames.call_method1("from_arrow", (slf,))
    }

    /// A data frame of polars, which must be installed.
    fn to_polars<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("polars")?.call_method1("DataFrame", (slf,))
    }

    fn __repr__(&self) -> String {
        let (rows, columns) = (self.rows(), self.columns().join(", "));
        format!("Table of {rows} rows: {columns}")
    }

    /// The first rows, as a notebook shows them.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let mut html = format!("<table>{}", html_row("th", &self.columns()));
        let places = self
            .batches
            .iter()
            .flat_map(|batch| (0..batch.num_rows()).map(move |row| (batch, row)));
        for (batch, row) in places.take(SHOWN) {
            let texts = batch.columns().iter().map(|column| {
                if column.is_null(row) {
                    return Ok(String::new());
                }
                Ok(value(py, column.as_ref(), row)?.str()?.to_string())
            });
            html += &html_row("td", &texts.collect::<PyResult<Vec<_>>>()?);
        }
        let (shown, all) = (SHOWN.min(self.rows()), self.rows());
        Ok(format!("{html}</table><p>{shown} of {all} rows</p>"))
    }
}

/// A row of a table in HTML.
fn html_row(tag: &str, texts: &[impl AsRef<str>]) -> String {
    let cells = texts.iter().map(|text| {
        let text = text
            .as_ref()
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;");
        format!("<{tag}>{text}</{tag}>")
    });
    format!("<tr>{}</tr>", cells.collect::<Vec<_>>().concat())
}

/// A cell as a plain value.
fn value<'py>(py: Python<'py>, column: &dyn Array, row: usize) -> PyResult<Bound<'py, PyAny>> {
    if column.is_null(row) {
        return Ok(py.None().into_bound(py));
    }
    Ok(match column.data_type() {
        DataType::Utf8 => column
            .as_string::<i32>()
            .value(row)
            .into_pyobject(py)?
            .into_any(),
        DataType::UInt64 => number(py, column.as_primitive::<UInt64Type>().value(row))?,
        DataType::Int64 => number(py, column.as_primitive::<Int64Type>().value(row))?,
        DataType::Float64 => number(py, column.as_primitive::<Float64Type>().value(row))?,
        DataType::Boolean => {
            let flag = column.as_boolean().value(row).into_pyobject(py)?;
            flag.to_owned().into_any()
        }
        other => return Err(PyTypeError::new_err(format!("a column of {other}"))),
    })
}

fn number<'py, T>(py: Python<'py>, number: T) -> PyResult<Bound<'py, PyAny>>
where
    T: IntoPyObject<'py>,
    PyErr: From<T::Error>,
{
    Ok(number.into_pyobject(py)?.into_any().into_bound())
}
