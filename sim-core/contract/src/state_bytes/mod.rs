//! Plain data as bytes, for snapshots and digests: the format of postcard, in code that is small as WebAssembly.
//!
//! postcard asks the compiler to copy the code of each number into each field. For the states of all schedulers that
//! was a seventh of the package that every reader of the page loads. Here all fields of a kind share one function,
//! which calls postcard.

mod read;
mod write;

use read::Reader;
use serde::Serialize;
use serde::de::DeserializeOwned;
use write::Writer;

/// The bytes of a state.
///
/// # Panics
/// Never: plain data is serialisable.
pub fn save_state<T: Serialize>(state: &T) -> Vec<u8> {
    let mut writer = Writer::new();
    state
        .serialize(&mut writer)
        .expect("invariant: plain data is serialisable");
    writer.into_bytes()
}

/// The state that the bytes hold, if they are valid. Bytes after it are ignored.
#[must_use]
pub fn load_state<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    Some(take_state(bytes)?.0)
}

/// The state at the beginning of the bytes, and the bytes after it, if they are valid.
#[must_use]
pub fn take_state<T: DeserializeOwned>(bytes: &[u8]) -> Option<(T, &[u8])> {
    let mut reader = Reader::new(bytes);
    let state = T::deserialize(&mut reader).ok()?;
    Some((state, reader.rest()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use std::collections::BTreeMap;

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    enum Variant {
        Unit,
        Newtype(i64),
        Tuple(u8, i16),
        Struct { a: bool, b: Option<u32> },
    }

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Wrapped(u16);

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Empty;

    /// A field of every kind that serde knows.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Every {
        flags: (bool, bool),
        signed: (i8, i16, i32, i64, i128),
        unsigned: (u8, u16, u32, u64, u128),
        floats: (f32, f64),
        letter: char,
        text: String,
        none: Option<u8>,
        some: Option<Box<Every>>,
        variants: Vec<Variant>,
        wrapped: Wrapped,
        empty: (Empty, ()),
        array: [u32; 3],
        map: BTreeMap<u8, String>,
    }

    fn every() -> Every {
        let inner = Every {
            flags: (true, false),
            signed: (-1, i16::MIN, i32::MAX, i64::MIN, i128::MIN),
            unsigned: (200, u16::MAX, 128, u64::MAX, u128::MAX),
            floats: (1.5, -0.25),
            letter: 'é',
            text: "ready".into(),
            none: None,
            some: None,
            variants: vec![
                Variant::Unit,
                Variant::Newtype(-300),
                Variant::Tuple(1, -2),
                Variant::Struct {
                    a: true,
                    b: Some(7),
                },
            ],
            wrapped: Wrapped(300),
            empty: (Empty, ()),
            array: [1, 2, 3],
            map: [(1, "one".into()), (2, "two".into())].into(),
        };
        Every {
            some: Some(Box::new(inner.clone())),
            ..inner
        }
    }

    #[test]
    fn the_format_is_that_of_postcard() {
        let bytes = save_state(&every());
        assert_eq!(
            bytes,
            postcard::to_stdvec(&every()).expect("plain data"),
            "written"
        );
        assert_eq!(load_state::<Every>(&bytes), Some(every()), "read");
    }

    #[test]
    fn bytes_after_a_state_are_handed_back() {
        let mut bytes = save_state(&every());
        bytes.extend([1, 2, 3]);
        let (state, rest) = take_state::<Every>(&bytes).expect("a state");
        assert_eq!((state, rest), (every(), [1, 2, 3].as_slice()));
    }

    /// As postcard does: no panic and no large allocation, whatever the bytes are.
    #[test]
    fn invalid_bytes_are_refused_as_postcard_refuses_them() {
        let bytes = save_state(&every());
        for end in 0..bytes.len() {
            assert_eq!(load_state::<Every>(&bytes[..end]), None, "cut at {end}");
        }
        for at in 0..bytes.len() {
            for value in [0, 1, 2, 5, 127, 128, 255] {
                let mut changed = bytes.clone();
                changed[at] = value;
                let expected = postcard::take_from_bytes::<Every>(&changed).ok();
                let found = take_state::<Every>(&changed);
                // As text, because a changed number may be none, and then differs from itself.
                let text = |state| format!("{state:?}");
                assert_eq!(text(found), text(expected), "byte {at} is {value}");
            }
        }
    }
}
