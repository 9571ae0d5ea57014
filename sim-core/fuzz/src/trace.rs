//! A trace of unknown origin.

use sim_core::text::is_unseen;
use sim_import::lane::Lane;
use sim_import::summary::Summary;
use sim_import::workload::Workload;
use sim_import::{ImportError, Options, Reading, Trace};

/// A file that is called a trace, cut into pieces by its first byte: it is refused with a sentence, or it gives threads whose
/// times fit into its span, and a workload that is read as it was written.
pub fn import(data: &[u8]) {
    let _ = Workload::read(data).map_err(in_words);
    let Some((size, data)) = data.split_first() else {
        return;
    };
    let mut lane = Lane::with_stretches();
    let mut trace = Trace::new(Options { allow_lost: true });
    for piece in data.chunks(1 + usize::from(*size)) {
        if let Err(e) = trace.push(piece, &mut lane) {
            return in_words(e);
        }
    }
    let facts = match trace.finish(&mut lane) {
        Ok(facts) => facts,
        Err(e) => return in_words(e),
    };
    lane.close();
    let summary = Summary::new(&lane, trace.names(), &facts);
    for thread in &summary.threads {
        let all = [thread.cpu_ns, thread.waited_ns, thread.blocked_ns];
        let all: u128 = all.into_iter().map(u128::from).sum();
        let span = u128::from(summary.span_ns);
        assert!(all <= span, "{thread:?} in {span} ns");
    }
    for pair in lane.stretches().windows(2) {
        assert!(pair[0].from <= pair[1].from, "{pair:?}");
    }
    let workload = Workload::new(&lane, trace.names(), &facts, false);
    let file = workload.write().expect("a small trace");
    assert_eq!(Workload::read(&file), Ok(workload));
}

fn in_words(e: ImportError) {
    let text = e.to_string();
    assert!(!text.is_empty() && text.len() < 5_000, "{e:?}");
    assert!(!text.contains(is_unseen), "{e:?}");
}
