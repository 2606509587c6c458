//! Classes: bases, type parameters, members.

use super::flow::{Frame, FrameKind};
use super::{Walker, children};
use base::SymbolKind;
use rustc_hash::FxHashSet;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// The argument list of a class.
#[derive(Default)]
struct Bases {
    supers: Vec<(TypeId, SuperKind)>,
    protocol: bool,
    enumeration: bool,
    /// Keywords and spread arguments.
    more: bool,
}

impl Walker<'_, '_> {
    pub(super) fn visit_class(&mut self, node: Node<'_>, whole: Node<'_>, decorators: &[Node<'_>]) {
        let Some(name_node) = node.field("name") else {
            self.walk_children(node);
            return;
        };
        if !self.b.enter_level() {
            return;
        }
        let decorator_exprs = self.visit_decorators(decorators);
        let name = self.b.intern_node_text(name_node);
        let entered = self.enter_definition_scope();
        let def = self.b.add_def(name, SymbolKind::Class, whole, name_node);
        let member = self.current_class_body().is_some();
        self.set_name_flags(def, name_node, member);
        self.mark_decorators(def, decorators);
        if self.is_conditional() {
            self.b.def_mut(def).flags.set(DefFlags::CONDITIONAL);
        }
        let body = node.field("body");
        self.set_signature(def, node, body);
        // Type parameters are visible in bases, members and methods.
        let around = self.b.open_scope(ScopeKind::Block, None);
        self.visit_type_params(node, def, around);
        self.met_typevars.clear();
        let bases = self.visit_bases(node);
        self.declare_typevars(def, around);
        let declared: FxHashSet<NameId> = self
            .b
            .facts()
            .def(def)
            .type_params
            .iter()
            .map(|p| p.name)
            .collect();
        let entry = self.b.def_mut(def);
        entry.supers = bases.supers.into();
        entry.decorators = decorator_exprs;
        if bases.more {
            entry.flags.set(DefFlags::MORE_BASES);
        }
        entry.kind = match (bases.protocol, bases.enumeration) {
            (true, _) => SymbolKind::Interface,
            (_, true) => SymbolKind::Enum,
            _ => SymbolKind::Class,
        };
        self.class_typevars.push(declared);
        self.class_body(def, body);
        self.class_typevars.pop();
        self.b.close_scope();
        self.leave_definition_scope(entered);
        self.mark_redefined(name);
        self.current_frame().guarded.may_raise();
        self.bind_definition(name, Bound::Def(def), node.end_byte() as u32);
        self.b.leave_level();
    }

    fn class_body(&mut self, def: DefId, body: Option<Node<'_>>) {
        let scope = self.b.open_def(def, ScopeKind::Class);
        self.frames
            .push(Frame::new(FrameKind::Class, scope, scope, Some(def)));
        if let Some(body) = body {
            self.docstring(def, body);
            self.visit_block(body);
        }
        self.frames.pop();
        self.b.close_def();
    }

    fn visit_bases(&mut self, node: Node<'_>) -> Bases {
        let mut bases = Bases::default();
        let Some(arguments) = node.field("superclasses") else {
            return bases;
        };
        for argument in children(arguments) {
            match argument.kind_name() {
                "keyword_argument" => {
                    bases.more = true;
                    if let Some(value) = argument.field("value") {
                        self.expr(value);
                    }
                }
                "identifier" | "attribute" | "subscript" => {
                    let text = self.b.text(argument);
                    let head = text.split('[').next().unwrap_or(text).trim();
                    let last = head.rsplit('.').next().unwrap_or(head);
                    bases.protocol |= last == "Protocol";
                    bases.enumeration |= ENUMS.contains(&last);
                    if matches!(last, "Generic" | "Protocol") {
                        self.record_imported_typevars(argument);
                    }
                    if let Some(ty) = self.lower_annotation(argument) {
                        bases.supers.push((ty, SuperKind::Extends));
                    }
                }
                "list_splat" | "dictionary_splat" => {
                    bases.more = true;
                    self.expr(argument);
                }
                _ => {
                    let value = self.expr(argument);
                    let ty = self.b.add_type(TypeExpr::TypeOf(value));
                    bases.supers.push((ty, SuperKind::Extends));
                }
            }
        }
        bases
    }

    /// Records the names in `Generic[…]` as type variables, including imported ones.
    fn record_imported_typevars(&mut self, generic: Node<'_>) {
        let around = self.b.current_scope();
        let outer = self.b.facts().scope(around).parent.unwrap_or(around);
        for argument in children(generic).into_iter().skip(1) {
            if argument.kind_name() != "identifier" {
                continue;
            }
            let name = self.b.intern_node_text(argument);
            if !self.typevars.contains_key(&name) {
                let itself =
                    self.without_references(|w| w.lower_annotation_in(argument, outer, None));
                self.typevars.insert(name, itself);
            }
        }
    }

    pub(super) fn is_enum(&self, class: DefId) -> bool {
        self.b.facts().def(class).kind == SymbolKind::Enum
    }

    /// Parameters in brackets after the name.
    pub(super) fn visit_type_params(&mut self, node: Node<'_>, def: DefId, scope: ScopeId) {
        let Some(list) = node.field("type_parameters") else {
            return;
        };
        let mut params = Vec::new();
        for (i, param) in children(list).into_iter().enumerate() {
            let mut inner = param;
            while inner.kind_name() == "type" && inner.named_child_count() == 1 {
                match inner.named_child(0) {
                    Some(next) => inner = next,
                    None => break,
                }
            }
            let parts = match inner.kind_name() {
                "constrained_type" | "splat_type" => children(inner),
                _ => vec![inner],
            };
            let Some(name_node) = parts.first() else {
                continue;
            };
            let name = self.b.intern_node_text(*name_node);
            self.b.bind_in(
                scope,
                name,
                Namespace::TYPE,
                0,
                Bound::TypeParam(def, i as u32),
            );
            let bound = parts.get(1).and_then(|b| self.lower_annotation(*b));
            params.push(TypeParam {
                name,
                bounds: bound.into_iter().collect(),
                default: None,
            });
        }
        self.b.def_mut(def).type_params = params.into();
    }

    /// Declares the `TypeVar`s used in a signature as type parameters of the definition.
    pub(super) fn declare_typevars(&mut self, def: DefId, scope: ScopeId) {
        let met = std::mem::take(&mut self.met_typevars);
        if met.is_empty() {
            return;
        }
        let mut params = self.b.facts().def(def).type_params.to_vec();
        let known: FxHashSet<NameId> = params.iter().map(|p| p.name).collect();
        let mut met: Vec<(NameId, usize)> = met.into_iter().collect();
        met.sort_unstable_by_key(|(_, order)| *order);
        for (name, _) in met {
            if known.contains(&name) {
                continue;
            }
            let index = params.len() as u32;
            self.b.bind_in(
                scope,
                name,
                Namespace::TYPE,
                0,
                Bound::TypeParam(def, index),
            );
            let bound = self.typevars.get(&name).copied().flatten();
            params.push(TypeParam {
                name,
                bounds: bound.into_iter().collect(),
                default: None,
            });
        }
        self.b.def_mut(def).type_params = params.into();
    }
}

const ENUMS: &[&str] = &[
    "Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "ReprEnum", "EnumMeta",
];
