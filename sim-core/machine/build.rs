//! Embeds the machine presets without their sources. The sources are texts for readers, ten times as long as the
//! numbers. No run needs them, and every visitor would load them.

use serde_json::Value;
use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let from = PathBuf::from("../../scenarios/machines");
    let to = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo names no folder")?);
    println!("cargo::rerun-if-changed={}", from.display());
    for entry in fs::read_dir(&from)? {
        let path = entry?.path();
        let Some(name) = path
            .file_name()
            .filter(|_| path.extension().is_some_and(|e| e == "json"))
        else {
            continue;
        };
        // A file that is not JSON is embedded unchanged: a test then names it.
        let text = fs::read_to_string(&path)?;
        let text = match serde_json::from_str::<Value>(&text) {
            Ok(Value::Object(mut machine)) => {
                machine.remove("provenance");
                Value::Object(machine).to_string()
            }
            _ => text,
        };
        fs::write(to.join(name), text)?;
    }
    Ok(())
}
