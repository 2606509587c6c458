//! Encodes values into columns.

use super::columns::{self, Column, FieldTree};
use serde::ser::{self, Serialize};
use std::fmt;

/// Why a value cannot be put into columns or read from them.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct Error(pub(super) String);

impl ser::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Error {
        Error(message.to_string())
    }
}

/// Collects values of one type.
pub(super) struct Encoder {
    shape: FieldTree,
    columns: Vec<Column>,
    /// The current field.
    node: u32,
    /// The row number in the outermost table.
    row: u32,
    in_table: bool,
    numbers: usize,
}

impl Encoder {
    pub(super) fn new() -> Encoder {
        Encoder {
            shape: FieldTree::new(),
            columns: Vec::new(),
            node: 0,
            row: 0,
            in_table: false,
            numbers: 0,
        }
    }

    /// Adds a value.
    pub(super) fn add(&mut self, value: &impl Serialize) -> Result<(), Error> {
        (self.node, self.row, self.in_table) = (0, 0, false);
        value.serialize(self)
    }

    /// Number of numbers encoded so far.
    pub(super) fn number_count(&self) -> usize {
        self.numbers
    }

    /// The encoded parts; the next value begins a new group.
    pub(super) fn take_encoded(&mut self) -> Vec<Vec<u8>> {
        let used = self.shape.len();
        if self.columns.len() < used {
            self.columns.resize_with(used, Column::default);
        }
        let parts = columns::encode_columns(&self.columns[..used]);
        self.columns.iter_mut().for_each(Column::clear);
        (self.shape, self.numbers) = (FieldTree::new(), 0);
        parts
    }

    fn current_column(&mut self) -> &mut Column {
        let at = self.node as usize;
        if self.columns.len() <= at {
            self.columns.resize_with(at + 1, Column::default);
        }
        self.numbers += 1;
        &mut self.columns[at]
    }

    fn push_number(&mut self, value: u64) -> Result<(), Error> {
        let row = self.row;
        self.current_column().push(value, row);
        Ok(())
    }

    fn fields_writer(&mut self) -> Fields<'_> {
        Fields {
            node: self.node,
            encoder: self,
            next: 0,
        }
    }
}

macro_rules! numbers {
    ($($name:ident: $type:ty,)*) => {
        $(fn $name(self, value: $type) -> Result<(), Error> { self.push_number(value as u64) })*
    };
}

impl<'e> ser::Serializer for &'e mut Encoder {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Rows<'e>;
    type SerializeTuple = Fields<'e>;
    type SerializeTupleStruct = Fields<'e>;
    type SerializeTupleVariant = Fields<'e>;
    type SerializeMap = ser::Impossible<(), Error>;
    type SerializeStruct = Fields<'e>;
    type SerializeStructVariant = Fields<'e>;

    numbers! {
        serialize_bool: bool, serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64,
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64, serialize_char: char,
    }

    fn serialize_f32(self, value: f32) -> Result<(), Error> {
        self.push_number(u64::from(value.to_bits()))
    }

    fn serialize_f64(self, value: f64) -> Result<(), Error> {
        self.push_number(value.to_bits())
    }

    fn serialize_str(self, text: &str) -> Result<(), Error> {
        let row = self.row;
        self.current_column().push_text(text, row);
        Ok(())
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<(), Error> {
        Err(Error("bytes have no column".to_owned()))
    }

    fn serialize_none(self) -> Result<(), Error> {
        self.push_number(0)
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<(), Error> {
        self.push_number(1)?;
        self.node = self.shape.child_node(self.node, 0);
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Error> {
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        Ok(())
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        variant: u32,
        _: &'static str,
    ) -> Result<(), Error> {
        self.push_number(u64::from(variant))
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        variant: u32,
        _: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        self.push_number(u64::from(variant))?;
        self.node = self.shape.child_node(self.node, variant);
        value.serialize(self)
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Rows<'e>, Error> {
        let length = length.ok_or_else(|| Error("a list without a length".to_owned()))?;
        self.push_number(length as u64)?;
        let is_table = !self.in_table;
        self.in_table = true;
        Ok(Rows {
            node: self.node,
            encoder: self,
            next: 0,
            is_table,
        })
    }

    fn serialize_tuple(self, _: usize) -> Result<Fields<'e>, Error> {
        Ok(self.fields_writer())
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Fields<'e>, Error> {
        Ok(self.fields_writer())
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        variant: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Fields<'e>, Error> {
        self.push_number(u64::from(variant))?;
        self.node = self.shape.child_node(self.node, variant);
        Ok(self.fields_writer())
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, Error> {
        Err(Error("maps have no columns".to_owned()))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Fields<'e>, Error> {
        Ok(self.fields_writer())
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        variant: u32,
        of: &'static str,
        length: usize,
    ) -> Result<Fields<'e>, Error> {
        self.serialize_tuple_variant(name, variant, of, length)
    }
}

/// Fields of one structure.
pub(super) struct Fields<'e> {
    encoder: &'e mut Encoder,
    node: u32,
    next: u32,
}

impl Fields<'_> {
    fn encode_field<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Error> {
        self.encoder.node = self.encoder.shape.child_node(self.node, self.next);
        self.next += 1;
        value.serialize(&mut *self.encoder)
    }
}

macro_rules! compound {
    ($($trait:ident, $put:ident;)*) => {$(
        impl ser::$trait for Fields<'_> {
            type Ok = ();
            type Error = Error;

            fn $put<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Error> {
                self.encode_field(value)
            }

            fn end(self) -> Result<(), Error> {
                Ok(())
            }
        }
    )*};
}

compound! {
    SerializeTuple, serialize_element;
    SerializeTupleStruct, serialize_field;
    SerializeTupleVariant, serialize_field;
}

macro_rules! named {
    ($($trait:ident;)*) => {$(
        impl ser::$trait for Fields<'_> {
            type Ok = ();
            type Error = Error;

            fn serialize_field<T: ?Sized + Serialize>(
                &mut self,
                _: &'static str,
                value: &T,
            ) -> Result<(), Error> {
                self.encode_field(value)
            }

            fn end(self) -> Result<(), Error> {
                Ok(())
            }
        }
    )*};
}

named! { SerializeStruct; SerializeStructVariant; }

/// Entries of a list; the outermost list is a table, whose rows count.
pub(super) struct Rows<'e> {
    encoder: &'e mut Encoder,
    node: u32,
    next: u32,
    is_table: bool,
}

impl ser::SerializeSeq for Rows<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Error> {
        self.encoder.node = self.encoder.shape.child_node(self.node, 0);
        if self.is_table {
            self.encoder.row = self.next;
            self.next += 1;
        }
        value.serialize(&mut *self.encoder)
    }

    fn end(self) -> Result<(), Error> {
        if self.is_table {
            self.encoder.in_table = false;
            self.encoder.row = 0;
        }
        Ok(())
    }
}
