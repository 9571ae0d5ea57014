//! `timeslice`: runs scenarios and checks published claims from the command line. The program of that name calls
//! [`run`], and so does the Python package, which brings the same program.

mod arguments;
mod commands;
mod exit;
mod moment;
mod output;
mod report_tables;
mod stop;

use clap::{CommandFactory, Parser, Subcommand};
use std::ffi::OsString;
use std::io::Write;

pub use exit::Exit;
pub use sim_real::Program;

/// Runs operating-system CPU schedulers on models of real machines.
#[derive(Parser)]
#[command(name = "timeslice", version, max_term_width = 100)]
#[command(
    after_help = "Exit codes: 0 all is well (claims: all that were named hold); 1 a claim does not hold, nothing was found to stop at, a table of answers differs from its runs, or a program does not pass an exercise; 2 the input or the call is wrong."
)]
struct Cli {
    /// Whether output has colours: on a terminal without `NO_COLOR`, always, or never.
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    color: output::Color,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a scenario and print what each thread and CPU did, the measures and the digest.
    Run(commands::run::Args),
    /// Run one lane of a scenario and print what happened, for other programs.
    Trace(commands::trace::Args),
    /// Read a trace of a real machine: what its threads did, and the workload behind it as a file.
    ///
    /// The JSON of a summary has the names of threads. Of a program of rt-app it is the scenario, and what that leaves out.
    Import(commands::import::Args),
    /// Ask a scheduler at each choice of a real trace what its rules choose from the same queue.
    Replay(commands::replay::Args),
    /// Run one lane of a scenario and print why everything happened, one line a decision.
    ///
    /// JSON is one object a line: id, atNs, cpu, task, kind, reason, words, operands (name, value, unit), function, release.
    Decisions(commands::decisions::Args),
    /// Run a scenario varied along axes, on all cores, and print a row for each run, as they come.
    Sweep(commands::sweep::Args),
    /// Check published claims.
    Claims(commands::claims::Args),
    /// What this build can do: schedulers, tunables, machines, behaviours, metrics.
    Catalog(commands::catalog::Args),
    /// Check scenario files without running them.
    Check(commands::check::Args),
    /// Digests of all shipped scenarios.
    Digest(commands::digest::Args),
    /// Lessons: check or begin one, print it on paper, mark tables of answers.
    Lesson(commands::lesson::Args),
    /// Mark own policies: a program or a folder of them against an exercise.
    Grade(commands::grade::Args),
    /// Exercises for own policies: list them, check one of your own.
    Exercise(commands::exercise::Args),
    /// Run the threads of a scenario on this Linux machine, and lay what they did beside the model.
    Real(commands::real::Args),
    /// Lay what `timeslice real` kept beside the model.
    Compare(commands::real::CompareArgs),
    /// A process of `timeslice real`.
    #[command(hide = true)]
    RealPart(commands::real::PartArgs),
    /// Measure simulated seconds and events per second.
    Bench(commands::bench::Args),
    /// Print what a shell reads to complete commands and options.
    Completions(commands::shell::CompletionArgs),
    /// Print the manual page, or write one for each command.
    Man(commands::shell::ManArgs),
}

/// What the user calls for; nothing if that was help or the version, which is printed. A failed write of these is an error,
/// too.
fn called(arguments: impl IntoIterator<Item = OsString>) -> Result<Option<Command>, Exit> {
    let e = match Cli::try_parse_from(arguments) {
        Ok(cli) => {
            cli.color.choose();
            return Ok(Some(cli.command));
        }
        Err(e) => e,
    };
    let written = e.print().and_then(|()| std::io::stdout().flush());
    if e.use_stderr() {
        return Err(Exit::Wrong);
    }
    written.unwrap_or_else(|e| output::stop(&e));
    Ok(None)
}

/// Does what a command line asks for; its first word is the name of the program. `program` is how this program is started
/// again, which `timeslice real` does. Where output cannot be written, the process ends at once.
pub fn run(arguments: impl IntoIterator<Item = OsString>, program: &Program) -> Exit {
    let command = match called(arguments) {
        Ok(Some(command)) => command,
        Ok(None) => return Exit::Good,
        Err(exit) => return exit,
    };
    carry_out(command, program).unwrap_or_else(|failure| {
        output::error(&failure);
        Exit::Wrong
    })
}

fn carry_out(command: Command, program: &Program) -> Result<Exit, output::Failure> {
    match command {
        Command::Run(args) => commands::run::run(&args),
        Command::Trace(args) => commands::trace::run(&args),
        Command::Import(args) => commands::import::run(&args),
        Command::Replay(args) => commands::replay::run(&args),
        Command::Decisions(args) => commands::decisions::run(&args),
        Command::Sweep(args) => commands::sweep::run(&args),
        Command::Claims(args) => commands::claims::run(&args),
        Command::Catalog(args) => commands::catalog::run(&args),
        Command::Check(args) => Ok(commands::check::run(&args)),
        Command::Digest(args) => commands::digest::run(&args),
        Command::Lesson(args) => commands::lesson::run(&args),
        Command::Grade(args) => commands::grade::run(&args),
        Command::Exercise(args) => commands::exercise::run(&args),
        Command::Real(args) => commands::real::run(&args, program),
        Command::Compare(args) => commands::real::run_compare(&args),
        Command::RealPart(args) => commands::real::run_part(&args, program),
        Command::Bench(args) => commands::bench::run(&args),
        Command::Completions(args) => Ok(commands::shell::completions(&args, Cli::command())),
        Command::Man(args) => commands::shell::man(&args, Cli::command()),
    }
}
