//! Rows that are computed while they are read.

use crate::columns::{Table, arrow, schema_capsule, stream_capsule};
use crate::errors::{fault, released};
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use sim_host::caught::caught;
use std::sync::Mutex;

/// Gives batches of rows until there are none.
pub(crate) trait Batches: Send {
    /// The columns.
    fn schema(&self) -> SchemaRef;

    /// Works on. `None` after the end; a batch may have no rows.
    fn more(&mut self) -> Option<Result<RecordBatch, ArrowError>>;
}

/// Batches as Arrow reads them. A panic becomes an error of the stream.
struct Reader(Box<dyn Batches>);

impl Iterator for Reader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let more = caught(|| self.0.more());
        more.unwrap_or_else(|message| Some(Err(ArrowError::ComputeError(message))))
    }
}

impl RecordBatchReader for Reader {
    fn schema(&self) -> SchemaRef {
        self.0.schema()
    }
}

/// Rows that are worked out while they are read, in constant memory. They are read once: by Arrow, or by iterating.
#[pyclass(frozen, module = "timeslice._core")]
pub(crate) struct Records {
    schema: SchemaRef,
    batches: Mutex<Option<Box<dyn Batches>>>,
}

impl Records {
    pub(crate) fn new(batches: Box<dyn Batches>) -> Self {
        Self {
            schema: batches.schema(),
            batches: Mutex::new(Some(batches)),
        }
    }

    fn take(&self) -> Option<Box<dyn Batches>> {
        self.batches.lock().ok()?.take()
    }
}

#[pymethods]
impl Records {
    /// The rows as an Arrow stream. Where it is read to its end at once (`pyarrow.table`), the interrupt key works after
    /// that; iterating over this stops at once.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let gone =
            || PyRuntimeError::new_err("these records were read already: ask for them again");
        stream_capsule(py, Box::new(Reader(self.take().ok_or_else(gone)?)))
    }

    /// What the columns are called and hold, as Arrow describes it.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &self.schema)
    }

    /// Names of the columns, in their order.
    #[getter]
    fn columns(&self) -> Vec<&str> {
        let fields = self.schema.fields().iter();
        fields.map(|f| f.name().as_str()).collect()
    }

    fn __repr__(&self) -> String {
        format!("Records: {}", self.columns().join(", "))
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    /// The next rows.
    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Table>> {
        let Some(mut batches) = self.take() else {
            return Ok(None);
        };
        loop {
            let (batches_back, more) = released(py, move || {
                let more = batches.more();
                (batches, more)
            })?;
            batches = batches_back;
            py.check_signals()?;
            match more {
                None => return Ok(None),
                Some(batch) => {
                    let batch = batch.map_err(arrow)?;
                    if batch.num_rows() > 0 {
                        let mut place = self
                            .batches
                            .lock()
                            .map_err(|_| fault(py, "records are read by two threads".to_owned()))?;
                        *place = Some(batches);
                        return Ok(Some(Table::new(self.schema.clone(), vec![batch])));
                    }
                }
            }
        }
    }
}
