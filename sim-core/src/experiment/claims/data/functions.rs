//! What expressions of claims have besides the functions of lists and numbers of the measure language: results of runs,
//! published numbers, and what no expression says.

use crate::experiment::numbers::{largest, sum};
use crate::experiment::results::Seen;

/// A function of claims.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// How it is called.
    pub usage: &'static str,
    /// How many arguments it has at least, and at most.
    pub takes: [usize; 2],
    /// Whether it reads one run, so that it stands within `in`.
    pub of_run: bool,
    /// Its value, in a sentence.
    pub summary: &'static str,
}

const fn function(
    name: &'static str,
    usage: &'static str,
    takes: [usize; 2],
    summary: &'static str,
) -> Function {
    Function {
        name,
        usage,
        takes,
        of_run: false,
        summary,
    }
}

const fn of_run(
    name: &'static str,
    usage: &'static str,
    takes: [usize; 2],
    summary: &'static str,
) -> Function {
    Function {
        of_run: true,
        ..function(name, usage, takes, summary)
    }
}

/// Any number of arguments.
const MANY: usize = usize::MAX;

/// All of them.
pub const FUNCTIONS: &[Function] = &[
    function(
        "in",
        "in(runs, x[, axis=value, …])",
        [2, MANY],
        "The mean of x over the seeds of a run: that of the present values of the axes, but for those that are given.",
    ),
    function(
        "samples",
        "samples(runs, x[, axis=value, …])",
        [2, MANY],
        "The same values as a list, one for each seed.",
    ),
    function(
        "over",
        "over(axis, x)",
        [2, 2],
        "The value of x for each value of an axis, as a list. Some values: over('nice=-5,0..5', x).",
    ),
    function(
        "published",
        "published(path[, x, n])",
        [1, 3],
        "The number or the list at a path of the published file; with x and n the nth number after x in the row of x.",
    ),
    function(
        "steps",
        "steps(list)",
        [1, 1],
        "The difference of each item but the first from the item before it.",
    ),
    function(
        "every",
        "every(list, n)",
        [2, 2],
        "Every nth item of a list.",
    ),
    function(
        "peaks",
        "peaks(list, n)",
        [2, 2],
        "The largest of each n items in turn; the last of them may be fewer.",
    ),
    function(
        "thinned",
        "thinned(places, list)",
        [2, 2],
        "The items at as many ascending places as a chart shows: where places are dense, only some of them.",
    ),
    function(
        "sorted",
        "sorted(list)",
        [1, 1],
        "The numbers of a list, the smallest first.",
    ),
    function(
        "least",
        "least(list)",
        [1, 1],
        "The smallest item. Unlike min it has no value where an item is missing: of all seeds, no run is passed over.",
    ),
    function(
        "most",
        "most(list)",
        [1, 1],
        "The same for the largest item.",
    ),
    function(
        "riseFromPeak",
        "riseFromPeak(places, list, last)",
        [3, 3],
        "The largest step of a list between its largest item and the place `last`; the places are those of the items.",
    ),
    function(
        "erlangC",
        "erlangC(servers, load)",
        [2, 2],
        "The part of the jobs that wait in a queue with several servers.",
    ),
    of_run(
        "end",
        "end(column)",
        [1, 1],
        "The value of a column at the end of the run. With * in its name a list: the values of all such columns, in order.",
    ),
    of_run(
        "grown",
        "grown(column)",
        [1, 1],
        "By how much a column grows from the first reading to the end; with * a list.",
    ),
    of_run(
        "readings",
        "readings(x[, from, to])",
        [1, 3],
        "The value of x at each reading, as a list: from reading `from` (1 is the first) to reading `to`.",
    ),
    of_run(
        "reading",
        "reading(n, x)",
        [2, 2],
        "The value of x at the nth reading.",
    ),
    of_run(
        "firstReading",
        "firstReading(condition)",
        [1, 1],
        "The number of the first reading at which a condition is true.",
    ),
    of_run(
        "lastReading",
        "lastReading(condition)",
        [1, 1],
        "The number of the last reading at which a condition is true.",
    ),
    of_run(
        "now",
        "now(column)",
        [1, 1],
        "Within these: the value of a column at the reading; with * a list.",
    ),
    of_run(
        "before",
        "before(column[, n])",
        [1, 2],
        "Within these: the value of a column n readings earlier, 1 if left out. Before the first reading it is 0.",
    ),
    of_run(
        "owed",
        "owed(weights)",
        [1, 1],
        "The most service in ns that a thread lacks at any reading; the weights are those of the threads, in order.",
    ),
    of_run(
        "ahead",
        "ahead(weights)",
        [1, 1],
        "The same for service that a thread has too much.",
    ),
];

/// The function of a name.
pub(super) fn named(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|f| f.name == name)
}

/// The differences of neighbours.
pub(super) fn steps(list: &[f64]) -> Vec<f64> {
    list.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

/// Every nth item.
pub(super) fn every<T: Clone>(list: &[T], n: usize) -> Vec<T> {
    let whole = list.chunks_exact(n.max(1));
    whole.filter_map(|items| items.last().cloned()).collect()
}

/// The largest of each n items.
pub(super) fn peaks(list: &[f64], n: usize) -> Vec<f64> {
    list.chunks(n.max(1)).map(largest).collect()
}

/// Positions, from 0, of the places that a chart shows, among ascending places.
pub(super) fn thinned(places: &[f64]) -> Vec<usize> {
    const COLUMNS: f64 = 300.0;
    const STEP: f64 = 0.03;
    let end = places.last().copied().unwrap_or(0.0);
    let mut kept: Vec<usize> = Vec::new();
    for (i, x) in places.iter().enumerate() {
        let from = kept.last().map(|k| places[*k]);
        let is_due = from.is_none_or(|from| x - from >= (STEP * x).min(end / COLUMNS));
        if is_due || i + 1 == places.len() {
            kept.push(i);
        }
    }
    kept
}

/// The largest rise from an item to the next, from the first of the largest items on up to a place.
pub(super) fn rise_from_peak(places: &[f64], list: &[f64], last: f64) -> f64 {
    let most = largest(list);
    let peak = list.iter().position(|x| *x >= most).unwrap_or(list.len());
    let pairs = list.windows(2).zip(places.windows(2)).skip(peak);
    let rises = pairs
        .filter(|(_, at)| at[1] <= last)
        .map(|(pair, _)| pair[1] - pair[0]);
    rises.fold(f64::NEG_INFINITY, f64::max)
}

/// Part of the jobs that wait (Erlang's C), by the recursion of the part that is lost in a system without waiting room
/// (Erlang's B).
pub(super) fn erlang_c(servers: f64, load: f64) -> f64 {
    let offered = servers * load;
    let (mut lost, mut n) = (1.0, 1.0);
    while n <= servers {
        lost = offered * lost / (n + offered * lost);
        n += 1.0;
    }
    lost / (1.0 - load * (1.0 - lost))
}

/// The largest amounts in ns that a thread is owed and is ahead: the part of the service of all that its weight gives
/// it, minus its own.
pub(super) fn lags(seen: &Seen, weights: &[f64]) -> [f64; 2] {
    let of = |thread: usize| seen.looks(&format!("thread/{thread}/cpuNs"));
    let had: Vec<Vec<f64>> = (0..weights.len()).map(of).collect();
    let readings = had.iter().map(Vec::len).min().unwrap_or(0);
    let (mut owed, mut ahead) = (Vec::new(), Vec::new());
    for look in 0..readings {
        let all: f64 = had.iter().fold(0.0, |all, thread| all + thread[look]);
        for (thread, weight) in had.iter().zip(weights) {
            let lag = all * weight / sum(weights) - thread[look];
            owed.push(lag.max(0.0));
            ahead.push((-lag).max(0.0));
        }
    }
    [largest(&owed), largest(&ahead)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) {
        assert!((a / b - 1.0).abs() < 1e-4, "{a}, not {b}");
    }

    #[test]
    fn steps_are_the_differences_of_neighbours() {
        assert_eq!(steps(&[1.0, 4.0, 2.0]), [3.0, -2.0]);
        assert!(steps(&[1.0]).is_empty());
    }

    #[test]
    fn lists_are_made_shorter() {
        let list = [1.0, 5.0, 2.0, 3.0, 4.0];
        assert_eq!(every(&list, 2), [5.0, 3.0]);
        assert_eq!(peaks(&list, 2), [5.0, 3.0, 4.0]);
    }

    #[test]
    fn where_places_are_dense_some_are_left_out_but_never_the_last() {
        // A step of 3 % of the place, or of a 300th of the last one if that is less.
        let places = [0.0, 1.0, 1.01, 1.02, 1.04, 30.0, 30.05, 30.15, 30.16];
        assert_eq!(thinned(&places), [0, 1, 4, 5, 7, 8]);
        assert!(thinned(&[]).is_empty());
    }

    #[test]
    fn rises_count_from_the_peak_to_the_last_place() {
        let places = [1.0, 2.0, 4.0, 8.0, 16.0];
        let list = [1.0, 5.0, 2.0, 2.5, 4.0];
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
        close(rise_from_peak(&places, &list, 16.0), 1.5);
        close(rise_from_peak(&places, &list, 8.0), 0.5);
        close(rise_from_peak(&places, &list, 4.0), -3.0);
        assert!(rise_from_peak(&places, &list, 2.0).is_infinite());
    }

    /// Tables of Erlang's C: two servers at 0.5, four at 0.8; with one server it equals the load.
    #[test]
    fn erlangs_c_gives_what_textbooks_do() {
        close(erlang_c(1.0, 0.8), 0.8);
        close(erlang_c(2.0, 0.5), 1.0 / 3.0);
        close(erlang_c(4.0, 0.8), 0.59643);
    }

    #[test]
    fn a_thread_is_owed_what_its_weight_gives_it() {
        let columns = ["thread/0/cpuNs", "thread/1/cpuNs"];
        let seen = Seen {
            columns: columns.map(str::to_owned).to_vec(),
            // Of 4 and of 8 the first should have had three quarters.
            values: vec![2.0, 2.0, 7.0, 1.0],
        };
        assert_eq!(lags(&seen, &[3.0, 1.0]), [1.0, 1.0]);
        assert_eq!(lags(&seen, &[1.0, 1.0]), [3.0, 3.0]);
    }

    #[test]
    fn every_function_says_how_it_is_called() {
        for f in FUNCTIONS {
            assert!(f.usage.starts_with(&format!("{}(", f.name)), "{}", f.name);
            assert!(f.takes[0] <= f.takes[1] && !f.summary.is_empty());
        }
    }
}
