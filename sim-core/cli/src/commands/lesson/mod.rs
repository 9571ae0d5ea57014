//! `timeslice lesson …`: for authors of lessons and for teachers. One file for each of its commands.

mod check;
mod grade;
mod new;
mod worksheet;

use crate::exit::Exit;
use crate::output::Failure;
use clap::Subcommand;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Say what is wrong with a lesson, line by line, and what each of its expressions gives.
    Check(check::Args),
    /// Write a lesson about a scenario to begin with, as JSON.
    New(new::Args),
    /// Write a lesson as a sheet of paper: questions with empty fields, and a last page for the teacher.
    Worksheet(worksheet::Args),
    /// Mark tables of answers again: each run is made again, and nothing that a table says is believed.
    Grade(grade::Args),
}

pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    match &args.command {
        Command::Check(args) => check::run(args),
        Command::New(args) => new::run(args),
        Command::Worksheet(args) => worksheet::run(args),
        Command::Grade(args) => grade::run(args),
    }
}
