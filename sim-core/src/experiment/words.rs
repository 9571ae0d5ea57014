//! Numbers in words.

/// A number with four significant digits.
#[must_use]
pub fn short(x: f64) -> String {
    if x.is_nan() {
        return "nothing".to_owned();
    }
    if x.is_infinite() {
        return x.to_string();
    }
    let size = x.abs();
    let digits = match () {
        () if size >= 1000.0 => 0,
        () if size >= 100.0 => 1,
        () if size >= 10.0 => 2,
        () if size >= 0.1 => 3,
        () if size >= 0.01 => 4,
        () if size >= 1e-9 => 7,
        () => 0,
    };
    let text = format!("{x:.digits$}");
    if digits == 0 {
        return text;
    }
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_told_with_the_digits_that_count() {
        for (x, text) in [
            (12345.6, "12346"),
            (123.46, "123.5"),
            (12.345, "12.35"),
            (1.0, "1"),
            (0.98765, "0.988"),
            (0.012_345, "0.0123"),
            (0.0, "0"),
            (f64::NAN, "nothing"),
        ] {
            assert_eq!(short(x), text);
        }
    }
}
