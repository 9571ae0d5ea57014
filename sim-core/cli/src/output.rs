//! Printing. If the reader has gone away (a broken pipe), the program ends quietly; any other failed write is an error.
//! Whole numbers are printed without a point, whatever their internal type.

use anstyle::{AnsiColor, Style};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter, Serializer};
use sim_core::error::ConfigError;
use sim_core::text::{is_unseen, visible};
use sim_host::format::is_whole;
pub(crate) use sim_host::format::number;
use std::borrow::Cow;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// How alike a wrong word and the right one must be for a question whether it was meant, from 0 to 1.
const ALIKE: f64 = 0.8;

/// How a command prints, where it is text or JSON.
#[derive(clap::Args)]
pub(crate) struct Printed {
    /// How to print: text for people, or everything as JSON for programs.
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,
    /// The same as --format json.
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    Text,
    Json,
}

impl Printed {
    pub(crate) fn is_json(&self) -> bool {
        self.json || self.format == Form::Json
    }
}

/// The reason why a command failed.
pub(crate) struct Failure {
    /// The file or argument.
    pub(crate) source: String,
    /// Its errors.
    pub(crate) errors: Vec<ConfigError>,
}

impl Failure {
    pub(crate) fn new(source: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            source: source.into(),
            errors: vec![ConfigError::new("", message)],
        }
    }
}

/// Whether output has colours.
#[derive(Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless the environment has `NO_COLOR`.
    #[default]
    Auto,
    Always,
    Never,
}

impl Color {
    /// From now on output has colours, or none.
    pub(crate) fn choose(self) {
        match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

/// What a part of a line is, which colours show. Words or marks say it, too.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    Plain,
    Name,
    Best,
    Worst,
}

impl Look {
    fn style(self) -> Style {
        match self {
            Self::Plain => Style::new(),
            Self::Name => Style::new().bold(),
            Self::Best => AnsiColor::Green.on_default(),
            Self::Worst => AnsiColor::Red.on_default(),
        }
    }
}

/// Writes a line of parts to standard output.
pub(crate) fn line_of<'a>(parts: impl IntoIterator<Item = (Look, &'a str)>) {
    let styled = parts.into_iter().map(|(look, text)| {
        let style = look.style();
        format!("{style}{}{style:#}", plain(text))
    });
    let styled: String = styled.collect();
    let mut out = anstream::stdout().lock();
    let written = writeln!(out, "{styled}").and_then(|()| out.flush());
    written.unwrap_or_else(|e| stop(&e));
}

/// Writes a line to standard output.
pub(crate) fn line(text: &str) {
    self::text(&format!("{text}\n"));
}

/// A text for the terminal: a user's text cannot move the cursor, change colours or reverse a line.
fn plain(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_unseen) {
        return text.into();
    }
    // Line ends and tabs are our own. A carriage return alone could overwrite a line.
    let lines = text.split_inclusive('\n').map(|line| {
        let (line, end) = ["\r\n", "\n"]
            .iter()
            .find_map(|end| line.strip_suffix(end).map(|line| (line, *end)))
            .unwrap_or((line, ""));
        let cells: Vec<String> = line.split('\t').map(visible).collect();
        cells.join("\t") + end
    });
    lines.collect::<String>().into()
}

/// Writes a text to standard output.
pub(crate) fn text(text: &str) {
    bytes(plain(text).as_bytes());
}

/// Writes what is no text to standard output.
pub(crate) fn bytes(bytes: &[u8]) {
    let mut out = io::stdout().lock();
    let written = out.write_all(bytes).and_then(|()| out.flush());
    written.unwrap_or_else(|e| stop(&e));
}

/// Ends the program because standard output cannot be written: quietly if the reader has gone away, for then it has all
/// that it wanted.
pub(crate) fn stop(e: &io::Error) -> ! {
    if e.kind() == io::ErrorKind::BrokenPipe {
        std::process::exit(0);
    }
    refuse(format!("cannot be written: {e}"))
}

/// Ends the program because what it has to say cannot be put into standard output.
pub(crate) fn refuse(message: String) -> ! {
    error(&Failure::new("standard output", message));
    std::process::exit(2);
}

/// Writes a value as JSON.
pub(crate) fn json<T: Serialize>(value: &T) {
    match as_json(value, Whole(PrettyFormatter::new())) {
        Ok(text) => line(&text),
        Err(e) => refuse(format!("cannot be written as JSON: {e}")),
    }
}

/// Writes a file. It is there whole, or what was there before is left as it was.
pub(crate) fn file(path: &Path, content: impl AsRef<[u8]>) -> Result<(), Failure> {
    let content = content.as_ref();
    // A link goes on naming the file that it names.
    let to = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let written = if fs::metadata(&to).is_ok_and(|known| !known.is_file()) {
        // A device or a pipe is no place to put a file.
        fs::write(&to, content)
    } else {
        let part = PathBuf::from(format!("{}.part", to.display()));
        let written = whole(&part, content).and_then(|()| fs::rename(&part, &to));
        written.inspect_err(|_| {
            let _ = fs::remove_file(&part);
        })
    };
    written.map_err(|e| {
        Failure::new(
            path.display().to_string(),
            format!("cannot be written: {e}"),
        )
    })
}

/// Writes a file, and waits until the disk has it: else a machine that goes down could leave the new name with half of it.
fn whole(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = fs::File::create(path)?;
    file.write_all(content)?;
    file.sync_all()
}

/// A value as JSON in one line.
pub(crate) fn json_line<T: Serialize>(value: &T) -> String {
    as_json(value, Whole(CompactFormatter)).unwrap_or_default()
}

fn as_json<T: Serialize, F: Formatter>(value: &T, formatter: F) -> Result<String, String> {
    let mut bytes = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut bytes, formatter);
    value
        .serialize(&mut serializer)
        .map_err(|e| e.to_string())?;
    let text = String::from_utf8(bytes).map_err(|e| e.to_string())?;
    Ok(text.chars().fold(String::new(), |mut json, c| {
        // The format escapes control characters; other invisible characters can occur only in strings.
        if is_unseen(c) && c != '\n' {
            json.push_str(&format!("\\u{:04x}", u32::from(c)));
        } else {
            json.push(c);
        }
        json
    }))
}

/// Formats whole numbers without a point.
struct Whole<F>(F);

macro_rules! as_inside {
    ($($name:ident($($argument:ident: $kind:ty),*);)*) => {
        $(fn $name<W: ?Sized + Write>(&mut self, out: &mut W $(, $argument: $kind)*) -> io::Result<()> {
            self.0.$name(out $(, $argument)*)
        })*
    };
}

impl<F: Formatter> Formatter for Whole<F> {
    fn write_f64<W: ?Sized + Write>(&mut self, out: &mut W, value: f64) -> io::Result<()> {
        if is_whole(value) {
            // Zero has no sign.
            write!(out, "{:.0}", value + 0.0)
        } else {
            self.0.write_f64(out, value)
        }
    }

    // Where own policies are built in, their language has numbers in values kept as texts.
    fn write_number_str<W: ?Sized + Write>(&mut self, out: &mut W, value: &str) -> io::Result<()> {
        match value.parse() {
            Ok(number) if value.contains(['.', 'e']) => self.write_f64(out, number),
            _ => self.0.write_number_str(out, value),
        }
    }

    as_inside! {
        begin_array();
        end_array();
        begin_array_value(first: bool);
        end_array_value();
        begin_object();
        end_object();
        begin_object_key(first: bool);
        end_object_key();
        begin_object_value();
        end_object_value();
    }
}

/// How far a long command is, with the time left: on standard error, if that is a terminal and `quiet` is off.
pub(crate) fn bar(all: usize, what: &'static str, quiet: bool) -> ProgressBar {
    let target = if quiet {
        ProgressDrawTarget::hidden()
    } else {
        ProgressDrawTarget::stderr()
    };
    let style =
        ProgressStyle::with_template("{wide_bar} {human_pos} of {human_len} {msg}, {eta} left");
    let bar = ProgressBar::with_draw_target(Some(all as u64), target).with_message(what);
    bar.set_style(style.expect("invariant: the template is right"));
    bar
}

/// Writes a line to standard error.
pub(crate) fn progress(text: &str) {
    // A failure to print progress must not end a run.
    let _ = writeln!(io::stderr().lock(), "{}", plain(text));
}

/// Prints the errors, one line each.
pub(crate) fn error(failure: &Failure) {
    for e in &failure.errors {
        // One line each, even if the name of a file contains line ends.
        let message = e.to_string();
        let meant = meant(&message).map(|word| format!("; did you mean \"{word}\"?"));
        let meant = meant.unwrap_or_default();
        progress(&visible(&format!("{}: {message}{meant}", failure.source)));
    }
}

/// The word that is nearest to the wrong one, of a message such as `must be one of cfs, ule, got "cf"`.
fn meant(message: &str) -> Option<&str> {
    let (_, rest) = message.split_once("must be one of ")?;
    let (words, got) = rest.rsplit_once(" got \"")?;
    let got = got.split_once('"')?.0;
    let words = words.trim_end_matches([',', ';']).split(", ");
    let alike = |word: &str| strsim::jaro_winkler(word, got);
    let nearest = words.max_by(|a, b| alike(a).total_cmp(&alike(b)))?;
    (alike(nearest) > ALIKE && nearest != got).then_some(nearest)
}

/// A time in ms with three decimals.
pub(crate) fn ms(ns: u64) -> String {
    let us = ns.saturating_add(500) / 1_000;
    format!("{}.{:03}", us / 1_000, us % 1_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_word_is_answered_with_the_nearest() {
        let told = |got: &str| format!("era: must be one of cfs, eevdf, ule, got \"{got}\"");
        assert_eq!(meant(&told("cf")), Some("cfs"));
        assert_eq!(meant(&told("evdf")), Some("eevdf"));
        assert_eq!(meant(&told("windows")), None);
        assert_eq!(meant("must be one of a, b; got \"a\""), None);
        assert_eq!(meant("must not be after the end"), None);
    }

    #[test]
    fn a_terminal_is_given_nothing_that_it_obeys() {
        assert_eq!(
            plain("a\u{1b}[2J\tb\r\nc\rd\n"),
            "a\\u{1b}[2J\tb\r\nc\\u{d}d\n"
        );
        assert_eq!(plain("größe\t−3\n"), "größe\t−3\n");
        let value = serde_json::json!({ "a": "\u{202e}\u{9b}\u{1b}" });
        assert_eq!(json_line(&value), r#"{"a":"\u202e\u009b\u001b"}"#);
    }

    #[test]
    fn whole_numbers_have_no_point() {
        let value = serde_json::json!({ "a": [12.0, 0.5, -0.0, -3.0], "b": 7 });
        assert_eq!(json_line(&value), r#"{"a":[12,0.5,0,-3],"b":7}"#);
        assert_eq!(number(12.0, 3), "12");
        assert_eq!(number(-0.0, 3), "0");
        assert_eq!(number(0.12345, 3), "0.123");
    }
}
