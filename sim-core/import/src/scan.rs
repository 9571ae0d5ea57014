//! Small parts of lines: numbers, times, fields.

/// Without spaces and tabs in front.
pub(crate) fn skip(text: &[u8]) -> &[u8] {
    let at = text.iter().position(|b| *b != b' ' && *b != b'\t');
    &text[at.unwrap_or(text.len())..]
}

/// Without spaces and tabs behind.
pub(crate) fn trim_end(text: &[u8]) -> &[u8] {
    let end = text.iter().rposition(|b| *b != b' ' && *b != b'\t');
    &text[..end.map_or(0, |i| i + 1)]
}

/// Everything up to the first space, and what follows it.
pub(crate) fn word(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text.iter().position(|b| *b == b' ' || *b == b'\t');
    text.split_at(end.unwrap_or(text.len()))
}

/// The digits in front as a number, and what follows them.
pub(crate) fn number(text: &[u8]) -> Option<(u64, &[u8])> {
    let mut value: u64 = 0;
    let mut end = 0;
    while let Some(digit) = text.get(end).filter(|b| b.is_ascii_digit()) {
        value = value
            .checked_mul(10)?
            .checked_add(u64::from(digit - b'0'))?;
        end += 1;
    }
    (end > 0).then_some((value, &text[end..]))
}

/// A number with an optional sign, and what follows it.
pub(crate) fn signed(text: &[u8]) -> Option<(i32, &[u8])> {
    let (sign, digits) = match text.strip_prefix(b"-") {
        Some(digits) => (-1, digits),
        None => (1, text),
    };
    let (value, rest) = number(digits)?;
    Some((sign * i32::try_from(value).ok()?, rest))
}

/// A text that is a number of a smaller kind and nothing else.
pub(crate) fn whole<T: TryFrom<u64>>(text: &[u8]) -> Option<T> {
    let (value, rest) = number(text)?;
    if rest.is_empty() {
        T::try_from(value).ok()
    } else {
        None
    }
}

/// The digits at the end as a number, and what stands before them.
pub(crate) fn number_behind(text: &[u8]) -> Option<(&[u8], u64)> {
    let at = text.iter().rposition(|b| !b.is_ascii_digit());
    let (before, digits) = text.split_at(at.map_or(0, |i| i + 1));
    Some((before, number(digits)?.0))
}

/// The latest time of a trace in ns: 146 years. Sums of two times stay within their 64 bits.
pub(crate) const LATEST: u64 = 1 << 62;

/// `seconds.fraction` with one to nine digits of fraction, in ns, and what follows.
pub(crate) fn time(text: &[u8]) -> Option<(u64, &[u8])> {
    let (seconds, rest) = number(text)?;
    let rest = rest.strip_prefix(b".")?;
    let (fraction, after) = number(rest)?;
    let digits = rest.len() - after.len();
    let mut scale = 1;
    for _ in digits..9 {
        scale *= 10;
    }
    let ns = (digits <= 9).then(|| fraction * scale)?;
    let time = seconds.checked_mul(1_000_000_000)?.checked_add(ns)?;
    (time <= LATEST).then_some((time, after))
}

/// Where a text begins within another, at a place or later. It is found by its last byte, which should be a rare one: for
/// texts as short as lines that is faster than any search that has to be prepared.
pub(crate) fn find_from(text: &[u8], what: &[u8], from: usize) -> Option<usize> {
    let (last, before) = what.split_last()?;
    let mut end = from + before.len();
    while let Some(at) = memchr::memchr(*last, text.get(end..)?) {
        end += at;
        if text[..end].ends_with(before) {
            return Some(end - before.len());
        }
        end += 1;
    }
    None
}

/// Where a text begins within another.
pub(crate) fn find(text: &[u8], what: &[u8]) -> Option<usize> {
    find_from(text, what, 0)
}

/// All places where a text begins within another.
pub(crate) fn find_all<'a>(text: &'a [u8], what: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    let mut from = 0;
    std::iter::from_fn(move || {
        let at = find_from(text, what, from)?;
        from = at + 1;
        Some(at)
    })
}

/// What follows the first place of a text, if it is there.
pub(crate) fn after<'a>(text: &'a [u8], what: &[u8]) -> Option<&'a [u8]> {
    let at = find(text, what)?;
    Some(&text[at + what.len()..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_up_to_nine_digits() {
        assert_eq!(
            time(b"2027.003142: x"),
            Some((2_027_003_142_000, &b": x"[..]))
        );
        assert_eq!(time(b"0.000000001"), Some((1, &b""[..])));
        assert_eq!(time(b"7.5"), Some((7_500_000_000, &b""[..])));
        for wrong in [&b"12"[..], b"12.", b".5", b"1.0000000001", b"9999999999.0"] {
            assert_eq!(time(wrong), None, "{}", String::from_utf8_lossy(wrong));
        }
    }

    #[test]
    fn texts_are_found_by_their_last_byte() {
        let places =
            |text: &str, what: &str| find_all(text.as_bytes(), what.as_bytes()).collect::<Vec<_>>();
        assert_eq!(places("a=b a=c a=", " a="), [3, 7]);
        assert_eq!(places("aaaa", "aa"), [0, 1, 2]);
        assert!(places("==", "a=").is_empty());
        assert!(places("", "x").is_empty());
        assert_eq!(after(b"k=v", b"k="), Some(&b"v"[..]));
    }

    #[test]
    fn numbers_end_where_digits_do() {
        assert_eq!(
            number_behind(b"kworker/0:1-12"),
            Some((&b"kworker/0:1-"[..], 12))
        );
        assert_eq!(signed(b"-1 x"), Some((-1, &b" x"[..])));
        assert_eq!(number(b"99999999999999999999"), None);
        assert_eq!(whole::<u16>(b"65536"), None);
    }
}
