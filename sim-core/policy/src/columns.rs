//! What a program declares, as the columns of a scheduler.

use crate::INFO;
use crate::moment::{Column, Declared};
use sim_contract::{EraInfo, SchedulerInfo};
use sim_ground::info::ColumnEntry;
use std::sync::{Mutex, PoisonError};

/// The descriptions made so far. They are few, and never change: readers of a run hold them for as long as they like. The
/// same columns have the same description, so that many runs of one program need one.
static KNOWN: Mutex<Vec<&'static SchedulerInfo>> = Mutex::new(Vec::new());

/// The scheduler with the columns of a program.
pub(crate) fn described(declared: &Declared, eras: &'static [EraInfo]) -> &'static SchedulerInfo {
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let same = |entries: &[ColumnEntry], columns: &[Column]| {
        let names = columns.iter().map(|c| c.name.as_str());
        entries.iter().map(|e| e.id).eq(names)
    };
    let found = known.iter().find(|info| {
        std::ptr::eq(info.eras, eras)
            && same(info.task_columns, &declared.thread)
            && same(info.cpu_columns, &declared.cpu)
    });
    if let Some(info) = found {
        return info;
    }
    let info: &'static SchedulerInfo = Box::leak(Box::new(SchedulerInfo {
        eras,
        task_columns: entries(&declared.thread),
        cpu_columns: entries(&declared.cpu),
        ..INFO
    }));
    known.push(info);
    info
}

fn entries(columns: &[Column]) -> &'static [ColumnEntry] {
    let entry = |c: &Column| {
        let name: &'static str = c.name.clone().leak();
        ColumnEntry {
            id: name,
            label: name,
            unit: "",
        }
    };
    columns.iter().map(entry).collect::<Vec<_>>().leak()
}
