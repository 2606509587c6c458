//! Whole numbers that are constants of type `int`. Their values decide into which small types they convert.

use super::Walker;
use syntax::facts::*;

/// Numbers from 1 up to this fit every type of whole numbers, so their values are not kept.
const FITS_ALL: i32 = 127;

impl Walker<'_, '_> {
    /// A constant of type `int`.
    pub(super) fn int_constant(&mut self, value: i32) -> ExprId {
        let mut expr = self.b.add_expr(Expr::Literal(Primitive::Int));
        if !(1..=FITS_ALL).contains(&value) {
            let part = self.b.add_expr(Expr::Part(expr, value as u32));
            let ty = self.int_type();
            expr = self.b.add_expr(Expr::Cast(part, ty));
        }
        self.ints.insert(expr, value);
        expr
    }

    /// `int`, added once for each file.
    fn int_type(&mut self) -> TypeId {
        if let Some(known) = self.int {
            return known;
        }
        let ty = self.system_type("Int32");
        self.int = Some(ty);
        ty
    }

    /// The value of a constant of type `int`.
    pub(super) fn constant_value(&self, expr: ExprId) -> Option<i32> {
        self.ints.get(&expr).copied()
    }
}

/// The value of a literal in lower case, if it fits 64 bits, and its suffix: none, `u`, `l` or `ul`.
pub(super) fn whole_number(text: &str) -> (Option<u64>, &'static str) {
    let digits = text.trim_end_matches(['u', 'l']);
    let suffix = match &text[digits.len()..] {
        "" => "",
        "u" => "u",
        "l" => "l",
        _ => "ul",
    };
    let digits: String = digits.chars().filter(|c| *c != '_').collect();
    let value = match (digits.strip_prefix("0x"), digits.strip_prefix("0b")) {
        (Some(hex), _) => u64::from_str_radix(hex, 16),
        (_, Some(bits)) => u64::from_str_radix(bits, 2),
        _ => digits.parse::<u64>(),
    };
    (value.ok(), suffix)
}

/// The result of an operation on two constants of type `int`, if it is one.
pub(super) fn folded(operator: &str, left: i32, right: i32) -> Option<i32> {
    match operator {
        "+" => left.checked_add(right),
        "-" => left.checked_sub(right),
        "*" => left.checked_mul(right),
        "/" => left.checked_div(right),
        "%" => left.checked_rem(right),
        "&" => Some(left & right),
        "|" => Some(left | right),
        "^" => Some(left ^ right),
        "<<" => Some(left.wrapping_shl(right as u32)),
        ">>" => Some(left.wrapping_shr(right as u32)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_have_a_value_and_a_suffix() {
        assert_eq!(whole_number("1_000"), (Some(1000), ""));
        assert_eq!(whole_number("0xffffffffu"), (Some(u32::MAX.into()), "u"));
        assert_eq!(whole_number("0b101lu"), (Some(5), "ul"));
        assert_eq!(whole_number("99999999999999999999"), (None, ""));
    }
}
