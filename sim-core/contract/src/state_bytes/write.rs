//! Writes plain data. All fields of a kind share one function.

use postcard::ser_flavors::{Flavor, StdVec};
use postcard::{Error, Result};
use serde::ser::{self, Serialize, Serializer};

/// Collects the bytes.
pub(super) struct Writer {
    postcard: postcard::Serializer<StdVec>,
}

impl Writer {
    pub(super) fn new() -> Self {
        Self {
            postcard: postcard::Serializer {
                output: StdVec::new(),
            },
        }
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.postcard
            .output
            .finalize()
            .expect("invariant: a vector of bytes is complete at any time")
    }
}

/// Functions for plain values. None of them is copied into the code of a type.
macro_rules! plain {
    ($($name:ident($value:ty),)*) => {
        $(
            #[inline(never)]
            fn $name(self, value: $value) -> Result<()> {
                self.postcard.$name(value)
            }
        )*
    };
}

impl Serializer for &mut Writer {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Self;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    plain! {
        serialize_bool(bool),
        serialize_i8(i8),
        serialize_i16(i16),
        serialize_i32(i32),
        serialize_i64(i64),
        serialize_i128(i128),
        serialize_u8(u8),
        serialize_u16(u16),
        serialize_u32(u32),
        serialize_u128(u128),
        serialize_f32(f32),
        serialize_f64(f64),
        serialize_char(char),
        serialize_str(&str),
        serialize_bytes(&[u8]),
    }

    /// Most numbers are small. postcard copies even one byte by a call.
    #[inline(never)]
    fn serialize_u64(self, value: u64) -> Result<()> {
        match u8::try_from(value) {
            Ok(byte) if byte < 0x80 => self.postcard.serialize_u8(byte),
            _ => self.postcard.serialize_u64(value),
        }
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    fn serialize_none(self) -> Result<()> {
        self.serialize_u8(0)
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<()> {
        self.serialize_u8(1)?;
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<()> {
        Ok(())
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<()> {
        Ok(())
    }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        index: u32,
        _variant: &'static str,
    ) -> Result<()> {
        self.serialize_u32(index)
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        _name: &'static str,
        value: &T,
    ) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _name: &'static str,
        index: u32,
        _variant: &'static str,
        value: &T,
    ) -> Result<()> {
        self.serialize_u32(index)?;
        value.serialize(self)
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<Self> {
        let len = len.ok_or(Error::SerializeSeqLengthUnknown)?;
        self.serialize_u64(len as u64)?;
        Ok(self)
    }

    fn serialize_tuple(self, _len: usize) -> Result<Self> {
        Ok(self)
    }

    fn serialize_tuple_struct(self, _name: &'static str, _len: usize) -> Result<Self> {
        Ok(self)
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        index: u32,
        _variant: &'static str,
        _len: usize,
    ) -> Result<Self> {
        self.serialize_u32(index)?;
        Ok(self)
    }

    fn serialize_map(self, len: Option<usize>) -> Result<Self> {
        self.serialize_seq(len)
    }

    fn serialize_struct(self, _name: &'static str, _len: usize) -> Result<Self> {
        Ok(self)
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        index: u32,
        _variant: &'static str,
        _len: usize,
    ) -> Result<Self> {
        self.serialize_u32(index)?;
        Ok(self)
    }

    fn collect_str<T: ?Sized + core::fmt::Display>(self, value: &T) -> Result<()> {
        self.serialize_str(&value.to_string())
    }
}

/// Parts of lists and tuples: their values, one after the other.
macro_rules! elements {
    ($($list:ident::$name:ident,)*) => {
        $(
            impl ser::$list for &mut Writer {
                type Ok = ();
                type Error = Error;

                fn $name<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
                    value.serialize(&mut **self)
                }

                fn end(self) -> Result<()> {
                    Ok(())
                }
            }
        )*
    };
}

elements! {
    SerializeSeq::serialize_element,
    SerializeTuple::serialize_element,
    SerializeTupleStruct::serialize_field,
    SerializeTupleVariant::serialize_field,
}

/// Parts of structs: their values; names are not written.
macro_rules! fields {
    ($($list:ident,)*) => {
        $(
            impl ser::$list for &mut Writer {
                type Ok = ();
                type Error = Error;

                fn serialize_field<T: ?Sized + Serialize>(
                    &mut self,
                    _name: &'static str,
                    value: &T,
                ) -> Result<()> {
                    value.serialize(&mut **self)
                }

                fn end(self) -> Result<()> {
                    Ok(())
                }
            }
        )*
    };
}

fields! {
    SerializeStruct,
    SerializeStructVariant,
}

impl ser::SerializeMap for &mut Writer {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<()> {
        key.serialize(&mut **self)
    }

    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        value.serialize(&mut **self)
    }

    fn end(self) -> Result<()> {
        Ok(())
    }
}
