//! `timeslice exercise …`: for teachers who write exercises of their own.

use super::grade;
use crate::arguments;
use crate::exit::Exit;
use crate::output::{self, Failure};
use clap::Subcommand;
use sim_core::exercise::{check, judge, registry};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List the exercises.
    List,
    /// Print an exercise as JSON, to begin one of your own with.
    Show {
        /// Its id.
        id: String,
    },
    /// Say what is wrong with the file of an exercise: its form, scenarios and expressions.
    Check {
        /// The file.
        file: String,
        /// A program that does what the exercise asks (*.policy.py). Then each case must pass.
        #[arg(long, value_name = "FILE")]
        model: Option<String>,
    },
}

pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    match &args.command {
        Command::List => {
            for entry in registry::entries("en") {
                output::line(&format!("{}  {}", entry.id, entry.title));
            }
        }
        Command::Show { id } => {
            let found = registry::known(id).map_err(|errors| Failure {
                source: id.clone(),
                errors,
            })?;
            output::text(found.text);
        }
        Command::Check { file, model } => {
            let text = arguments::read_text(file)?;
            let program = model.as_deref().map(arguments::read_text).transpose()?;
            let found = check::check(&text, program.as_deref()).map_err(|errors| {
                let of_model = model.as_ref().filter(|_| judge::is_of_program(&errors));
                let source = of_model.unwrap_or(file).clone();
                Failure { source, errors }
            })?;
            if model.is_none() {
                output::line("Each case with first in line, turns of 10 ms:");
            }
            found.cases.iter().for_each(grade::case);
            output::line(&format!("{file}: good"));
        }
    }
    Ok(Exit::Good)
}
