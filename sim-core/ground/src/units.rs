//! Times and sizes as people write them, such as `3ms` and `64KiB`. Integers only: nothing is rounded.

/// Units of time, in ns.
const TIMES: Units = &[
    ("ns", 1),
    ("us", 1_000),
    ("µs", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("min", 60_000_000_000),
    ("h", 3_600_000_000_000),
];

/// Units of size, in bytes.
const SIZES: Units = &[
    ("B", 1),
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("TiB", 1 << 40),
];

type Units = &'static [(&'static str, u64)];

/// A time with its unit, in ns: exact, 0 included.
///
/// # Errors
/// What a time looks like, or that it is no whole number of ns or longer than any run.
pub fn time(text: &str) -> Result<u64, String> {
    let form =
        "must be a number with one of the units ns, us, ms, s, min, h, such as 250ms or 1.5s";
    whole(text, TIMES, form, "ns", "is longer than any run")
}

/// A size with its unit, in bytes: exact, 0 included.
///
/// # Errors
/// What a size looks like, or that it is no whole number of bytes or larger than any memory.
pub fn bytes(text: &str) -> Result<u64, String> {
    let form =
        "must be a number with one of the units B, KiB, MiB, GiB, TiB, such as 64KiB or 1.5MiB";
    whole(text, SIZES, form, "bytes", "is larger than any memory")
}

/// A number with a unit, in the least unit.
fn whole(
    text: &str,
    units: Units,
    form: &str,
    least: &str,
    too_large: &str,
) -> Result<u64, String> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.');
    let (number, unit) = text.split_at(end.unwrap_or(text.len()));
    let unit = unit.trim_start();
    let factor = units.iter().find(|u| u.0 == unit).ok_or(form)?.1;
    let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
    let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    if !digits(whole) || !digits(part) {
        return Err(form.to_owned());
    }
    let whole: u64 = whole.parse().map_err(|_| too_large)?;
    let part = part.trim_end_matches('0');
    let fraction = || {
        let length = u32::try_from(part.len()).ok().filter(|n| *n <= 20)?;
        let parts = format!("0{part}").parse::<u128>().ok()? * u128::from(factor);
        let of = 10_u128.pow(length);
        (parts % of == 0).then(|| parts / of)
    };
    let fraction = fraction().ok_or_else(|| format!("must be a whole number of {least}"))?;
    u64::try_from(u128::from(whole) * u128::from(factor) + fraction)
        .ok()
        .filter(|n| *n < u64::MAX)
        .ok_or_else(|| too_large.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_exact_to_the_nanosecond() {
        for (text, ns) in [
            ("0s", 0),
            ("1ns", 1),
            ("1.5s", 1_500_000_000),
            ("2min", 120_000_000_000),
            ("0.5min", 30_000_000_000),
            ("1.25h", 4_500_000_000_000),
            ("0.000000001s", 1),
            ("3.141592653s", 3_141_592_653),
            ("1.50ms", 1_500_000),
            ("7µs", 7_000),
            ("0.3us", 300),
            ("9007199254740993ns", 9_007_199_254_740_993),
            ("12 ms", 12_000_000),
        ] {
            assert_eq!(time(text), Ok(ns), "{text}");
        }
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for text in [
            "",
            "1",
            "s",
            ".5s",
            "1.s",
            "1.5.5s",
            "-1s",
            "1e3s",
            "1.5ns",
            "0.0000000001s",
            "5 parsecs",
            "99999999999999999999s",
            "1,5s",
            "4KiB",
        ] {
            assert!(time(text).is_err(), "{text}");
        }
        assert!(time("1.5ns").is_err_and(|e| e.contains("whole number of ns")));
    }

    #[test]
    fn sizes_are_exact_to_the_byte() {
        for (text, size) in [("0B", 0), ("64 KiB", 65_536), ("1.5MiB", 1_572_864)] {
            assert_eq!(bytes(text), Ok(size), "{text}");
        }
        for text in ["1", "1kB", "0.3B", "5ms", "99999999TiB"] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }
}
