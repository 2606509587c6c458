//! Constants and variables, at package level and in functions.

use super::docs::{Docs, trailing_comment};
use super::{NameKind, Walker, named_children_in_field, named_parts, strip_parentheses};
use base::SymbolKind;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// A value longer than this is left out of a signature.
const LONG_VALUE: usize = 80;

/// Type and values that a constant without a value of its own repeats.
#[derive(Default)]
struct ImplicitConstant {
    ty: Option<TypeId>,
    values: Vec<Option<ExprId>>,
}

/// Handles a spec, with the node of the whole declaration and its documentation.
type EachSpec<'a, W> = dyn FnMut(&mut W, Node<'_>, Node<'_>, Option<&str>) + 'a;

impl<'s> Walker<'_, 's> {
    /// `const …`.
    pub(super) fn visit_const_declaration(&mut self, node: Node<'_>, doc: Option<String>) {
        let mut repeated = ImplicitConstant::default();
        let grouped = node.child(1).is_some_and(|c| c.kind_name() == "(");
        self.for_each_spec(node, doc, grouped, &mut |walker, spec, whole, doc| {
            walker.visit_const_spec(spec, whole, doc, &mut repeated);
        });
    }

    /// `var …`.
    pub(super) fn visit_var_declaration(&mut self, node: Node<'_>, doc: Option<String>) {
        let list = node
            .named_child(0)
            .filter(|list| list.kind_name() == "var_spec_list");
        let holder = list.unwrap_or(node);
        self.for_each_spec(holder, doc, list.is_some(), &mut Walker::visit_var_spec);
    }

    /// Calls `each` for the specs in `holder`. The whole of a grouped spec is the spec itself, that of a single one its
    /// declaration.
    fn for_each_spec(
        &mut self,
        holder: Node<'_>,
        doc: Option<String>,
        grouped: bool,
        each: &mut EachSpec<'_, Self>,
    ) {
        let mut docs = Docs::default();
        let mut cursor = holder.walk();
        for spec in holder.named_children(&mut cursor) {
            match spec.kind_name() {
                "comment" => docs.comment(self.b, spec),
                "const_spec" | "var_spec" => {
                    let own = docs.take(spec);
                    let after = || trailing_comment(self.b, spec);
                    let doc = if grouped { own } else { doc.clone() }.or_else(after);
                    let whole = if grouped { spec } else { holder };
                    each(self, spec, whole, doc.as_deref());
                    docs.note_declaration_end(spec);
                }
                _ => self.visit_statement(spec),
            }
        }
    }

    fn visit_const_spec(
        &mut self,
        spec: Node<'_>,
        whole: Node<'_>,
        doc: Option<&str>,
        repeated: &mut ImplicitConstant,
    ) {
        let names = named_children_in_field(spec, "name");
        let defs = self.define_package_names(spec, whole, &names, SymbolKind::Constant, doc);
        let owner = defs.iter().flatten().next().copied();
        if let Some(owner) = owner {
            self.b.open_owner(owner);
        }
        if let Some(values) = spec.field("value") {
            let ty = spec.field("type").map(|t| self.lower_type(t));
            let values = self.visit_value_list(values, names.len());
            *repeated = ImplicitConstant { ty, values };
        }
        if owner.is_some() {
            self.b.close_owner();
        }
        let values = repeated.values.clone();
        self.assign_types_and_values(spec, &names, &defs, repeated.ty, &values);
    }

    fn visit_var_spec(&mut self, spec: Node<'_>, whole: Node<'_>, doc: Option<&str>) {
        let names = named_children_in_field(spec, "name");
        let defs = self.define_package_names(spec, whole, &names, SymbolKind::Variable, doc);
        let owner = defs.iter().flatten().next().copied();
        if let Some(owner) = owner {
            self.b.open_owner(owner);
        }
        let ty = spec.field("type").map(|t| self.lower_type(t));
        let values = match spec.field("value") {
            Some(list) => self.visit_value_list(list, names.len()),
            None => Vec::new(),
        };
        if owner.is_some() {
            self.b.close_owner();
        }
        self.assign_types_and_values(spec, &names, &defs, ty, &values);
    }

    /// Definitions for the names of a spec at package level; empty in a function.
    fn define_package_names(
        &mut self,
        spec: Node<'_>,
        whole: Node<'_>,
        names: &[Node<'_>],
        kind: SymbolKind,
        doc: Option<&str>,
    ) -> Vec<Option<DefId>> {
        let signature = (whole.start_byte() as u32, signature_end(spec));
        let mut define = |node: &Node<'_>| {
            let text = self.b.text(*node);
            if self.functions > 0 || text == "_" {
                return None;
            }
            let name = self.b.intern_name(text);
            let def = self.b.add_def(name, kind, whole, *node);
            self.set_visibility(def, text);
            self.set_doc(def, doc);
            self.b.def_mut(def).signature = signature;
            // The spec belongs to a group.
            if whole == spec {
                self.b.def_mut(def).flags.set(DefFlags::GROUPED);
            }
            let to = Bound::Def(def);
            self.b.bind_in(FILE_SCOPE, name, Namespace::BOTH, 0, to);
            Some(def)
        };
        names.iter().map(&mut define).collect()
    }

    /// Sets type and values of definitions or local variables.
    fn assign_types_and_values(
        &mut self,
        spec: Node<'_>,
        names: &[Node<'_>],
        defs: &[Option<DefId>],
        ty: Option<TypeId>,
        values: &[Option<ExprId>],
    ) {
        for (i, node) in names.iter().enumerate() {
            let value = values.get(i).copied().flatten();
            if let Some(def) = defs.get(i).copied().flatten() {
                let entry = self.b.def_mut(def);
                entry.ty = ty;
                entry.value = value;
            } else if self.functions > 0 && self.b.text(*node) != "_" {
                let name = self.b.intern_node_text(*node);
                let from = spec.end_byte() as u32;
                self.bind_local(name, from, Bound::Local { ty, value }, NameKind::Value);
            }
        }
    }

    /// The values of an expression list for `count` names.
    pub(super) fn visit_value_list(&mut self, list: Node<'_>, count: usize) -> Vec<Option<ExprId>> {
        let nodes = match list.kind_name() {
            "expression_list" => named_parts(list),
            _ => vec![list],
        };
        let mut values: Vec<Option<ExprId>> = nodes.iter().map(|n| Some(self.expr(*n))).collect();
        if let ([node], [Some(value)]) = (nodes.as_slice(), values.as_slice())
            && count > 1
        {
            let value = *value;
            values = if has_comma_ok_form(*node) {
                let ok = self.b.add_expr(Expr::Literal(Primitive::Bool));
                vec![Some(value), Some(ok)]
            } else {
                let part = |i| Some(self.b.add_expr(Expr::Part(value, i)));
                (0..count as u32).map(part).collect()
            };
        }
        values
    }
}

/// Whether two names receive a value and an ok flag: `v, ok := m[k]`.
fn has_comma_ok_form(node: Node<'_>) -> bool {
    let node = strip_parentheses(node);
    match node.kind_name() {
        "index_expression" | "type_assertion_expression" => true,
        "unary_expression" => node
            .field("operator")
            .is_some_and(|o| o.kind_name() == "<-"),
        _ => false,
    }
}

/// The end of a spec's signature: before its value, if that is long.
fn signature_end(spec: Node<'_>) -> u32 {
    let value = spec.field("value");
    let long = value.filter(|v| {
        v.end_byte() - v.start_byte() > LONG_VALUE || v.end_position().row > v.start_position().row
    });
    long.map_or(spec.end_byte(), |v| v.start_byte()) as u32
}
