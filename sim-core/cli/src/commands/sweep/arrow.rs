//! Rows in Apache Arrow's stream format, which polars, pandas (pyarrow), `DuckDB` and R read.

use super::writer::Writer;
use crate::output;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::ArrowError;
use serde_json::Value;
use sim_host::columns::{self, Column};
use std::io::Write;

/// Rows per batch. Each batch has a header as large as some dozens of rows.
const BATCH: usize = 1_000;

/// Writes batches of rows.
pub(super) struct Arrow<'a, W: Write> {
    columns: &'a [Column],
    writer: StreamWriter<W>,
    rows: Vec<Vec<Value>>,
    last: Pace,
}

/// Longest time that a row waits for others.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(1);

/// The time of the last write.
#[allow(clippy::disallowed_types)] // what is written when, not what is written
struct Pace(std::time::Instant);

#[allow(clippy::disallowed_types)]
impl Pace {
    fn now() -> Self {
        Self(std::time::Instant::now())
    }

    fn is_over(&self) -> bool {
        self.0.elapsed() >= PATIENCE
    }
}

impl<'a, W: Write> Arrow<'a, W> {
    pub(super) fn new(columns: &'a [Column], to: W) -> Self {
        let writer = kept(StreamWriter::try_new(to, &columns::schema(columns)));
        Self {
            columns,
            writer,
            rows: Vec::new(),
            last: Pace::now(),
        }
    }

    fn write(&mut self) {
        if self.rows.is_empty() {
            return;
        }
        let rows = std::mem::take(&mut self.rows);
        let batch = columns::batch(self.columns, &rows);
        kept(batch.and_then(|batch| self.writer.write(&batch)));
        kept(self.writer.flush());
        self.last = Pace::now();
    }
}

fn kept<T>(result: Result<T, ArrowError>) -> T {
    result.unwrap_or_else(|e| match e {
        ArrowError::IoError(_, e) => output::stop(&e),
        e => output::refuse(format!("cannot be written as Arrow: {e}")),
    })
}

impl<W: Write> Writer for Arrow<'_, W> {
    fn row(&mut self, cells: Vec<Value>) {
        self.rows.push(cells);
        if self.rows.len() >= BATCH {
            self.write();
        }
    }

    fn flush(&mut self) {
        if self.last.is_over() {
            self.write();
        }
    }

    fn end(&mut self) {
        self.write();
        kept(self.writer.finish());
        kept(self.writer.flush());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::cast::AsArray;
    use arrow_array::{Array, RecordBatch};
    use arrow_ipc::reader::StreamReader;
    use serde_json::json;
    use sim_host::columns::Kind;

    #[test]
    fn what_is_written_can_be_read() {
        let column = |heading: &str, kind| Column {
            heading: heading.to_owned(),
            kind,
            in_table: true,
        };
        let columns = [
            column("point", Kind::Whole),
            column("nice", Kind::Signed),
            column("machine", Kind::Text),
            column("on", Kind::Switch),
            column("share", Kind::Real),
        ];
        let mut bytes = Vec::new();
        let mut arrow = Arrow::new(&columns, &mut bytes);
        for i in 0..=BATCH {
            arrow.row(vec![
                i.into(),
                json!(-3),
                json!({ "a": 1 }),
                true.into(),
                Value::Null,
            ]);
        }
        arrow.end();
        drop(arrow);
        let batches: Vec<RecordBatch> = StreamReader::try_new(bytes.as_slice(), None)
            .expect("a stream")
            .map(|batch| batch.expect("whole"))
            .collect();
        let sizes: Vec<usize> = batches.iter().map(RecordBatch::num_rows).collect();
        assert_eq!(sizes, [BATCH, 1]);
        let last = &batches[1];
        let number = last
            .column(0)
            .as_primitive::<arrow_array::types::UInt64Type>();
        assert_eq!(number.value(0), BATCH as u64);
        let nice = last
            .column(1)
            .as_primitive::<arrow_array::types::Int64Type>();
        assert_eq!(nice.value(0), -3);
        assert_eq!(last.column(2).as_string::<i32>().value(0), "{\"a\":1}");
        assert!(last.column(3).as_boolean().value(0));
        assert!(last.column(4).is_null(0));
    }
}
