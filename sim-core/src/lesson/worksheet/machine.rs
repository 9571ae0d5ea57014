//! The machine as boxes: sockets, groups that share their last cache, cores, CPUs. Lines are black, and nothing is
//! filled.

use super::html::{element, escape};
use super::words::SheetWords;
use crate::machine::{CacheTree, Machine, MachineTree};
use std::fmt::Write;

/// Width of the drawing, in px.
const WIDTH: u32 = 680;
/// Side of a CPU, gap between boxes, height of a label.
const CPU: u32 = 30;
const GAP: u32 = 4;
const LABEL: u32 = 13;
/// Largest number of CPUs that are drawn: more would leave no room for questions.
const MOST: usize = 64;
/// Largest number of cores in a row of a box.
const ROW: usize = 8;

/// A box with its contents, which are placed from its corner.
struct Boxed {
    width: u32,
    height: u32,
    svg: String,
}

/// The drawing, and the list of caches.
pub(super) fn drawing(machine: &Machine, words: &SheetWords) -> String {
    let tree = machine.tree();
    let mut out = String::new();
    if machine.cpu_count() <= MOST {
        let packages = groups(&(0..machine.cpu_count()).collect::<Vec<_>>(), &tree.package);
        let labelled = packages.len() > 1;
        let boxes: Vec<Boxed> = packages
            .iter()
            .enumerate()
            .map(|(i, cpus)| {
                let label = labelled.then(|| format!("{} {i}", words.socket));
                package(&tree, cpus, label.as_deref())
            })
            .collect();
        let whole = flow(boxes, WIDTH);
        let _ = writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {h}\" width=\"{WIDTH}\" height=\"{h}\" role=\"img\" aria-label=\"{}\">{}</svg>",
            escape(&machine.spec().name),
            whole.svg,
            h = whole.height
        );
    }
    let caches: Vec<String> = tree
        .caches
        .iter()
        .map(|c| cache(machine, c, words))
        .collect();
    let name = &machine.spec().name;
    out += &element("p", &format!("{name}. {}", caches.join("; ")));
    out
}

/// CPUs by the number of their group, both in ascending order.
fn groups(cpus: &[usize], of: &[u16]) -> Vec<Vec<usize>> {
    let mut all: Vec<(u16, Vec<usize>)> = Vec::new();
    for cpu in cpus {
        match all.iter_mut().find(|(group, _)| *group == of[*cpu]) {
            Some((_, members)) => members.push(*cpu),
            None => all.push((of[*cpu], vec![*cpu])),
        }
    }
    all.sort_by_key(|(group, _)| *group);
    all.into_iter().map(|(_, members)| members).collect()
}

fn package(tree: &MachineTree, cpus: &[usize], label: Option<&str>) -> Boxed {
    let llcs = groups(cpus, &tree.llc);
    // A box around the only group of a socket, or around single cores, would add nothing.
    let is_nested = llcs.len() > 1 && llcs.iter().any(|l| groups(l, &tree.core).len() > 1);
    let boxes: Vec<Boxed> = llcs
        .iter()
        .map(|cpus| {
            let cores = groups(cpus, &tree.core);
            let rows = flow(cores.iter().map(|c| core(c)).collect(), row_width(&cores));
            if is_nested { framed(rows, None) } else { rows }
        })
        .collect();
    framed(flow(boxes, WIDTH - 2 * GAP), label)
}

/// Width of a row of cores.
fn row_width(cores: &[Vec<usize>]) -> u32 {
    let widths = cores.iter().take(ROW).map(|c| core(c).width + GAP);
    widths.sum::<u32>().min(WIDTH - 4 * GAP)
}

fn core(cpus: &[usize]) -> Boxed {
    let mut svg = String::new();
    let mut x = 0;
    for cpu in cpus {
        let middle = x + CPU / 2;
        let _ = write!(
            svg,
            "<rect x=\"{x}\" y=\"0\" width=\"{CPU}\" height=\"{CPU}\" fill=\"none\" stroke=\"#000\"/><text x=\"{middle}\" y=\"11\" text-anchor=\"middle\">{cpu}</text>"
        );
        x += CPU;
    }
    let inner = Boxed {
        width: x,
        height: CPU,
        svg,
    };
    if cpus.len() > 1 {
        framed(inner, None)
    } else {
        inner
    }
}

/// A box with a frame around it.
fn framed(inner: Boxed, label: Option<&str>) -> Boxed {
    let top = GAP + if label.is_some() { LABEL } else { 0 };
    let (width, height) = (inner.width + 2 * GAP, inner.height + top + GAP);
    let label = label.map_or_else(String::new, |label| {
        format!("<text x=\"{GAP}\" y=\"12\">{}</text>", escape(label))
    });
    Boxed {
        width,
        height,
        svg: format!(
            "<rect x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#000\" stroke-width=\"0.7\"/>{label}<g transform=\"translate({GAP} {top})\">{}</g>",
            width - 1,
            height - 1,
            inner.svg
        ),
    }
}

/// Places boxes from left to right, in rows no wider than `most` unless a single box is wider.
fn flow(boxes: Vec<Boxed>, most: u32) -> Boxed {
    let (mut x, mut y, mut row, mut width) = (0, 0, 0, 0);
    let mut svg = String::new();
    for b in boxes {
        if x > 0 && x + b.width > most {
            (x, y, row) = (0, y + row + GAP, 0);
        }
        let _ = write!(svg, "<g transform=\"translate({x} {y})\">{}</g>", b.svg);
        row = row.max(b.height);
        width = width.max(x + b.width);
        x += b.width + GAP;
    }
    Boxed {
        width,
        height: y + row,
        svg,
    }
}

fn cache(machine: &Machine, cache: &CacheTree, words: &SheetWords) -> String {
    let users = |instance: i32| cache.instance.iter().filter(|i| **i == instance).count();
    let first = cache.instance.iter().position(|i| *i >= 0).unwrap_or(0);
    let n = cache.instance.get(first).map_or(0, |i| users(*i));
    let siblings = machine
        .cpu_ids()
        .nth(first)
        .map_or(1, |c| machine.sibling_list(c).len());
    let whose = if n <= siblings {
        words.each_core.to_owned()
    } else {
        words.shared.replace("{n}", &n.to_string())
    };
    format!(
        "{} {}: {} {whose}",
        words.cache,
        cache.level,
        bytes(cache.bytes)
    )
}

/// A size: whole KiB, MiB or bytes.
pub(super) fn bytes(n: u64) -> String {
    match n {
        n if n > 0 && n % (1 << 20) == 0 => format!("{} MiB", n >> 20),
        n if n > 0 && n % (1 << 10) == 0 => format!("{} KiB", n >> 10),
        n => format!("{n} bytes"),
    }
}
