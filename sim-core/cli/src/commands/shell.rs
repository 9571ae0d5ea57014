//! `timeslice completions SHELL` and `timeslice man [FOLDER]`

use crate::exit::Exit;
use crate::output::{self, Failure};
use clap::Command;
use clap_complete::Shell;
use std::fs;
use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct CompletionArgs {
    /// The shell.
    shell: Shell,
}

#[derive(clap::Args)]
pub(crate) struct ManArgs {
    /// Write a page for each command into this folder, in place of the first page to standard output.
    folder: Option<PathBuf>,
}

/// Prints what a shell reads to complete commands and options.
pub(crate) fn completions(args: &CompletionArgs, mut cli: Command) -> Exit {
    let name = cli.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut cli, name, &mut script);
    output::text(&String::from_utf8_lossy(&script));
    Exit::Good
}

/// Prints the manual page, or writes one for each command.
pub(crate) fn man(args: &ManArgs, cli: Command) -> Result<Exit, Failure> {
    let Some(folder) = &args.folder else {
        let mut page = Vec::new();
        clap_mangen::Man::new(cli)
            .render(&mut page)
            .map_err(|e| Failure::new("man", e.to_string()))?;
        output::text(&String::from_utf8_lossy(&page));
        return Ok(Exit::Good);
    };
    let wrong = |e: std::io::Error| {
        let name = folder.display().to_string();
        Failure::new(name, format!("cannot be written: {e}"))
    };
    fs::create_dir_all(folder).map_err(wrong)?;
    clap_mangen::generate_to(cli, folder).map_err(wrong)?;
    Ok(Exit::Good)
}
