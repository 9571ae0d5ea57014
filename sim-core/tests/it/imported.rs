//! Traces that the core writes, read again: every thread of every shipped scenario had the same time, to the ns.

use sim_core::config::validate;
use sim_core::engine::{Options, Sim};
use sim_core::experiment::registry;
use sim_core::export::{CHUNK, Exporter, Format};
use sim_core::ids::TaskId;
use sim_core::time::SimTime;
use sim_import::lane::Lane;
use sim_import::{Facts, Reading, Trace};
use std::sync::Arc;

const UNTIL: SimTime = SimTime(300_000_000);

/// A run to its end, and the text of it.
fn export(sim: &mut Sim, format: Format) -> String {
    let mut exporter = Exporter::new(format);
    let mut text = String::new();
    loop {
        let (before, most) = (sim.handled(), exporter.events());
        sim.advance(UNTIL, most);
        exporter.more(sim.refresh(), &mut text);
        if sim.handled() - before < most {
            break;
        }
    }
    if format == Format::Ktr {
        // The newest row comes first.
        text = text
            .lines()
            .rev()
            .fold(String::new(), |all, line| all + line + "\n");
    }
    exporter.header(sim) + &text
}

fn import(what: &str, text: &str) -> (Lane, Facts) {
    let (mut trace, mut lane) = (Trace::default(), Lane::default());
    let done = trace
        .push(text.as_bytes(), &mut lane)
        .and_then(|()| trace.finish(&mut lane));
    let facts = done.unwrap_or_else(|e| panic!("{what}: {e}"));
    lane.close_at(UNTIL.0);
    (lane, facts)
}

#[test]
fn own_traces_are_read_as_they_were() {
    let mut lanes = 0;
    for (id, _) in registry::SCENARIOS {
        let scenario = registry::scenario(id).unwrap();
        let plan = Arc::new(validate::plan(&scenario).unwrap());
        for lane in 0..plan.lanes.len() {
            for (format, first) in [(Format::Ftrace, 1), (Format::Ktr, 100_001)] {
                let options = Options {
                    trace_limit: CHUNK,
                    ..Options::default()
                };
                let mut sim = Sim::new(&plan, lane, options);
                let text = export(&mut sim, format);
                let what = format!("{id}, lane {lane}, {format:?}");
                // Cycles have a length by two ticks, and some schedulers have one tick a second.
                if format == Format::Ktr && text.matches("statclock").count() < 2 {
                    continue;
                }
                let (read, facts) = import(&what, &text);
                assert_eq!((facts.bad, read.missing()), (0, 0), "{what}");
                let sim = sim.refresh();
                for task in 0..sim.task_count() {
                    let account = sim.account(TaskId::new(task));
                    let who = format!("{what}, {}", sim.task_name(TaskId::new(task)));
                    let pid = first + u32::try_from(task).unwrap();
                    let thread = read.threads().get(&pid);
                    let ran = thread.map_or(0, |t| t.ran);
                    assert_eq!(ran, account.run_ns, "{who}: {thread:?}");
                    assert_eq!(thread.map_or(0, |t| t.moves), account.migrations, "{who}");
                    if format == Format::Ftrace {
                        assert_eq!(
                            thread.map_or(0, |t| t.waited),
                            account.wait_ns,
                            "{who}: {thread:?}"
                        );
                    }
                }
                lanes += 1;
            }
        }
    }
    assert!(lanes > 40, "{lanes}");
}
