//! Long lists of numbers as text within a scenario: varints of seven bits, the low ones first, written in base 64.

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Writes numbers.
#[must_use]
pub fn write(numbers: impl IntoIterator<Item = u64>) -> String {
    let (mut text, mut bits, mut count) = (String::new(), 0_u32, 0);
    for mut number in numbers {
        loop {
            let more = number > 0x7f;
            let byte = (number & 0x7f) as u8 | u8::from(more) << 7;
            number >>= 7;
            (bits, count) = (bits << 8 | u32::from(byte), count + 8);
            while count >= 6 {
                count -= 6;
                text.push(char::from(DIGITS[(bits >> count & 63) as usize]));
            }
            bits &= (1 << count) - 1;
            if !more {
                break;
            }
        }
    }
    if count > 0 {
        text.push(char::from(DIGITS[(bits << (6 - count) & 63) as usize]));
    }
    text
}

/// Reads numbers that [`write`] wrote. The error is the place of the first character that cannot be.
///
/// # Errors
/// A character that is no digit, or a number that does not end.
pub fn read(text: &str) -> Result<Vec<u64>, usize> {
    let (mut numbers, mut bits, mut count) = (Vec::new(), 0_u32, 0);
    let (mut number, mut shift) = (0_u64, 0);
    for (at, digit) in text.bytes().enumerate() {
        let value = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'-' => 62,
            b'_' => 63,
            _ => return Err(at),
        };
        (bits, count) = (bits << 6 | u32::from(value), count + 6);
        if count < 8 {
            continue;
        }
        count -= 8;
        let byte = bits >> count;
        bits &= (1 << count) - 1;
        if shift > 63 {
            return Err(at);
        }
        number |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            numbers.push(number);
            (number, shift) = (0, 0);
        }
    }
    if shift > 0 {
        return Err(text.len());
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
