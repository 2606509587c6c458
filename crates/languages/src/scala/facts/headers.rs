//! Modifiers, annotations, signatures and documentation of definitions.

use super::{Walker, children_of_kind};
use base::Visibility;
use syntax::builder::MAX_HEAD_BYTES;
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

impl Walker<'_, '_> {
    /// Sets modifiers, annotations, signature and documentation. `body` does not belong to the signature.
    pub(super) fn set_header(
        &mut self,
        def: DefId,
        node: Node<'_>,
        body: Option<Node<'_>>,
        doc: Option<&str>,
    ) {
        let text = child_of_kind(node, "modifiers").map_or("", |list| self.b.text(list));
        let (visibility, mut flags) = modifiers(text);
        if visibility != Visibility::Private {
            flags.set(DefFlags::EXPORTED);
        }
        if self.is_local {
            flags.set(DefFlags::LOCAL);
        }
        let end = self.signature_end(def, node, body);
        let it = self.b.def_mut(def);
        it.visibility = visibility;
        it.flags.set(flags);
        it.signature.1 = end.max(it.signature.0);
        if let Some(doc) = doc {
            self.b.set_doc(def, doc);
        }
        let annotations = children_of_kind(node, "annotation");
        let decorators: Vec<ExprId> = annotations
            .into_iter()
            .map(|annotation| self.annotation(def, annotation))
            .collect();
        self.b.def_mut(def).decorators = decorators.into();
    }

    /// The end of the signature: before the body, else the end of the line of the name.
    fn signature_end(&self, def: DefId, node: Node<'_>, body: Option<Node<'_>>) -> u32 {
        let start = self.b.facts().def(def).signature.0 as usize;
        let end = match body {
            Some(body) => body.start_byte(),
            None => node.end_byte(),
        };
        let end = end.min(start + MAX_HEAD_BYTES);
        let text = self.b.source.get(start..end).unwrap_or_default();
        let text = text.trim_end_matches([' ', '\t', '\r', '\n', '{', '=', ';', ',', ':']);
        (start + text.len()) as u32
    }

    /// An annotation: a call of its class.
    fn annotation(&mut self, def: DefId, node: Node<'_>) -> ExprId {
        let Some(name) = node.field("name") else {
            return self.b.add_expr(Expr::Unknown);
        };
        let (ty, name_node) = self.constructed_type(name);
        let last = self.b.text(name_node);
        if matches!(last, "Test" | "ParameterizedTest") {
            self.b.def_mut(def).flags.set(DefFlags::TEST);
        }
        if last == "main" {
            self.b.def_mut(def).flags.set(DefFlags::ENTRY);
        }
        let class = self.b.add_expr(Expr::Type(ty));
        let args = self.arguments_of(node, name);
        if args.is_empty() {
            self.b.add_call(class, CallKind::Decorator, 0, name_node);
            return class;
        }
        let argc = args.len();
        let call = self.b.add_expr(Expr::Call {
            callee: class,
            args: args.into(),
            type_args: Box::default(),
        });
        self.b.add_call(call, CallKind::Decorator, argc, name_node);
        call
    }
}

/// What modifiers say.
fn modifiers(text: &str) -> (Visibility, DefFlags) {
    let mut visibility = Visibility::Public;
    let mut flags = DefFlags::default();
    let mut rest = text;
    while let Some(at) = rest.find(char::is_alphabetic) {
        rest = &rest[at..];
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
        let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
        rest = after;
        match word {
            "private" => visibility = Visibility::Private,
            "protected" => visibility = Visibility::Protected,
            "abstract" => flags.set(DefFlags::ABSTRACT),
            "override" => flags.set(DefFlags::OVERRIDES),
            "implicit" => flags.set(DefFlags::IMPLICIT),
            _ => {}
        }
        let qualifier = after.trim_start().strip_prefix('[');
        if let Some((name, behind)) = qualifier.and_then(|q| q.split_once(']')) {
            if visibility == Visibility::Private && name.trim() != "this" {
                visibility = Visibility::Package;
            }
            rest = behind;
        }
    }
    (visibility, flags)
}
