//! The command line as users meet it: exit codes, messages, JSON, pipes.

use std::io::{ErrorKind, Read, Write};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

fn timeslice(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_timeslice"));
    command.args(args);
    command
}

fn run(args: &[&str]) -> Output {
    timeslice(args).output().expect("starts")
}

/// Runs with a text as standard input.
fn run_with(args: &[&str], input: &str) -> Output {
    let mut child = timeslice(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    let mut stdin = child.stdin.take().expect("piped");
    // A program that refuses its arguments may end before it has read anything.
    if let Err(error) = stdin.write_all(input.as_bytes()) {
        assert_eq!(error.kind(), ErrorKind::BrokenPipe, "{error}");
    }
    drop(stdin);
    child.wait_with_output().expect("ends")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

#[track_caller]
fn fails(output: &Output, wanted: &[&str]) {
    let text = stderr(output);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert_eq!(stdout(output), "", "errors go to standard error");
    for part in wanted {
        assert!(text.contains(part), "\"{part}\" is missing in: {text}");
    }
    assert!(!text.contains("panicked"), "{text}");
}

#[track_caller]
fn json(output: &Output) -> serde_json::Value {
    assert_eq!(output.status.code(), Some(0), "{}", stderr(output));
    serde_json::from_str(&stdout(output)).expect("JSON")
}

/// A file of this test process in the build folder.
fn file(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("can be written");
    path
}

const SMALL: &str = r#"{
  "version": 1,
  "name": "two hogs",
  "machine": "i7860",
  "schedulers": [{ "id": "bfs" }, { "id": "manual" }],
  "groups": [{ "name": "hog", "count": 2, "behaviour": { "kind": "dhrystone" } }],
  "end": { "atNs": 50000000 }
}"#;

/// The small scenario on an inline machine: the file of a preset with another id.
fn inline(id: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/machines");
    let text = std::fs::read_to_string(path.join(format!("{id}.json"))).expect("readable");
    let machine = text.replace(&format!("\"id\": \"{id}\""), "\"id\": \"mine\"");
    SMALL.replace("\"i7860\"", &machine)
}

#[test]
fn a_machine_may_be_written_out_in_the_scenario() {
    let by_name = json(&run_with(&["run", "--json", "-"], SMALL));
    let written = json(&run_with(&["run", "--json", "-"], &inline("i7860")));
    for (a, b) in [0, 1].map(|lane| (&by_name[lane], &written[lane])) {
        assert!(a["metrics"].is_object() || a["metrics"].is_array(), "{a}");
        assert_eq!(a["metrics"], b["metrics"]);
        assert_eq!(
            (&a["machine"], &b["machine"]),
            (&"i7860".into(), &"mine".into())
        );
    }
    let checked = run_with(&["check", "-"], &inline("adl12900k"));
    assert_eq!(checked.status.code(), Some(0), "{}", stderr(&checked));
    assert!(stdout(&checked).contains("24 CPUs"), "{}", stdout(&checked));
}

#[test]
fn measures_have_values_units_and_messages_with_a_column() {
    let of = |expression: &str| run_with(&["run", "--measure", expression, "--json", "-"], SMALL);
    let told = json(&of("each(cputime(lane, hog))"));
    assert_eq!(told[0]["unit"], "ns");
    assert_eq!(told[0]["value"].as_array().map(Vec::len), Some(2));
    let text = run_with(&["run", "--measure", "share(1, hog) > 1", "-"], SMALL);
    assert_eq!(stdout(&text), "share(1, hog) > 1 = yes\n");
    let wrong = of("waits(1, hgo)");
    assert_eq!(wrong.status.code(), Some(2));
    let said = stderr(&wrong);
    assert!(
        said.contains("--measure: waits(1, hgo): column 10: nobody is called"),
        "{said}"
    );
}

#[test]
fn a_property_is_set_before_the_run_and_during_it() {
    let run = |set: &[&str]| {
        let sets = set.iter().flat_map(|set| ["--set", set]);
        let args: Vec<&str> = ["run", "--json", "-"].into_iter().chain(sets).collect();
        run_with(&args, SMALL)
    };
    let plain = json(&run(&[]));
    let same = json(&run(&["groups.hog.nice=0"]));
    assert_eq!(plain[0]["digest"], same[0]["digest"], "nice was 0");
    let told = json(&run(&["groups.hog.nice=5", "end.atNs=10ms"]));
    assert_eq!(told[0]["threads"][0]["nice"], 5);
    assert_eq!(told[0]["elapsedNs"], 10_000_000);
    let later = json(&run(&["groups.hog.nice=5@1ms"]));
    assert_ne!(plain[0]["digest"], later[0]["digest"]);
    for (set, part) in [
        (
            "groups.hgo.nice=5",
            "-: groups.hgo.nice: must be one of hog",
        ),
        (
            "groups.hog.nice=50",
            "groups[0].nice: must be from -20 to 20",
        ),
        ("seed=1@1ms", "-: seed: can only be set before the run"),
        ("hog.nice=5", "no path begins with \"hog\", expected one of"),
    ] {
        let wrong = run(&[set]);
        assert_eq!(wrong.status.code(), Some(2), "{set}");
        assert!(stderr(&wrong).contains(part), "{}", stderr(&wrong));
    }
}

#[test]
fn threads_that_start_too_close_for_bfs_0_318_are_noticed_and_no_error() {
    let of = |spacing: &str, start: &str, delay: &str| {
        let second = format!(
            r#"[{{ "name": "late", "count": 1, "behaviour": {{ "kind": "dhrystone" }}, "startNs": {start} }}, "#
        );
        let text = SMALL
            .replacen(
                "\"count\": 2,",
                &format!("\"count\": 2, \"startSpacingNs\": {spacing},"),
                1,
            )
            .replacen(
                "\"groups\": [",
                &format!("\"timing\": {{ \"idleExitDeepNs\": {delay} }}, \"groups\": {second}"),
                1,
            );
        let checked = run_with(&["check", "-"], &text);
        assert_eq!(checked.status.code(), Some(0), "{}", stderr(&checked));
        stdout(&checked)
    };
    let close = of("100000", "5000000", "200000");
    assert!(close.contains("valid"), "{close}");
    for part in [
        "notice: groups[1].startSpacingNs",
        "100000 ns apart",
        "200000 ns",
        "1 ms is safe",
    ] {
        assert!(close.contains(part), "\"{part}\" is missing in: {close}");
    }
    let beside = of("1000000", "50000", "200000");
    assert!(
        beside.contains("notice: groups[1].startNs: threads that start 50000 ns apart"),
        "{beside}"
    );
    for safe in [
        of("1000000", "5000000", "200000"),
        of("200000", "5000000", "200000"),
    ] {
        assert!(!safe.contains("notice"), "{safe}");
    }
}

#[test]
fn what_is_wrong_with_a_machine_is_said_with_its_path() {
    let wrong = inline("adl12900k")
        .replace("\"cluster\": 4", "\"cluster\": 3")
        .replace("\"clockMhz\": 4900", "\"clockMhz\": 0");
    fails(
        &run_with(&["check", "-"], &wrong),
        &[
            "machine.clockMhz: must be from 1 to 100000 MHz, got 0",
            "cores[1].cluster: must divide the number of cores (8), got 3",
        ],
    );
    let misspelt = inline("i7860").replace("\"clockMhz\"", "\"clockMHz\"");
    fails(
        &run_with(&["check", "-"], &misspelt),
        &["line ", "unknown field `clockMHz`, expected one of"],
    );
}

#[test]
fn everything_wrong_is_said_at_once_with_file_path_and_allowed_values() {
    let text = SMALL
        .replace("\"count\": 2", "\"count\": 2, \"nice\": 33")
        .replace("\"bfs\"", "\"cfq\"")
        .replace("i7860", "pdp11");
    let path = file("wrong.json", &text);
    let name = path.to_str().expect("UTF-8");
    for command in ["check", "run"] {
        let output = run(&[command, name]);
        let line = |rest: &str| format!("{name}: {rest}");
        fails(
            &output,
            &[
                &line("machine: must be one of i7860"),
                &line("schedulers[0].id: must be one of bfs, manual, random"),
                "got \"cfq\"",
                &line("groups[0].nice: must be from -20 to 20, got 33"),
            ],
        );
        assert_eq!(stderr(&output).lines().count(), 3);
    }
}

#[test]
fn bad_json_is_shown_with_line_and_column() {
    let path = file("bad.json", "{\n  \"version\": 1,\n  \"name\" \"x\"\n}\n");
    let name = path.to_str().expect("UTF-8");
    fails(
        &run(&["check", name]),
        &[name, "line 3, column 10", "expected"],
    );
    let unknown = SMALL.replace("\"end\"", "\"colour\": 3, \"end\"");
    fails(
        &run_with(&["check", "-"], &unknown),
        &["-: line 7", "colour", "expected one of"],
    );
    fails(&run_with(&["run", "-"], ""), &["-: line 1"]);
}

#[test]
fn what_is_neither_a_file_nor_shipped_is_named() {
    for command in ["check", "run"] {
        fails(
            &run(&[command, "no-such-scenario"]),
            &["no-such-scenario: there is no such file"],
        );
    }
    fails(&run(&["check", "."]), &[".: cannot be read"]);
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("latin1.json");
    std::fs::write(&path, b"{\"name\": \"\xe9\"}").expect("can be written");
    let name = path.to_str().expect("UTF-8");
    fails(&run(&["check", name]), &[name, "UTF-8"]);
}

#[test]
fn a_wrong_call_explains_itself() {
    for args in [
        &["frobnicate"][..],
        &["run"],
        &["run", "bfs-smt", "--until", "5 parsecs"],
        &["run", "bfs-smt", "--until", "0s"],
        &["run", "bfs-smt", "--until", "1.5ns"],
        &["run", "bfs-smt", "--stop-at", "nth=2"],
        &["run", "bfs-smt", "--until", "99999999999999999999s"],
        &["run", "bfs-smt", "--seed", "-1"],
    ] {
        let output = run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains("error"), "{args:?}");
    }
    fails(
        &run(&[
            "run",
            "bfs-smt",
            "--until",
            "1ms",
            "--seed",
            "9007199254740992",
        ]),
        &["seed: must be from 0 to 9007199254740991"],
    );
    fails(
        &run(&["bench", "64x64", "--seconds", "1"]),
        &["64x64: must be one of 8x8"],
    );
    fails(&run(&["claims", "X99"]), &["X99", "must be one of"]);
}

#[test]
fn check_says_what_is_in_a_valid_scenario() {
    let path = file("small.json", SMALL);
    let name = path.to_str().expect("UTF-8");
    let output = run(&["check", name]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(
        stdout(&output),
        format!("{name}: valid; 2 schedulers, 2 threads, 8 CPUs\n")
    );
    for entry in sim_core::experiment::registry::SCENARIOS {
        assert_eq!(
            run(&["check", entry.0]).status.code(),
            Some(0),
            "{}",
            entry.0
        );
    }
}

#[test]
fn json_is_a_format_and_has_a_short_word() {
    let until = ["--until", "1ms"];
    for call in [
        [&["run", "bfs-smt"], &until[..]].concat(),
        [&["decisions", "bfs-smt"], &until[..]].concat(),
        vec!["catalog", "machines"],
        vec!["claims", "W2", "--inputs"],
    ] {
        let with = |more: &[&str]| stdout(&run(&[&call[..], more].concat()));
        // The outputs are long: only the call is shown.
        let (text, json) = (with(&[]), with(&["--json"]));
        assert!(with(&["--format", "json"]) == json, "{call:?}");
        assert!(with(&["--format", "text"]) == text, "{call:?}");
        assert!(json != text, "{call:?}");
        let both = [&call[..], &["--json", "--format", "text"]].concat();
        fails(&run(&both), &["cannot be used with"]);
    }
}

#[test]
fn a_run_as_json_has_a_report_and_a_digest_for_each_lane() {
    let reports = json(&run_with(&["run", "-", "--until", "20ms", "--json"], SMALL));
    let reports = reports.as_array().expect("a list");
    assert_eq!(reports.len(), 2);
    for report in reports {
        let digest = report["digest"].as_str().expect("a digest");
        assert_eq!(digest.len(), 16);
        assert!(digest.bytes().all(|b| b.is_ascii_hexdigit()));
        assert_eq!(report["elapsedNs"], 20_000_000);
        assert_eq!(report["threads"].as_array().map(Vec::len), Some(2));
        assert_eq!(report["cpus"].as_array().map(Vec::len), Some(8));
        assert!(report["metrics"]["throughput"].is_number());
    }
    assert_eq!(reports[0]["scheduler"], "bfs");
    // The same command again, and with another seed for the same machine.
    let again = json(&run_with(&["run", "-", "--until", "20ms", "--json"], SMALL));
    assert_eq!(again.as_array().expect("a list"), reports);
    let one = run_with(&["run", "-", "--scheduler", "manual", "--json"], SMALL);
    assert_eq!(json(&one).as_array().map(Vec::len), Some(1));
}

#[test]
fn a_run_as_text_names_threads_cpus_measures_and_digest() {
    let of = |more: &[&str]| {
        let output = run_with(&[&["run", "-", "--until", "20ms"], more].concat(), SMALL);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output)
    };
    let short = of(&[]);
    let long = of(&["--threads", "--cpus", "--all"]);
    for (part, is_short) in [
        ("two hogs", true),
        ("throughput", true),
        ("digest ", true),
        ("hog-1", false),
        ("hog-2", false),
        ("cpu 7", false),
        ("switchShare", false),
    ] {
        assert!(long.contains(part), "{part} is missing in\n{long}");
        assert_eq!(short.contains(part), is_short, "{part} in\n{short}");
    }
}

#[test]
fn a_run_as_text_begins_with_its_lanes_beside_each_other() {
    let text = stdout(&run(&["run", "bfs-smt", "--until", "500ms"]));
    let row = |id: &str| {
        let line = text.lines().find(|line| line.starts_with(id));
        line.unwrap_or_else(|| panic!("{id} in\n{text}")).to_owned()
    };
    let head = row("measure");
    let names = head.split("  ").map(str::trim).filter(|n| !n.is_empty());
    let names: Vec<&str> = names.skip(1).collect();
    assert_eq!(names, ["1 bfs 0.318", "2 manual fixed", "3 random uniform"]);
    // More throughput is better; more switches are neither better nor worse.
    let throughput = row("throughput");
    let of = |mark: &str| throughput.matches(mark).count();
    assert_eq!((of(" +"), of(" -")), (1, 1), "{throughput}");
    let switches = row("switches");
    assert!(!switches.contains('+'), "{switches}");
}

#[test]
fn the_catalog_is_json_of_everything() {
    let catalog = json(&run(&["catalog", "--json"]));
    for key in [
        "schedulers",
        "machines",
        "behaviours",
        "metrics",
        "bounds",
        "scenarios",
    ] {
        let list = catalog[key].as_array().expect(key);
        assert!(!list.is_empty(), "{key}");
    }
    for scheduler in catalog["schedulers"].as_array().expect("a list") {
        let reasons = scheduler["reasons"].as_array().expect("its own");
        assert!(!reasons.is_empty(), "{}", scheduler["id"]);
    }
    let text = stdout(&run(&["catalog"]));
    assert!(text.contains("rrIntervalMs"), "{text}");
}

/// (That the command without names tells all shipped ones is seen by the comparison with WebAssembly.)
#[test]
fn digests_are_json_and_repeat() {
    let shipped = ["s3-nice", "bfs-smt"];
    let all = run(&[&["digest", "--json"], &shipped[..]].concat());
    let digests = json(&all);
    let digests = digests.as_array().expect("a list");
    let lanes = |id: &&str| {
        let scenario = sim_core::experiment::registry::scenario(id).expect("shipped");
        scenario.schedulers.len()
    };
    assert_eq!(digests.len(), shipped.iter().map(lanes).sum::<usize>());
    let text = stdout(&run(&[&["digest"], &shipped[..]].concat()));
    for d in digests {
        let digest = d["digest"].as_str().expect("a digest");
        assert_eq!(digest.len(), 16);
        assert!(d["scenario"].is_string() && d["scheduler"].is_string() && d["lane"].is_u64());
        assert!(text.contains(digest), "{digest} differs");
    }
    let none = run(&["digest", "none"]);
    assert_eq!(none.status.code(), Some(2), "{}", stderr(&none));
}

/// A disk without room.
#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_written_is_an_error() {
    let until = ["--until", "20ms"];
    let sweep = crate::sweep::sweep_file("sweep-full");
    let sweep = ["sweep", sweep.to_str().expect("UTF-8")];
    let calls = [
        vec!["--help"],
        vec!["--version"],
        vec!["lesson", "new", "--help"],
        [&["run", "bfs-smt"], &until[..]].concat(),
        [&["run", "bfs-smt", "--json"], &until[..]].concat(),
        [&["trace", "bfs-smt", "--format", "ftrace"], &until[..]].concat(),
        [&["trace", "bfs-smt", "--format", "ktr"], &until[..]].concat(),
        [&["trace", "bfs-smt", "--format", "csv"], &until[..]].concat(),
        [&["trace", "bfs-smt", "--format", "jsonl"], &until[..]].concat(),
        [&["decisions", "bfs-smt"], &until[..]].concat(),
        [&["decisions", "bfs-smt", "--json"], &until[..]].concat(),
        [&["decisions", "bfs-smt", "--format", "chrome"], &until[..]].concat(),
        vec!["catalog"],
        vec!["catalog", "--json"],
        vec!["check", "bfs-smt"],
        vec!["claims", "--inputs", "--json"],
        vec!["digest", "bfs-smt"],
        vec!["bench", "--list"],
        vec!["lesson", "check", "l01-one-too-many"],
        vec!["lesson", "new", "bfs-smt"],
        vec!["lesson", "worksheet", "l01-one-too-many"],
        [&sweep[..], &["--format", "text"]].concat(),
        [&sweep[..], &["--format", "csv"]].concat(),
        [&sweep[..], &["--format", "jsonl"]].concat(),
        [&sweep[..], &["--format", "arrow"]].concat(),
        [&sweep[..], &["--json"]].concat(),
    ];
    for args in calls {
        let full = std::fs::File::options().write(true).open("/dev/full");
        let mut call = timeslice(&args);
        let output = call.stdout(full.expect("of Linux")).output();
        let output = output.expect("starts");
        let wanted = "standard output: cannot be written: No space left on device";
        fails(&output, &[wanted]);
        assert_eq!(stderr(&output).matches("standard output").count(), 1);
    }
}

#[test]
fn a_file_that_cannot_be_written_leaves_the_one_before_it() {
    let sheet = |file: &std::path::Path| {
        let file = file.to_str().expect("UTF-8");
        run(&["lesson", "worksheet", "l01-one-too-many", "--html", file])
    };
    let before = file("sheet.html", "before");
    // A folder stands where the new file is written first.
    let part = before.with_extension("html.part");
    std::fs::create_dir_all(&part).expect("can be made");
    fails(&sheet(&before), &["sheet.html: cannot be written: "]);
    let text = || std::fs::read_to_string(&before).expect("readable");
    assert_eq!(text(), "before");
    std::fs::remove_dir(&part).expect("is empty");
    assert_eq!(sheet(&before).status.code(), Some(0));
    assert!(text().starts_with("<!doctype html>"));
    assert!(!part.exists());
    #[cfg(target_os = "linux")]
    fails(
        &sheet("/dev/full".as_ref()),
        &["/dev/full: cannot be written: "],
    );
}

/// Reads one line, then closes the pipe.
fn head(args: &[&str]) -> (Option<i32>, String) {
    let mut child = timeslice(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    let mut first = [0];
    let mut pipe = child.stdout.take().expect("piped");
    pipe.read_exact(&mut first).expect("says something");
    drop(pipe);
    let output = child.wait_with_output().expect("ends");
    (output.status.code(), stderr(&output))
}

#[test]
fn a_reader_that_goes_away_is_no_crash() {
    for args in [
        &["catalog", "--json"][..],
        &["catalog"],
        &["run", "bfs-smt", "--until", "50ms"],
        &["run", "bfs-smt", "--until", "50ms", "--json"],
    ] {
        let (code, errors) = head(args);
        assert_eq!(code, Some(0), "{args:?}: {errors}");
        assert_eq!(errors, "", "{args:?}");
    }
}

#[test]
fn an_era_is_chosen_by_its_id_or_by_a_word_that_only_it_has() {
    let era = |said: &str| {
        let output = run(&[
            "run",
            "s3-nice",
            "--until",
            "1ms",
            "--json",
            "--scheduler",
            said,
        ]);
        let reports = json(&output);
        let lanes = reports.as_array().expect("a list");
        let eras = lanes
            .iter()
            .map(|lane| lane["era"].as_str().expect("an era").to_owned());
        eras.collect::<Vec<_>>()
    };
    assert_eq!(era("4bsd:10.4"), ["2017"]);
    assert_eq!(era("4bsd:2017"), ["2017"]);
    assert_eq!(era("ule").len(), 2, "both lanes of the scenario");
    assert_eq!(era("ule:16-2025"), ["16-2025"]);
    // Two eras are of 10-CURRENT.
    for wrong in ["4bsd:10-CURRENT", "4bsd:Linux", "ule:"] {
        let args = ["run", "s3-nice", "--scheduler", wrong];
        fails(&run(&args), &["--scheduler: the era of", "must be one of"]);
    }
}

#[test]
fn help_and_version_are_there() {
    for args in [&["--help"][..], &["run", "--help"], &["--version"]] {
        let output = run(args);
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        assert!(!stdout(&output).is_empty());
    }
}

#[test]
fn what_a_terminal_would_obey_is_written_out() {
    let bad = "x\u{1b}[2J\u{202e}\u{9b}";
    let strange = file("strange.json", &format!("{{\"{}\": 1}}", "x\\u001b\\u202e"));
    let quiet = |output: &Output| {
        let text = stderr(output) + &stdout(output);
        let obeyed = |c: char| c != '\n' && sim_core::text::is_unseen(c);
        assert!(!text.contains(obeyed), "{text:?}");
        assert!(text.contains("\\u{202e}"), "{text:?}");
    };
    quiet(&run(&["check", bad]));
    quiet(&run(&["check", strange.to_str().expect("UTF-8")]));
    quiet(&run_with(&["check", "-"], "{\"x\u{202e}\u{9b}\": 1}"));
    quiet(&run(&["trace", "bfs-smt", "--format", bad]));
}

#[test]
fn a_word_that_is_nearly_right_is_answered_with_the_right_one() {
    for (args, meant) in [
        (&["run", "s3-nise"][..], "did you mean \"s3-nice\"?"),
        (
            &["run", "s3-nice", "--scheduler", "ulee"],
            "did you mean \"ule\"?",
        ),
        (
            &["run", "s3-nice", "--set", "lanes.1.era=15-2023"],
            "did you mean \"15-2024\"?",
        ),
        (&["catalog", "tunables", "evdf"], "did you mean \"eevdf\"?"),
        (&["chekc", "s3-nice"], "check"),
    ] {
        fails(&run(args), &[meant]);
    }
    let unlike = stderr(&run(&["run", "windows"]));
    assert!(unlike.contains("must be one of bfs-smt, "), "{unlike}");
    assert!(!unlike.contains("did you mean"), "{unlike}");
}

#[test]
fn check_goes_on_after_a_wrong_file() {
    let output = run(&["check", "s3-nice", "no-such", "bfs-smt"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stdout(&output).contains("s3-nice: valid"),
        "{}",
        stdout(&output)
    );
    assert!(
        stdout(&output).contains("bfs-smt: valid"),
        "{}",
        stdout(&output)
    );
    assert!(stderr(&output).contains("no-such: there is no such file"));
}

#[test]
fn a_part_of_the_catalog_is_printed_alone() {
    let tunables = stdout(&run(&["catalog", "tunables", "ule"]));
    assert!(tunables.contains("stathz"), "{tunables}");
    assert!(tunables.contains("127 Hz (10 to 10000)"), "{tunables}");
    assert!(!tunables.contains("eevdf"), "{tunables}");
    let machines = json(&run(&["catalog", "machines", "--json"]));
    assert!(machines.as_array().is_some_and(|all| all.len() > 10));
    fails(&run(&["catalog", "machines", "ule"]), &["only the parts"]);
}

#[test]
fn until_beyond_the_end_says_so() {
    let output = run(&["run", "s3-nice", "--scheduler", "ule", "--until", "15min"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stderr(&output).contains("--until: the scenario ends before, at 600000000000 ns"));
}

#[test]
fn shells_and_man_learn_all_commands() {
    for shell in ["bash", "zsh", "fish"] {
        let script = stdout(&run(&["completions", shell]));
        for word in ["sweep", "--measure", "worksheet"] {
            assert!(
                script.contains(word.trim_start_matches("--")),
                "{shell}: {word}"
            );
        }
    }
    let folder = std::env::temp_dir().join(format!("timeslice-man-{}", std::process::id()));
    let name = folder.to_str().expect("UTF-8");
    assert_eq!(run(&["man", name]).status.code(), Some(0));
    let page = std::fs::read_to_string(folder.join("timeslice-run.1")).expect("a page");
    std::fs::remove_dir_all(&folder).expect("removed");
    assert!(page.contains("stop\\-at"), "{page}");
}
