//! Writes the reasons of decisions as Rust; `sim_contract::reasons!` includes them.

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=src");
    let out = std::env::var_os("OUT_DIR").expect("set by cargo");
    if let Err(wrong) = sim_reasons::write_tables(Path::new("src"), Path::new(&out)) {
        println!("cargo::error={wrong}");
    }
}
