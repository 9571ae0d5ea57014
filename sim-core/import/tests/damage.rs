//! Whatever stands in a file: the reader, the lane and the workload end with a result or a sentence, never with a panic.

use sim_import::lane::Lane;
use sim_import::workload::Workload;
use sim_import::{Options, Reading, Trace};
use std::fs;
use std::path::Path;

/// Everything that is done with a file. Whether it was read.
fn whole(bytes: &[u8], piece: usize) -> bool {
    let mut lane = Lane::with_stretches();
    let mut trace = Trace::new(Options { allow_lost: true });
    for piece in bytes.chunks(piece) {
        if let Err(e) = trace.push(piece, &mut lane) {
            assert!(!e.to_string().is_empty());
            return false;
        }
    }
    match trace.finish(&mut lane) {
        Ok(facts) => {
            lane.close();
            let workload = Workload::new(&lane, trace.names(), &facts, false);
            let file = workload.write().expect("a small trace");
            assert_eq!(Workload::read(&file), Ok(workload));
            true
        }
        Err(e) => {
            assert!(!e.to_string().is_empty());
            false
        }
    }
}

/// Random numbers, the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % most.max(1)
    }
}

/// What damage is made of: what lines have, and what they should not have.
const WORDS: [&[u8]; 16] = [
    b"[",
    b"] ",
    b"-1",
    b": ",
    b" ==> ",
    b"18446744073709551615",
    b"4294967295",
    b"999999999999.999999:",
    b"0.0: ",
    b"prev_state=",
    b"\"",
    b"\\u00",
    b"\n",
    b"\xff\xfe",
    b"tid ",
    b"[LOST 5 EVENTS]",
];

fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(6) {
        let at = random.below(bytes.len());
        let end = (at + random.below(60)).min(bytes.len());
        match random.below(6) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => drop(bytes.drain(at..end)),
            2 => {
                let part = bytes[at..end].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, part);
            }
            3 => bytes[at] = b"0123456789"[random.below(10)],
            4 => bytes.truncate(at.max(200)),
            _ => {
                let word = WORDS[random.below(WORDS.len())];
                bytes.splice(at..at, word.iter().copied());
            }
        }
        if bytes.is_empty() {
            bytes.push(b'x');
        }
    }
}

/// The beginnings of files of all kinds.
fn samples() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/traces");
    let begin = |name: &str| {
        let bytes = fs::read(folder.join(name)).expect(name);
        let end = bytes.len().min(4_000);
        bytes[..end].to_vec()
    };
    let ftrace = begin("smp5.ftrace.txt");
    let text = String::from_utf8_lossy(&ftrace);
    let json = format!(
        "{{\"traceEvents\":[],\"systemTraceEvents\":\"{}\"}}",
        text.replace('\n', "\\n")
    );
    let page = format!("<html>\n{text}</html>");
    let mut ktr = String::new();
    for i in 0..40_u64 {
        let (at, a, b) = (i * 1_000_000, 100_001 + i % 2, 100_002 - i % 2);
        ktr += &format!(
            "{i} 0 {at} KTRGRAPH group:\"thread\", id:\"t tid {a}\", point:\"statclock\", attributes: prio:1, stathz:127\n\
             {i} 0 {at} KTRGRAPH group:\"thread\", id:\"t tid {a}\", state:\"sleep\", attributes: prio:120\n\
             {i} 0 {at} KTRGRAPH group:\"thread\", id:\"t tid {b}\", state:\"running\", attributes: prio:120\n\
             {i} 1 {at} KTRGRAPH group:\"thread\", id:\"t tid {a}\", state:\"runq add\", attributes: prio:120, linkedto:\"t tid {b}\"\n"
        );
    }
    vec![
        begin("half1.1.stat_runtime.ftrace.txt"),
        begin("fork40.ftrace.txt"),
        begin("hogs2.perf-script.txt"),
        ftrace.clone(),
        json.into_bytes(),
        page.into_bytes(),
        ktr.into_bytes(),
    ]
}

#[test]
fn damaged_traces_never_panic() {
    let samples = samples();
    let mut random = Random(1);
    let mut read = 0;
    let rounds: usize =
        option_env!("TIMESLICE_DAMAGE").map_or(1_500, |n| n.parse().expect("a number"));
    for round in 0..rounds {
        for sample in &samples {
            let mut bytes = sample.clone();
            damage(&mut bytes, &mut random);
            let piece = 1 + random.below(if round % 4 == 0 { 50 } else { 5_000 });
            read += usize::from(whole(&bytes, piece));
        }
    }
    // Most damage is small, so the readers behind the refusals are reached, too.
    assert!(read > rounds, "{read}");
}
