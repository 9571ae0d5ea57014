//! The textbook's policies, as programs. Each is an era of the scheduler, in the order in which a lecture comes to them.

use sim_contract::EraInfo;

macro_rules! templates {
    ($($id:literal, $name:literal, $year:literal, $summary:literal, $file:literal;)*) => {
        /// The eras of own policies.
        pub static ERAS: &[EraInfo] = &[$(
            EraInfo { id: $id, name: $name, summary: $summary, year: $year, tunables: &[] }
        ),*];
        /// The programs, in the same order.
        const SOURCES: &[&str] = &[$(
            include_str!(concat!("../templates/", $file, ".policy.py"))
        ),*];
    };
}

// Years are those of the sources: time slices in turn and feedback of Corbató, Merwin-Daggett and Daley, An Experimental
// Time-Sharing System (1962); one list as in the Unix of Thompson and Ritchie (1974); lists in the order of arrival as in
// the batch monitors of the 1950s (the GM-NAA I/O of 1956). CFS came with Linux 2.6.23, ULE with Roberson, ULE: A Modern
// Scheduler for FreeBSD (BSDCon 2003).
templates! {
    "roundRobin", "round robin", 1962, "Each thread has a turn of 10 ms, then the next in line.", "round-robin";
    "fifo", "first in, first out", 1956, "Who runs goes on until it sleeps or ends.", "fifo";
    "lottery", "lottery", 1994, "A draw among tickets decides each turn.", "lottery";
    "stride", "stride", 1995, "Whoever has used least of its share runs next.", "stride";
    "mlfq", "feedback queue", 1962, "Levels: who uses its allotment sinks, and all rise again each second.", "mlfq";
    "oneQueue", "one queue", 1974, "All CPUs take from one list.", "one-queue";
    "workStealing", "work stealing", 1994, "A list for each CPU; who has nothing to do takes from another.", "work-stealing";
    "cfs40", "CFS in 40 lines", 2007, "Who has run least, by weight, runs next, for a share of a period.", "cfs-40";
    "ule40", "ULE's interactivity in 40 lines", 2003, "Who sleeps more than it runs goes first, the others take turns.", "ule-40";
}

/// The program of a template; that of the first if there is none of this name.
#[must_use]
pub fn source(era: &str) -> &'static str {
    let found = ERAS.iter().position(|e| e.id == era);
    SOURCES[found.unwrap_or(0)]
}
