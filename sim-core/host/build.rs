//! Embeds the words for decisions: `web/src/view/schedulers/<id>/words.json`, one file for each scheduler.

use std::fmt::Write;
use std::path::{Path, PathBuf};

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/view/schedulers");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files: Vec<(String, PathBuf)> = std::fs::read_dir(&folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let file = entry.path().join("words.json");
            Some((entry.file_name().into_string().ok()?, file))
        })
        .filter(|(_, file)| file.is_file())
        .collect();
    files.sort();
    let mut source = String::from("[\n");
    for (id, file) in files {
        println!("cargo::rerun-if-changed={}", file.display());
        let path = file.canonicalize().expect("a file that is there");
        writeln!(source, "    ({id:?}, include_str!({path:?})),").expect("memory");
    }
    source.push(']');
    let out = std::env::var_os("OUT_DIR").expect("set by cargo");
    std::fs::write(Path::new(&out).join("words.rs"), source).expect("can be written");
}
