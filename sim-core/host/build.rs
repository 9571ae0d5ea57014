//! Embeds what readers are told of each reason.

use std::path::Path;

fn main() {
    let folders = ["../schedulers/src", "../policy/src"];
    for folder in folders {
        println!("cargo::rerun-if-changed={folder}");
    }
    let out = std::env::var_os("OUT_DIR").expect("set by cargo");
    match sim_reasons::sentences(&folders.map(Path::new)) {
        Ok(rust) => std::fs::write(Path::new(&out).join("words.rs"), rust).expect("can be written"),
        Err(wrong) => println!("cargo::error={wrong}"),
    }
}
