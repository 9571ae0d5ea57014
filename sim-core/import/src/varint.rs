//! Whole numbers in as few bytes as they need: seven bits a byte, the lowest first.

/// Writes a number.
pub(crate) fn put(mut value: u64, to: &mut Vec<u8>) {
    while value >= 0x80 {
        to.push((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    to.push((value & 0x7f) as u8);
}

/// Reads a number, if a whole one is there.
pub(crate) fn take(from: &mut &[u8]) -> Option<u64> {
    let mut value = 0_u64;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = from.split_first()?;
        *from = rest;
        let bits = u64::from(byte & 0x7f);
        if shift == 63 && bits > 1 {
            return None;
        }
        value |= bits << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        for value in [0, 1, 127, 128, 16_383, 16_384, u64::MAX - 1, u64::MAX] {
            let mut bytes = Vec::new();
            put(value, &mut bytes);
            let mut rest = &bytes[..];
            assert_eq!((take(&mut rest), rest.len()), (Some(value), 0));
            assert_eq!(take(&mut &bytes[..bytes.len() - 1]), None);
        }
        assert_eq!(take(&mut &[0xff; 11][..]), None);
    }
}
