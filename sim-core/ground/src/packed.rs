//! Long lists of numbers as text within a scenario: varints as `postcard` has them, in base 64 as links have it.

use base64::DecodeError::InvalidByte;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// Writes numbers.
#[must_use]
pub fn write(numbers: impl IntoIterator<Item = u64>) -> String {
    let mut bytes = Vec::new();
    for number in numbers {
        // A number always fits into a vector.
        bytes.extend(postcard::to_stdvec(&number).unwrap_or_default());
    }
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Reads numbers that [`write`] wrote. The error is the place of the first character that cannot be.
///
/// # Errors
/// A character that is no digit, or a number that does not end.
pub fn read(text: &str) -> Result<Vec<u64>, usize> {
    let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|e| match e {
        InvalidByte(at, _) => at,
        _ => text.len(),
    })?;
    let (mut numbers, mut rest) = (Vec::new(), &bytes[..]);
    while !rest.is_empty() {
        let (number, more) = postcard::take_from_bytes(rest).map_err(|_| text.len())?;
        numbers.push(number);
        rest = more;
    }
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_from_their_text() {
        for n in 0..9 {
            let numbers: Vec<u64> = (0..n).map(|i| u64::MAX >> (i * 9)).collect();
            assert_eq!(read(&write(numbers.clone())), Ok(numbers));
        }
        let small: Vec<u64> = (0..300).collect();
        assert_eq!(read(&write(small.clone())), Ok(small));
        assert_eq!(read("AAé"), Err(2));
        // The last number goes on behind the end.
        assert_eq!(read("_w"), Err(2));
        // A number of more than 64 bits.
        assert!(read(&"_".repeat(40)).is_err());
    }
}
