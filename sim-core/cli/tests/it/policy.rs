//! Own policies on the command line: a file beside the scenario's lanes, or alone, and what is told of a wrong one.

use std::path::PathBuf;
use std::process::{Command, Output};

fn run(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_timeslice"));
    command.args(args).output().expect("starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// A file of this test process in the build folder.
fn file(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("can be written");
    path
}

const STRIDE: &str = "thread_state(\"used\", 0)\n
def ran(t, time):
    t.used += time * 1024 // t.weight\n
def pick(cpu):
    best = min(cpu.waiting, key=lambda t: t.used)
    because(\"has used least\", best)
    return best\n
def slice(t):
    return 3 * ms
";

#[test]
fn a_policy_runs_beside_the_lanes_of_the_scenario_or_alone() {
    let path = file("stride.policy.py", STRIDE);
    let path = path.to_str().expect("a path");
    let until = ["--until", "500ms", "--policy", path];
    let beside = run(&[&["run", "s3-nice"][..], &until].concat());
    let told = text(&beside.stdout);
    assert!(
        told.contains("own program") && told.contains("ule 15-2024"),
        "{told}"
    );
    let alone = ["run", "s3-nice", "--scheduler", "own", "--columns"];
    let told = text(&run(&[&alone[..], &until].concat()).stdout);
    assert!(!told.contains("ule 15") && told.contains("used"), "{told}");
    let why = [
        "decisions",
        "s3-nice",
        "--scheduler",
        "own",
        "--reason",
        "policy_pick",
        "--full",
    ];
    let told = text(&run(&[&why[..], &until].concat()).stdout);
    assert!(told.contains("It said: has used least: first-1."), "{told}");
}

#[test]
fn a_program_is_a_property_of_a_lane() {
    let set = "lanes.1.program=def pick(cpu): return cpu.waiting[0]";
    let args = [
        "run",
        "s3-nice",
        "--until",
        "50ms",
        "--set",
        "lanes.1=own",
        "--set",
        set,
    ];
    let told = text(&run(&args).stdout);
    assert!(told.contains("1 own program"), "{told}");
}

#[test]
fn a_wrong_policy_is_told_with_its_file_line_and_column() {
    let path = file(
        "wrong.policy.py",
        "def pick(cpu):\n    return mix(cpu.waiting)\n",
    );
    let path = path.to_str().expect("a path");
    let output = run(&["run", "s3-nice", "--policy", path]);
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("wrong.policy.py"), "{told}");
    assert!(
        told.contains("line 2, column 12: there is no `mix`; there is `max`"),
        "{told}"
    );
}
