//! The program `timeslice`: the crate's library, called from a shell.

use std::process::ExitCode;

fn main() -> ExitCode {
    let program = timeslice_cli::Program::this();
    ExitCode::from(timeslice_cli::run(std::env::args_os(), &program).code())
}
