//! Decodes values from columns.

use super::columns::{self, ColumnReader, FieldTree};
use super::encode::Error;
use serde::de::{self, DeserializeOwned, DeserializeSeed, IntoDeserializer, Visitor};
use std::fmt;

impl de::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Error {
        Error(message.to_string())
    }
}

/// Returns, one after the other, the values that were encoded.
pub(super) struct Decoder<'b> {
    shape: FieldTree,
    columns: Vec<ColumnReader<'b>>,
    node: u32,
    row: u32,
    in_table: bool,
}

impl<'b> Decoder<'b> {
    /// Reads the joined parts of an encoder.
    pub(super) fn new(bytes: &'b [u8]) -> Result<Decoder<'b>, Error> {
        Ok(Decoder {
            shape: FieldTree::new(),
            columns: columns::decode_columns(bytes).ok_or_else(unexpected_end)?,
            node: 0,
            row: 0,
            in_table: false,
        })
    }

    /// The next value.
    pub(super) fn next<T: DeserializeOwned>(&mut self) -> Result<T, Error> {
        (self.node, self.row, self.in_table) = (0, 0, false);
        T::deserialize(self)
    }

    fn current_column(&mut self) -> Result<&mut ColumnReader<'b>, Error> {
        self.columns
            .get_mut(self.node as usize)
            .ok_or_else(unexpected_end)
    }

    fn read_number(&mut self) -> Result<u64, Error> {
        let row = self.row;
        self.current_column()?.next(row).ok_or_else(unexpected_end)
    }

    fn read_text(&mut self) -> Result<&'b str, Error> {
        let row = self.row;
        self.current_column()?
            .next_text(row)
            .ok_or_else(unexpected_end)
    }

    fn fields_reader(&mut self, length: usize) -> Fields<'_, 'b> {
        Fields {
            node: self.node,
            decoder: self,
            next: 0,
            length: length as u32,
        }
    }
}

fn unexpected_end() -> Error {
    Error("a column ended too early".to_owned())
}

macro_rules! numbers {
    ($($name:ident: $type:ty, $visit:ident;)*) => {
        $(fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            let number = self.read_number()?;
            let value = <$type>::try_from(number).map_err(|_| Error(format!("{number} is out of range")))?;
            visitor.$visit(value)
        })*
    };
}

macro_rules! signed {
    ($($name:ident: $type:ty, $visit:ident;)*) => {
        $(fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            let number = self.read_number()? as i64;
            let value = <$type>::try_from(number).map_err(|_| Error(format!("{number} is out of range")))?;
            visitor.$visit(value)
        })*
    };
}

macro_rules! refused {
    ($($name:ident)*) => {
        $(fn $name<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
            Err(Error("no such column".to_owned()))
        })*
    };
}

impl<'de> de::Deserializer<'de> for &mut Decoder<'de> {
    type Error = Error;

    numbers! {
        deserialize_u8: u8, visit_u8; deserialize_u16: u16, visit_u16;
        deserialize_u32: u32, visit_u32; deserialize_u64: u64, visit_u64;
    }

    signed! {
        deserialize_i8: i8, visit_i8; deserialize_i16: i16, visit_i16;
        deserialize_i32: i32, visit_i32; deserialize_i64: i64, visit_i64;
    }

    refused! { deserialize_any deserialize_bytes deserialize_byte_buf deserialize_map deserialize_ignored_any
    deserialize_identifier }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.read_number()? {
            0 => visitor.visit_bool(false),
            1 => visitor.visit_bool(true),
            other => Err(Error(format!("{other} is not a boolean"))),
        }
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let number = u32::try_from(self.read_number()?).ok();
        let found = number.and_then(char::from_u32);
        visitor.visit_char(found.ok_or_else(|| Error("no character".to_owned()))?)
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_f32(f32::from_bits(self.read_number()? as u32))
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_f64(f64::from_bits(self.read_number()?))
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_borrowed_str(self.read_text()?)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.read_number()? {
            0 => visitor.visit_none(),
            _ => {
                self.node = self.shape.child_node(self.node, 0);
                visitor.visit_some(self)
            }
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let left = self.read_number()?;
        let is_table = !self.in_table;
        self.in_table = true;
        let rows = Rows {
            node: self.node,
            decoder: &mut *self,
            next: 0,
            left,
            is_table,
        };
        let value = visitor.visit_seq(rows)?;
        if is_table {
            (self.in_table, self.row) = (false, 0);
        }
        Ok(value)
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_seq(self.fields_reader(length))
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_seq(self.fields_reader(length))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_seq(self.fields_reader(fields.len()))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_enum(Variant(self))
    }
}

struct Variant<'d, 'b>(&'d mut Decoder<'b>);

impl<'d, 'de> de::EnumAccess<'de> for Variant<'d, 'de> {
    type Error = Error;
    type Variant = Content<'d, 'de>;

    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<(S::Value, Self::Variant), Error> {
        let number = u32::try_from(self.0.read_number()?).map_err(|e| Error(e.to_string()))?;
        let deserializer: de::value::U32Deserializer<Error> = number.into_deserializer();
        let value = seed.deserialize(deserializer)?;
        Ok((
            value,
            Content {
                decoder: self.0,
                variant: number,
            },
        ))
    }
}

/// Contents of a variant.
struct Content<'d, 'b> {
    decoder: &'d mut Decoder<'b>,
    variant: u32,
}

impl<'d, 'b> Content<'d, 'b> {
    fn enter_variant(self) -> &'d mut Decoder<'b> {
        let Content { decoder, variant } = self;
        decoder.node = decoder.shape.child_node(decoder.node, variant);
        decoder
    }
}

impl<'de> de::VariantAccess<'de> for Content<'_, 'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        Ok(())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Error> {
        seed.deserialize(self.enter_variant())
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_seq(self.enter_variant().fields_reader(length))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_seq(self.enter_variant().fields_reader(fields.len()))
    }
}

/// Fields of one structure.
struct Fields<'d, 'b> {
    decoder: &'d mut Decoder<'b>,
    node: u32,
    next: u32,
    length: u32,
}

impl<'de> de::SeqAccess<'de> for Fields<'_, 'de> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        if self.next == self.length {
            return Ok(None);
        }
        self.decoder.node = self.decoder.shape.child_node(self.node, self.next);
        self.next += 1;
        seed.deserialize(&mut *self.decoder).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some((self.length - self.next) as usize)
    }
}

/// Entries of a list.
struct Rows<'d, 'b> {
    decoder: &'d mut Decoder<'b>,
    node: u32,
    next: u32,
    left: u64,
    is_table: bool,
}

impl<'de> de::SeqAccess<'de> for Rows<'_, 'de> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        let Some(left) = self.left.checked_sub(1) else {
            return Ok(None);
        };
        self.left = left;
        self.decoder.node = self.decoder.shape.child_node(self.node, 0);
        if self.is_table {
            self.decoder.row = self.next;
            self.next = self.next.wrapping_add(1);
        }
        seed.deserialize(&mut *self.decoder).map(Some)
    }

    /// A damaged length must not allocate much, so it is trusted only up to a limit.
    fn size_hint(&self) -> Option<usize> {
        Some(self.left.min(1 << 16) as usize)
    }
}
