//! Tables of tuned numbers. Each number has a name, a meaning, a value, and a neutral value at which it has no effect.
//! An evaluation can therefore disable each number in turn.

/// A number of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Tuned {
    /// The field; for a number in a list, followed by a dot and its position: `chunk_weight.0`.
    pub name: String,
    /// Meaning, with unit and range.
    pub what: String,
    /// The product's value.
    pub value: f64,
    /// The value at which it has no effect; [`NONE`] for a limit that is never reached.
    pub neutral: f64,
}

/// The neutral value of a limit: it is never reached.
pub const NONE: f64 = 1e9;

/// A table of tuned numbers. [`tuning!`](crate::tuning!) makes one.
pub trait Table: Default {
    /// Every number, in the order of the fields.
    fn numbers() -> Vec<Tuned>;

    /// The value of a number; `None` if there is no such number.
    fn value(&self, name: &str) -> Option<f64>;

    /// Sets a number; false if there is no such number.
    fn set(&mut self, name: &str, value: f64) -> bool;

    /// The product's table with one number at its neutral value.
    fn without(number: &Tuned) -> Self {
        let mut table = Self::default();
        table.set(&number.name, number.neutral);
        table
    }
}

/// A field of a table: one number, or several that belong together.
pub trait Field {
    /// Count of the numbers; `None` for a plain one.
    const PARTS: Option<usize>;

    /// The number at a position.
    fn part(&self, at: usize) -> f64;

    /// Sets one of the numbers.
    fn set_part(&mut self, at: usize, value: f64);
}

macro_rules! plain_field {
    ($($type:ty),+) => {
        $(impl Field for $type {
            const PARTS: Option<usize> = None;

            fn part(&self, _: usize) -> f64 {
                // Converted through decimal digits, so that 0.3 as `f32` stays 0.3.
                self.to_string().parse().unwrap_or(*self as f64)
            }

            fn set_part(&mut self, _: usize, value: f64) {
                *self = value as $type;
            }
        })+
    };
}

plain_field!(f32, f64, u32, usize);

impl<T: Field, const N: usize> Field for [T; N] {
    const PARTS: Option<usize> = Some(N);

    fn part(&self, at: usize) -> f64 {
        self.get(at).map_or(0.0, |value| value.part(0))
    }

    fn set_part(&mut self, at: usize, value: f64) {
        if let Some(part) = self.get_mut(at) {
            part.set_part(0, value);
        }
    }
}

/// The numbers of a field, from its default and its neutral value.
pub fn field<T: Field>(name: &str, what: &[&str], value: &T, neutral: &T) -> Vec<Tuned> {
    let what = what.concat();
    let parts = 0..T::PARTS.unwrap_or(1);
    let number = |at: usize| Tuned {
        name: T::PARTS.map_or(name.to_owned(), |_| format!("{name}.{at}")),
        what: what.trim().to_owned(),
        value: value.part(at),
        neutral: neutral.part(at),
    };
    parts.map(number).collect()
}

/// The position in a field that a name means; `None` if it means another field.
pub fn part_of<T: Field>(_: &T, field: &str, name: &str) -> Option<usize> {
    match (T::PARTS, name.strip_prefix(field)?) {
        (None, "") => Some(0),
        (Some(count), rest) => {
            let at = rest.strip_prefix('.')?.parse().ok()?;
            (at < count).then_some(at)
        }
        _ => None,
    }
}

/// Makes a struct of tuned numbers with a documented default.
///
/// A field is written `/// What it weighs.` and `name: type = value, neutral value;`.
#[macro_export]
macro_rules! tuning {
    (
        $(#[$meta:meta])*
        $vis:vis struct $table:ident {
            $($(#[doc = $doc:literal])+ $field:ident: $type:ty = $value:expr, neutral $neutral:expr;)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq)]
        $vis struct $table {
            $($(#[doc = $doc])+ pub $field: $type,)+
        }

        impl ::core::default::Default for $table {
            fn default() -> $table {
                $table { $($field: $value,)+ }
            }
        }

        impl $crate::tuning::Table for $table {
            fn numbers() -> ::std::vec::Vec<$crate::tuning::Tuned> {
                let mut all = ::std::vec::Vec::new();
                $(
                    let (value, neutral): ($type, $type) = ($value, $neutral);
                    all.extend($crate::tuning::field(stringify!($field), &[$($doc),+], &value, &neutral));
                )+
                all
            }

            fn value(&self, name: &str) -> ::core::option::Option<f64> {
                $(
                    if let Some(at) = $crate::tuning::part_of(&self.$field, stringify!($field), name) {
                        return Some($crate::tuning::Field::part(&self.$field, at));
                    }
                )+
                None
            }

            fn set(&mut self, name: &str, value: f64) -> bool {
                $(
                    if let Some(at) = $crate::tuning::part_of(&self.$field, stringify!($field), name) {
                        $crate::tuning::Field::set_part(&mut self.$field, at, value);
                        return true;
                    }
                )+
                false
            }
        }
    };
}

/// Makes a struct of tables out of the tables of a feature's parts. Their numbers are called `part.number`.
#[macro_export]
macro_rules! tuning_of {
    (
        $(#[$meta:meta])*
        $vis:vis struct $table:ident {
            $($(#[doc = $doc:literal])+ $field:ident: $type:ty;)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Default)]
        $vis struct $table {
            $($(#[doc = $doc])+ pub $field: $type,)+
        }

        impl $crate::tuning::Table for $table {
            fn numbers() -> ::std::vec::Vec<$crate::tuning::Tuned> {
                let mut all = ::std::vec::Vec::new();
                $(
                    for mut number in <$type as $crate::tuning::Table>::numbers() {
                        number.name = format!("{}.{}", stringify!($field), number.name);
                        all.push(number);
                    }
                )+
                all
            }

            fn value(&self, name: &str) -> ::core::option::Option<f64> {
                match name.split_once('.')? {
                    $((stringify!($field), rest) => $crate::tuning::Table::value(&self.$field, rest),)+
                    _ => None,
                }
            }

            fn set(&mut self, name: &str, value: f64) -> bool {
                match name.split_once('.') {
                    $(Some((stringify!($field), rest)) => {
                        $crate::tuning::Table::set(&mut self.$field, rest, value)
                    })+
                    _ => false,
                }
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::Table;

    crate::tuning! {
        /// A table.
        struct Tuning {
            /// Words. Times as much
            /// as others.
            words: f32 = 0.3, neutral 0.0;
            /// Fields.
            fields: [f32; 2] = [3.0, 1.5], neutral [1.0, 1.0];
            /// Places.
            places: usize = 4, neutral 1_000_000_000;
        }
    }

    crate::tuning_of! {
        /// Tables.
        struct Both {
            /// The first.
            one: Tuning;
            /// The second.
            other: Tuning;
        }
    }

    #[test]
    fn tables_make_up_a_table() {
        let all = Both::numbers();
        assert_eq!(all.len(), 8);
        assert_eq!(all[5].name, "other.fields.0");
        let without = Both::without(&all[5]);
        assert_eq!((without.other.fields[0], without.one.fields[0]), (1.0, 3.0));
        assert_eq!(without.value("other.fields.0"), Some(1.0));
        assert!(!Both::default().set("fields.0", 1.0));
    }

    #[test]
    fn every_number_has_a_name_and_can_be_taken_out() {
        let all = Tuning::numbers();
        let names: Vec<&str> = all.iter().map(|n| n.name.as_str()).collect();
        assert_eq!(names, ["words", "fields.0", "fields.1", "places"]);
        assert_eq!(all[0].what, "Words. Times as much as others.");
        assert_eq!((all[0].value, all[2].value), (0.3, 1.5));
        for number in &all {
            assert_eq!(Tuning::default().value(&number.name), Some(number.value));
            let without = Tuning::without(number);
            assert_eq!(without.value(&number.name), Some(number.neutral));
            assert_ne!(without, Tuning::default());
        }
    }

    #[test]
    fn other_names_set_nothing() {
        let mut table = Tuning::default();
        for name in ["word", "words.0", "fields", "fields.2", "fields.x", ""] {
            assert!(!table.set(name, 7.0), "{name}");
            assert_eq!(table.value(name), None);
        }
        assert_eq!(table, Tuning::default());
        assert!(table.set("words", 0.25));
        assert_eq!(table.words, 0.25);
    }
}
