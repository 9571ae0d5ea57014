//! Does Linux 6.18.44 obey the rules of the era 6.18? Real traces in `sim-core/tests/traces`.

use sim_import::{Reading, Trace};
use sim_retrace::{Asked, Pattern, Question, Record, Recorder, ask};
use std::path::Path;

fn record(name: &str) -> Record {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/traces");
    let bytes = std::fs::read(folder.join(name)).expect(name);
    let (mut trace, mut recorder) = (Trace::default(), Recorder::default());
    trace.push(&bytes, &mut recorder).expect(name);
    trace.finish(&mut recorder).expect(name);
    Record::new(recorder, None)
}

const TRACES: [&str; 5] = [
    "nice_0_5.1.stat_runtime.ftrace.txt",
    "hogs_3.1.stat_runtime.ftrace.txt",
    "half1.1.stat_runtime.ftrace.txt",
    "slice_30_def.0.stat_runtime.ftrace.txt",
    "duty_1000_9000_h2.with-stat_runtime.ftrace.txt",
];

fn asked(name: &str) -> Asked {
    let mut question = Question::of("eevdf:6.18").expect("an era");
    if name.starts_with("slice_30_def") {
        question.slices.push((Pattern::new("tsw-a"), 30_000_000));
    }
    ask(&record(name), &question).expect(name)
}

#[test]
fn table() {
    for name in TRACES {
        let a = asked(name);
        println!(
            "{name}: {:?} alone {} goes on {:?} preempts {:?} controls {:?} mended {} settling {:?} {:?}",
            a.picks, a.alone, a.goes_on, a.preempts, a.controls, a.mended, a.settling, a.began
        );
        for d in &a.disagreements {
            println!("  {} cpu {} {:?} took {} rules {} off {:?} {:?}", d.at_ns, d.cpu, d.about, d.took, d.rules, d.against_ns,
                d.queue.iter().map(|s| format!("{} lag {} d {} {}{}{}", s.thread, s.lag_ns, s.deadline_ns, if s.runs {"R"} else {""}, if s.protected {"P"} else {""}, if s.delayed {"D"} else {""})).collect::<Vec<_>>());
        }
    }
}
