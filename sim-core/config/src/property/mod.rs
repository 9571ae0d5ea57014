//! What can be set in a scenario, and the form of paths and values. Changes during a run are read by it here; setting a
//! property of a scenario file stands in the crate that knows all schedulers.

mod path;
mod table;
mod value;

pub use path::{before_value, of_pointer, steps, written};
pub use table::{Kind, PROPERTIES, Property, When};
pub use value::{declared, from_text, number, read, steps as range};

/// The property of a path, and its steps, in which tunables and parameters stand without the list that holds them.
///
/// # Errors
/// What is wrong with the path, or what else could stand where it leaves all paths.
pub fn find(text: &str) -> Result<(&'static Property, Vec<String>), String> {
    let mut steps = path::steps(text)?;
    let words: Vec<&str> = steps.iter().map(String::as_str).collect();
    match words[..] {
        ["lanes", _, "tunables", _] => drop(steps.remove(2)),
        ["groups", _, "behaviour", "params", _] => drop(steps.remove(3)),
        _ => {}
    }
    Ok((path::find(&steps)?, steps))
}
