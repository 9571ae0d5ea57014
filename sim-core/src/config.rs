//! The scenario file and its validation, with the schedulers of this product.

pub use sim_config::*;

/// From a scenario to a plan, or to everything that is wrong with it.
pub mod validate {
    pub use sim_config::validate::*;

    use sim_config::Scenario;
    use sim_config::plan::Plan;
    use sim_ground::error::ConfigError;
    use sim_schedulers::registry;

    /// Checks a scenario of this product's schedulers.
    ///
    /// # Errors
    /// Everything that is wrong with it, in the order of the file.
    pub fn plan(scenario: &Scenario) -> Result<Plan, Vec<ConfigError>> {
        plan_with(scenario, registry::ALL)
    }
}
