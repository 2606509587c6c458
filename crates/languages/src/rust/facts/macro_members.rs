//! Methods that a macro of another file defines among the members of an impl or trait, if the call names them:
//! `color!(Color::Red, red(), on_red() -> Self)`.

use super::Walker;
use super::items::PendingAttributes;
use super::macros::make_range;
use base::{SymbolKind, Visibility};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::{Node, Range};

/// Keywords that may stand before the name of a method.
const MODIFIERS: [&str; 5] = ["pub", "const", "unsafe", "async", "fn"];

/// A method that a call names.
struct NamedMethod<'t> {
    name: Node<'t>,
    /// The type after `->`.
    ret: Option<Range>,
}

impl<'s> Walker<'_, 's> {
    /// Defines the methods that a macro call among members names. False if it names none, or if the macro is in this
    /// file and can be read.
    pub(super) fn define_named_methods(&mut self, call: Node<'_>, tokens: Node<'_>) -> bool {
        let Some(owner) = self.member_of() else {
            return false;
        };
        let name = call.field("macro").map_or("", |path| self.b.text(path));
        if self.in_macro_rule || self.own_macros.contains(name) {
            return false;
        }
        let mut cursor = tokens.walk();
        let all: Vec<Node<'_>> = tokens.children(&mut cursor).collect();
        let inside = all.get(1..all.len().saturating_sub(1)).unwrap_or(&[]);
        let is_public = inside.iter().any(|t| self.b.text(*t) == "pub");
        let parts = inside.split(|t| matches!(t.kind_name(), "," | ";"));
        let named: Vec<NamedMethod<'_>> = parts.filter_map(|p| self.named_method(p)).collect();
        // A result that is written once, after the last method, applies to all.
        let mut ret = None;
        for method in named.iter().rev() {
            ret = method.ret.or(ret);
            self.define_named_method(call, method.name, ret, owner, is_public);
        }
        !named.is_empty()
    }

    /// `pub name()`, `name() -> Type`.
    fn named_method<'t>(&self, part: &[Node<'t>]) -> Option<NamedMethod<'t>> {
        let at = part
            .iter()
            .position(|token| !MODIFIERS.contains(&self.b.text(*token)))?;
        let [name, brackets, rest @ ..] = &part[at..] else {
            return None;
        };
        if name.kind_name() != "identifier" || self.b.text(*brackets) != "()" {
            return None;
        }
        let starts_low = self
            .b
            .text(*name)
            .starts_with(|c: char| c.is_lowercase() || c == '_');
        let ret = match rest {
            [] => None,
            [arrow, first, ..] if self.b.text(*arrow) == "->" => {
                let last = rest.last()?;
                Some(make_range(
                    (first.start_byte(), first.start_position()),
                    (last.end_byte(), last.end_position()),
                ))
            }
            _ => return None,
        };
        starts_low.then_some(NamedMethod { name: *name, ret })
    }

    fn define_named_method(
        &mut self,
        call: Node<'_>,
        name: Node<'_>,
        ret: Option<Range>,
        owner: DefId,
        is_public: bool,
    ) {
        let pending = &mut PendingAttributes::default();
        let id = self.add_item_def(call, name, SymbolKind::Method, pending);
        let ret = ret.map(|range| self.type_in(range));
        let this = self.b.add_type(TypeExpr::SelfType(owner));
        let receiver = Param {
            name: self.b.intern_owned_name("self"),
            ty: Some(this),
            default: None,
            kind: ParamKind::Receiver,
        };
        let def = self.b.def_mut(id);
        def.flags.set(DefFlags::FROM_MACRO);
        if is_public {
            def.visibility = Visibility::Public;
            def.flags.set(DefFlags::EXPORTED);
        }
        def.callable = Some(Box::new(Callable {
            params: vec![receiver],
            ret,
            ..Callable::default()
        }));
    }
}
