//! The scenario file and its validation, with the schedulers of this product.

pub use sim_config::*;

/// Turns a scenario into a plan, or into the list of its errors.
pub mod validate {
    pub use sim_config::validate::*;

    use serde::Serialize;
    use sim_config::Scenario;
    use sim_config::plan::Plan;
    use sim_ground::error::ConfigError;
    use sim_schedulers::registry;

    /// The content of a text, and its errors.
    #[derive(Clone, Debug, Serialize)]
    #[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
    pub struct Checked {
        /// The errors in the order of the file; none if it can run.
        pub errors: Vec<ConfigError>,
        /// The scenario with every default filled in; nothing if the text does not have the form of a scenario.
        pub scenario: Option<Scenario>,
    }

    /// Reads and checks a text.
    #[must_use]
    pub fn check(text: &str) -> Checked {
        match parse(text) {
            Err(errors) => Checked {
                errors,
                scenario: None,
            },
            Ok(scenario) => Checked {
                errors: plan(&scenario).err().unwrap_or_default(),
                scenario: Some(scenario),
            },
        }
    }

    /// Checks a scenario of this product's schedulers.
    ///
    /// # Errors
    /// All its errors, in the order of the file.
    pub fn plan(scenario: &Scenario) -> Result<Plan, Vec<ConfigError>> {
        plan_with(scenario, registry::ALL)
    }
}
