//! `timeslice-pack CORE.wasm FOLDER NAME`: writes what wasm-pack would write with `--target web`, and the same bytes:
//! `NAME.js`, `NAME_bg.wasm` and their types. It begins with the compiled core, and leaves optimising to wasm-opt.

use std::env::args;
use std::error::Error;
use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

fn pack(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let [core, folder, name] = arguments else {
        return Err("usage: timeslice-pack CORE.wasm FOLDER NAME".into());
    };
    // The library and its command line differ in their default of the module's path.
    Bindgen::new()
        .input_path(core)
        .web(true)?
        .typescript(true)
        .omit_default_module_path(false)
        .out_name(name)
        .generate(folder)?;
    Ok(())
}

fn main() -> ExitCode {
    match pack(&args().skip(1).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:?}");
            ExitCode::FAILURE
        }
    }
}
