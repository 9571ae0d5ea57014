//! `timeslice run FILE --measure EXPRESSION`

use crate::output::{self, Failure};
use serde_json::json;
use sim_core::config::Scenario;
use sim_measure::Measures;
use sim_measure::quantity::Format;
use sim_measure::words::ENGLISH;

/// Prints the value of each expression over a scenario; windows whose start is left out begin at `from_ns`.
pub(crate) fn run(
    scenario: Scenario,
    expressions: &[String],
    from_ns: u64,
    as_json: bool,
) -> Result<(), Failure> {
    let wrong = |message: String| Failure::new("--measure", message);
    let values = Measures::new(scenario, from_ns).values(expressions);
    let values = values.map_err(wrong)?;
    if as_json {
        let told = expressions.iter().zip(&values);
        let told = told.map(
            |(text, value)| json!({ "measure": text, "value": value.json(), "unit": value.unit() }),
        );
        output::json(&told.collect::<Vec<_>>());
        return Ok(());
    }
    for (text, value) in expressions.iter().zip(&values) {
        let told = Format::default().print(value, &ENGLISH).map_err(wrong)?;
        output::line(&format!("{text} = {told}"));
    }
    Ok(())
}
