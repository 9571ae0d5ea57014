//! Numbers and lists in words. Written by hand, because the standard library's formatter for fractional numbers is a
//! tenth of what the page loads for its claims.

/// A number with all its digits, as `{}` writes it; with at most 15 digits.
#[must_use]
pub fn plain(x: f64) -> String {
    const MOST: f64 = 1e15;
    if x.is_nan() {
        return "NaN".to_owned();
    }
    if x.is_infinite() {
        return if x > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    // With this many digits after the point it is an integer divided by a power of ten; below 2⁵³ and 10²² that is
    // exact.
    let (mut digits, mut scale) = (0, 1.0);
    while digits < 20 && (x * scale).round() / scale != x && (x * scale * 10.0).abs() < MOST {
        digits += 1;
        scale *= 10.0;
    }
    fixed(x, digits)
}

/// A number with this many digits after the point (at most 20), as `{:.digits$}` writes it, with at most 19 digits in
/// total.
#[must_use]
pub fn fixed(x: f64, digits: u32) -> String {
    const FRACTION: u32 = 52;
    let bits = x.to_bits();
    let exponent = (bits >> FRACTION) & 0x7ff;
    let mantissa = (bits & ((1 << FRACTION) - 1)) | (u64::from(exponent > 0) << FRACTION);
    // The number is mantissa × 2^-shift, or mantissa × 2^(exponent - 1075) if it is an integer.
    let shift = 1075_u64.saturating_sub(exponent.max(1));
    let mut left = exponent.saturating_sub(1075);
    let mut whole = u128::from(mantissa) * 10_u128.pow(digits);
    if shift > 127 {
        whole = 0;
    } else if shift > 0 {
        // A number exactly between two is rounded to the even one.
        let rest = whole & ((1 << shift) - 1);
        let half = 1 << (shift - 1);
        whole >>= shift;
        if rest > half || (rest == half && whole % 2 == 1) {
            whole += 1;
        }
    }
    while left > 0 {
        whole = whole.saturating_mul(2);
        left -= 1;
    }
    let mut text = u64::try_from(whole).unwrap_or(u64::MAX).to_string();
    let digits = digits as usize;
    if digits > 0 {
        while text.len() <= digits {
            text.insert(0, '0');
        }
        text.insert(text.len() - digits, '.');
    }
    if x.is_sign_negative() {
        text.insert(0, '-');
    }
    text
}

/// A number with four significant digits.
#[must_use]
pub fn short(x: f64) -> String {
    if x.is_nan() {
        return "nothing".to_owned();
    }
    if x.is_infinite() {
        return plain(x);
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
    let mut text = fixed(x, digits);
    if digits > 0 {
        while text.ends_with('0') {
            text.pop();
        }
        if text.ends_with('.') {
            text.pop();
        }
    }
    text
}

/// A pattern with a number in place of each `#`.
#[must_use]
pub fn fill(pattern: &str, number: &str) -> String {
    let mut text = String::new();
    for c in pattern.chars() {
        if c == '#' {
            text.push_str(number);
        } else {
            text.push(c);
        }
    }
    text
}

/// Appends a part to a text, after a separator if there are parts before it; an empty part is ignored.
#[inline(never)]
pub fn append(text: &mut String, between: &str, part: &str) {
    if part.is_empty() {
        return;
    }
    if !text.is_empty() {
        text.push_str(between);
    }
    text.push_str(part);
}

/// A list separated by commas.
#[must_use]
pub fn list(parts: &[&str]) -> String {
    let mut text = String::new();
    for part in parts {
        append(&mut text, ", ", part);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

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

    #[test]
    fn a_pattern_is_filled() {
        assert_eq!(fill("# of #", "2"), "2 of 2");
    }

    #[test]
    fn digits_are_those_of_the_standard_library() {
        let mut all = vec![
            0.0, 0.5, 1.5, 2.5, 0.125, 0.375, 999.5, 1e14, 4e11, 1e-9, 5e-324,
        ];
        let mut rng = Rng::stream(7, "digits", 0);
        let mut size = 1e-18;
        for _ in 0..20_000 {
            size = if size > 0.5 { 1e-18 } else { size * 10.0 };
            let part = f64::from(rng.next_u32()) / 4_294_967_296.0;
            let x = (f64::from(rng.next_u32()) + part) * size;
            all.push(x);
            // Numbers between these with a few digits.
            all.push((x * 32.0).floor() / 32.0);
        }
        for x in all {
            for x in [x, -x] {
                let short = x.to_string();
                if short.len() <= 16 {
                    assert_eq!(plain(x), short);
                }
                let (mut digits, mut scaled) = (0, x.abs());
                while digits <= 7 && scaled < 1e18 {
                    let expected = format!("{x:.*}", digits as usize);
                    assert_eq!(fixed(x, digits), expected, "{x} {digits}");
                    digits += 1;
                    scaled *= 10.0;
                }
            }
        }
    }
}
