//! `timeslice lesson worksheet ID`

use crate::arguments;
use crate::exit::Exit;
use crate::output::{self, Failure};
use sim_core::lesson::{reading, registry, worksheet};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Id of a lesson, or the file of one (then with --scenario).
    lesson: String,
    /// Language of the texts, e.g. de; English where there is no translation.
    #[arg(long, default_value = "en")]
    lang: String,
    /// Another scenario than the lesson's: a file.
    #[arg(long, value_name = "FILE")]
    scenario: Option<String>,
    /// Leave the teacher's page out.
    #[arg(long)]
    no_teacher: bool,
    /// Write to this file instead of standard output.
    #[arg(long, value_name = "FILE")]
    html: Option<String>,
}

pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let shipped = registry::find(&args.lesson);
    let lesson = match shipped {
        Some(found) => found.read(&args.lang).1,
        None if args.lesson.ends_with(".json") => {
            let text = arguments::read_text(&args.lesson)?;
            reading::parse(&text).map_err(|errors| wrong(&args.lesson, errors))?
        }
        None => {
            let errors = registry::known(&args.lesson).err().unwrap_or_default();
            return Err(wrong(&args.lesson, errors));
        }
    };
    let scenario = match (&args.scenario, shipped) {
        (Some(file), _) => arguments::read_scenario(file)?,
        (None, Some(found)) => found.read_scenario(),
        (None, None) => {
            let message = "a lesson from a file needs the file of its scenario";
            return Err(Failure::new("--scenario", message));
        }
    };
    let html = worksheet::worksheet(&lesson, &args.lang, &scenario, !args.no_teacher)
        .map_err(|errors| wrong(&args.lesson, errors))?;
    match &args.html {
        None => output::text(&html),
        Some(file) => output::file(file.as_ref(), &html)?,
    }
    Ok(Exit::Good)
}

fn wrong(source: &str, errors: Vec<sim_core::error::ConfigError>) -> Failure {
    Failure {
        source: source.to_owned(),
        errors,
    }
}
