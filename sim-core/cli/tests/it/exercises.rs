//! Marking own policies: a program, a folder of a class, and an exercise of a teacher's own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn run(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_timeslice"));
    command.args(args).output().expect("starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// A new folder of this test process in the build folder.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("can be made");
    path
}

fn shipped(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::read_to_string(root.join(path)).expect("shipped")
}

/// The model of E1, which is a policy of the textbook.
const MODEL: &str = "sim-core/policy/templates/round-robin.policy.py";

/// What E1 begins with, which does not pass.
const FIRST: &str = "sim-core/policy/templates/fifo.policy.py";

#[test]
fn a_class_is_a_folder_with_a_row_for_each_program_whatever_is_wrong_with_it() {
    let class = folder("class");
    let model = shipped(MODEL);
    let write = |name: &str, text: &str| fs::write(class.join(name), text).expect("written");
    write("ada.policy.py", &model);
    write(
        "bob.policy.py",
        &model
            .replace("TURN", "LONG")
            .replace("# Round", "# My round"),
    );
    write(
        "cy.policy.py",
        "def pick(cpu):\n    return mix(cpu.waiting)\n",
    );
    write("dee.policy.py", "def pick(cpu):\n    return 7\n");
    fs::write(class.join("eve.policy.py"), [0xff, 0xfe]).expect("written");
    write("notes.txt", "no program");
    let path = class.to_str().expect("a path");
    let output = run(&["grade", path, "--exercise", "E1", "--csv"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let told = text(&output.stdout);
    let rows: Vec<&str> = told.lines().collect();
    assert_eq!(
        rows[0],
        "file,exercise,passed,points,of,three,newcomer,sleeper,error,alike"
    );
    assert_eq!(
        rows[1],
        "ada.policy.py,e1,true,3,3,true,true,true,,bob.policy.py"
    );
    assert_eq!(
        rows[2],
        "bob.policy.py,e1,true,3,3,true,true,true,,ada.policy.py"
    );
    let unread =
        "cy.policy.py,e1,false,0,3,,,,\"line 2, column 12: there is no `mix`; there is `max`\",";
    assert_eq!(rows[3], unread);
    assert!(
        rows[4].starts_with("dee.policy.py,e1,false,0,3,false,false,false,"),
        "{told}"
    );
    assert!(rows[4].contains("`pick(cpu 0)` answered 7"), "{told}");
    let no_text = "eve.policy.py,e1,false,0,3,,,,cannot be read: it is no text (UTF-8),";
    assert_eq!(rows[5], no_text);
    assert_eq!(rows.len(), 6, "{told}");
    let again = run(&["grade", path, "--exercise", "E1", "--csv"]);
    assert_eq!(output.stdout, again.stdout);
}

#[test]
fn a_single_program_has_its_checks_with_what_was_wanted_and_what_came() {
    let class = folder("single");
    let file = |name: &str, text: &str| {
        let path = class.join(name);
        fs::write(&path, text).expect("written");
        path.to_str().expect("a path").to_owned()
    };
    let good = file("good.policy.py", &shipped(MODEL));
    let output = run(&["grade", &good, "--exercise", "E1"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).contains("good.policy.py: passes, 3 of 3 points"));
    let long = shipped(MODEL).replace("10 * ms", "20 * ms");
    let long = file("long.policy.py", &long);
    let output = run(&["grade", &long, "--exercise", "e1", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let checks = &told[0]["cases"][0]["checks"];
    assert_eq!(
        (&checks[0]["passed"], &checks[1]["passed"]),
        (&true.into(), &false.into())
    );
    assert_eq!(checks[1]["atMost"], "10.1 ms");
    let broken = file("broken.policy.py", "def pik(cpu):\n    return None\n");
    let output = run(&["grade", &broken, "--exercise", "e1"]);
    assert_eq!(output.status.code(), Some(2));
    let told = text(&output.stdout);
    assert!(
        told.ends_with(
            "  line 1, column 5: a policy needs a function `pick(cpu)`; `pik` is close\n"
        ),
        "{told}"
    );
    let output = run(&["grade", "absent.policy.py", "--exercise", "e1"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty(), "nothing was graded");
    let told = text(&output.stderr);
    assert!(
        told.starts_with("absent.policy.py: cannot be read: "),
        "{told}"
    );
}

#[test]
fn a_teacher_checks_an_exercise_of_their_own() {
    let place = folder("own");
    let exercise = place.join("mine.json");
    let model = place.join("model.policy.py");
    fs::write(
        &exercise,
        shipped("scenarios/exercises/e1.json").replace("\"e1\"", "\"mine\""),
    )
    .expect("written");
    fs::write(&model, shipped(MODEL)).expect("written");
    let [exercise, model] = [&exercise, &model].map(|p| p.to_str().expect("a path"));
    let output = run(&["exercise", "check", exercise, "--model", model]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stdout).ends_with("mine.json: good\n"));
    let output = run(&["grade", model, "--exercise", exercise]);
    assert_eq!(output.status.code(), Some(0));
    let first = |with: &str| {
        fs::write(model, with).expect("written");
        let output = run(&["exercise", "check", exercise, "--model", model]);
        assert_eq!(output.status.code(), Some(2));
        text(&output.stderr)
    };
    let told = first(&shipped(FIRST));
    assert!(
        told.contains("cases[0]: the model does not pass it: The first twelve turns: hog-1\n"),
        "{told}"
    );
    let told = first("def pick(");
    assert!(
        told.starts_with(model) && told.lines().count() == 1,
        "{told}"
    );
    fs::write(exercise, "{").expect("written");
    let output = run(&["exercise", "check", exercise]);
    assert_eq!(output.status.code(), Some(2));
    let told = text(&output.stderr);
    assert!(
        told.ends_with("line 1, column 1: EOF while parsing an object\n"),
        "{told}"
    );
    let wrong =
        shipped("scenarios/exercises/e1.json").replace("max(turns(1, all))", "max(turn(1, all))");
    fs::write(exercise, wrong).expect("written");
    let output = run(&["exercise", "check", exercise]);
    assert_eq!(output.status.code(), Some(2));
    let told = text(&output.stderr);
    assert!(
        told.contains("cases[0].checks[1].value: ") && told.contains("\"turn\" is no function"),
        "{told}"
    );
}
