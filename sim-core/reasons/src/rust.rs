//! The tables as Rust.

use crate::file::{Row, Table, read};
use std::fmt::Write;
use std::path::Path;

/// Writes the constants and the table of each file as `reasons/<folder>.rs`; `sim_contract::reasons!` includes them.
///
/// # Errors
///
/// What is wrong with a file, or why nothing can be written.
pub fn write_tables(sources: &Path, out: &Path) -> Result<(), String> {
    let out = out.join("reasons");
    let tables = read(sources)?;
    for table in &tables {
        let lender = tables.iter().find(|t| table.takes_from(t) && t.lends());
        let rust = if table.lends() {
            fields(table)
        } else {
            constants(table) + &lender.map_or_else(String::new, |l| shared(table, l))
        };
        let file = out.join(format!("{}.rs", table.folder));
        let folder = file.parent().unwrap_or(&out);
        std::fs::create_dir_all(folder)
            .and_then(|()| std::fs::write(&file, rust))
            .map_err(|e| format!("{}: {e}", file.display()))?;
    }
    Ok(())
}

/// A constant for each reason, with its sentence, and the table that the catalog shows.
pub(crate) fn constants(table: &Table) -> String {
    let mut rust = String::new();
    for (code, r) in table.rows.iter().enumerate() {
        let name = r.constant();
        add(
            &mut rust,
            format_args!("{}pub(crate) const {name}: {CODE} = {code};\n", about(r)),
        );
    }
    rust.push_str("/// All reasons, in the order of their codes.\n");
    rust.push_str("pub(crate) const TABLE: &[sim_contract::decision::ReasonEntry] = &[\n");
    for r in &table.rows {
        add(
            &mut rust,
            format_args!(
                "    sim_contract::decision::entry({:?}, {:?}, {:?}, &{:?}),\n",
                r.id,
                r.kind,
                r.function,
                r.operands()
            ),
        );
    }
    rust.push_str("];\n");
    rust
}

/// The type of a code.
const CODE: &str = "sim_contract::decision::Reason";

/// What readers are told, and the numbers that go with it, as documentation.
fn about(r: &Row) -> String {
    let names: Vec<&str> = r.operands().iter().map(|(name, _)| name.as_str()).collect();
    let numbers = if names.is_empty() {
        "none".to_owned()
    } else {
        names.join("; ")
    };
    let text = format!("{}\n\nNumbers: {numbers}.", r.sentence);
    format!("#[doc = {text:?}]\n")
}

/// A type with a field for each row: shared code has the codes of its scheduler there.
pub(crate) fn fields(table: &Table) -> String {
    let mut rust = String::from("/// The codes of a scheduler for what shared code decides.\n");
    rust.push_str("#[derive(Clone, Copy, Debug)]\n");
    // Schedulers can share a row for its texts alone.
    rust.push_str("#[allow(dead_code)]\npub(crate) struct Reasons {\n");
    for r in &table.rows {
        add(
            &mut rust,
            format_args!("{}pub(crate) {}: {CODE},\n", about(r), r.id),
        );
    }
    rust.push_str("}\n");
    rust
}

/// The codes of one scheduler. A row that it does not take has one that is in no table.
pub(crate) fn shared(table: &Table, lender: &Table) -> String {
    let of = format!(
        "crate::{}::reasons::Reasons",
        lender.folder.replace('/', "::")
    );
    let mut rust = String::from("/// The codes for what shared code decides.\n");
    add(
        &mut rust,
        format_args!("pub(crate) const SHARED: {of} = {of} {{\n"),
    );
    for r in &lender.rows {
        let own = table
            .rows
            .iter()
            .find(|own| own.shared.as_ref() == Some(&r.id));
        let code = own.map_or_else(|| format!("{CODE}::MAX"), Row::constant);
        add(&mut rust, format_args!("    {}: {code},\n", r.id));
    }
    rust.push_str("};\n");
    rust
}

/// The sentences of all schedulers as a Rust expression: `&[(scheduler, &[(reason, sentence), …]), …]`.
///
/// # Errors
///
/// What is wrong with a file.
pub fn sentences(sources: &[&Path]) -> Result<String, String> {
    let mut rust = String::from("&[\n");
    for folder in sources {
        for table in read(folder)? {
            let told: Vec<_> = table.rows.iter().map(|r| (&r.id, &r.sentence)).collect();
            for id in &table.schedulers {
                add(&mut rust, format_args!("    ({id:?}, &{told:?}),\n"));
            }
        }
    }
    rust.push(']');
    Ok(rust)
}

fn add(to: &mut String, what: std::fmt::Arguments<'_>) {
    // Memory takes all that is written into it.
    let _ = to.write_fmt(what);
}
