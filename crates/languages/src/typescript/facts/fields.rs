//! Assignments to fields and members. In JavaScript any code can assign to them, so they may have any of the values
//! that the file assigns, not only the first.

use super::scoped::Scoped;
use super::{AssignedField, ThisRef, Walker};
use base::SymbolKind;
use rustc_hash::FxHashMap;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// A field with more assigned values may be anything.
const MOST_VALUES: usize = 32;
/// A list with more elements takes no further ones: its element is unknown to the linker.
const MOST_ELEMENTS: usize = 64;

/// Members of object literals that are assigned later.
#[derive(Default)]
pub(super) struct AssignedMembers {
    /// The object literals that are first values of variables.
    objects: Scoped<ExprId>,
    /// The values assigned to members of literals, in the order of the file.
    values: Vec<(ExprId, NameId, ExprId)>,
}

impl<'t> Walker<'_, '_, 't> {
    /// JavaScript: `this.x = value` may declare a field of the class.
    pub(super) fn record_field_assignment(
        &mut self,
        node: Node<'t>,
        left: Node<'t>,
        value: ExprId,
    ) {
        if !self.is_javascript() || left.kind_name() != "member_expression" {
            return;
        }
        let object = left.field("object");
        let property = left.field("property");
        let (Some(object), Some(at)) = (object, property) else {
            return;
        };
        if object.kind_name() != "this" {
            return;
        }
        if let Some(ThisRef::Instance(class)) = self.this.last().copied() {
            let name = self.b.intern_node_text(at);
            let ty = self.type_from_doc_before(node);
            self.assigned.entry(class).or_default().push(AssignedField {
                name,
                at,
                outer: node,
                value,
                ty,
            });
        }
    }

    /// Records that the first value of a variable is an object literal, a list with elements, or made by a class.
    pub(super) fn note_object(&mut self, scope: ScopeId, name: NameId, value: Option<ExprId>) {
        let Some(value) = value else {
            return;
        };
        let is_literal = match self.b.facts().expr(value) {
            Expr::Object(_) => true,
            Expr::List(elements) => self.is_javascript() && !elements.is_empty(),
            Expr::New { .. } => self.is_javascript(),
            _ => false,
        };
        if is_literal {
            self.members.objects.insert((scope, name), value);
        }
    }

    /// `list.push(…)` for a variable whose first value is a list with elements: the list has these, too.
    pub(super) fn record_pushed(&mut self, function: Node<'t>, args: &[ExprId]) {
        let property = function.field("property").map(|name| self.b.text(name));
        let object = function.field("object");
        let object = object.filter(|o| o.kind_name() == "identifier");
        let (Some("push" | "unshift"), Some(object)) = (property, object) else {
            return;
        };
        let variable = self.b.intern_node_text(object);
        let Some(scope) = self.scope_among(variable, |w| &w.members.objects) else {
            return;
        };
        let list = self.members.objects.get((scope, variable)).copied();
        let Some(list) = list else { return };
        if let Expr::List(elements) = self.b.facts().expr(list)
            && elements.len() <= MOST_ELEMENTS
        {
            let all = elements.iter().chain(args).copied().collect();
            self.b.set_expr(list, Expr::List(all));
        }
    }

    /// `object.x = value`, `object["x"] = value` for a variable whose first value is an object literal.
    pub(super) fn record_member_assignment(&mut self, left: Node<'t>, value: ExprId) {
        let key = match left.kind_name() {
            "member_expression" => left.field("property"),
            "subscript_expression" => left.field("index").filter(|i| i.kind_name() == "string"),
            _ => None,
        };
        let object = left.field("object");
        let (Some(object), Some(key)) = (object.filter(|o| o.kind_name() == "identifier"), key)
        else {
            return;
        };
        let variable = self.b.intern_node_text(object);
        let Some(scope) = self.scope_among(variable, |w| &w.members.objects) else {
            return;
        };
        if let Some(object) = self.members.objects.get((scope, variable)).copied() {
            let name = self.b.intern_name(super::unquote(self.b.text(key)));
            self.members.values.push((object, name, value));
        }
    }

    /// Declares fields for assignments to `this` in a class's methods, if they are not declared. A field that is
    /// assigned several times, or declared without a type and assigned, has one of its values.
    pub(super) fn declare_assigned_fields(&mut self, class: DefId) {
        let Some(mine) = self.assigned.remove(&class) else {
            return;
        };
        let facts = self.b.facts();
        let object = facts.def(class).value;
        let scope = facts.def(class).body.unwrap_or(FILE_SCOPE);
        let declared = facts.defs.iter().zip(0..).skip(class.index());
        let mut known: FxHashMap<NameId, DefId> = FxHashMap::default();
        for (def, at) in declared.filter(|(def, _)| def.parent == Some(class)) {
            known.entry(def.name).or_insert(DefId(at));
        }
        let mut values: FxHashMap<DefId, Vec<ExprId>> = FxHashMap::default();
        let mut order = Vec::new();
        for field in mine {
            if let Some(object) = object {
                self.members.values.push((object, field.name, field.value));
            }
            let id = match known.get(&field.name) {
                Some(id) => *id,
                None => {
                    let (outer, at) = (field.outer, field.at);
                    let id = self.b.add_def(field.name, SymbolKind::Field, outer, at);
                    let def = self.b.def_mut(id);
                    def.parent = Some(class);
                    def.scope = scope;
                    known.insert(field.name, id);
                    id
                }
            };
            if !self.takes_assigned_values(id) {
                continue;
            }
            let def = self.b.def_mut(id);
            def.ty = def.ty.or(field.ty);
            let before = def.value;
            let values = values.entry(id).or_insert_with(|| {
                order.push(id);
                before.into_iter().collect()
            });
            values.push(field.value);
        }
        for id in order {
            let value = self.one_of(values.get(&id).map_or(&[][..], Vec::as_slice));
            self.b.def_mut(id).value = value;
        }
    }

    /// Whether a definition has its assigned values: it is no method, accessor or static member.
    fn takes_assigned_values(&self, id: DefId) -> bool {
        let def = self.b.facts().def(id);
        matches!(def.kind, SymbolKind::Field | SymbolKind::Property)
            && !def.flags.has(DefFlags::STATIC)
    }

    /// Gives members of object literals all the values assigned to them.
    pub(super) fn assign_members(&mut self) {
        let mut by_object: FxHashMap<ExprId, Vec<(NameId, ExprId)>> = FxHashMap::default();
        let mut order = Vec::new();
        for (object, name, value) in std::mem::take(&mut self.members.values) {
            let values = by_object.entry(object).or_insert_with(|| {
                order.push(object);
                Vec::new()
            });
            values.push((name, value));
        }
        let fields = self.fields_by_class_name();
        for object in order {
            let assigned = by_object.remove(&object).unwrap_or_default();
            let Expr::Object(members) = self.b.facts().expr(object) else {
                self.assign_fields_of_made(object, assigned, &fields);
                continue;
            };
            let mut members = members.clone();
            let mut values: FxHashMap<NameId, Vec<ExprId>> = FxHashMap::default();
            for (name, value) in assigned {
                values.entry(name).or_default().push(value);
            }
            for (name, value) in &mut members {
                let is_function = matches!(self.b.facts().expr(*value), Expr::Function(_));
                if let Some(more) = values.get(name).filter(|_| !is_function) {
                    let all: Vec<ExprId> = std::iter::once(*value)
                        .chain(more.iter().copied())
                        .collect();
                    *value = self.one_of(&all).unwrap_or(self.unknown);
                }
            }
            self.b.set_expr(object, Expr::Object(members));
        }
    }

    /// The fields of the file by the names of their classes and their own.
    fn fields_by_class_name(&self) -> FxHashMap<(NameId, NameId), Vec<DefId>> {
        let facts = self.b.facts();
        let mut found: FxHashMap<(NameId, NameId), Vec<DefId>> = FxHashMap::default();
        for (def, at) in facts.defs.iter().zip(0..) {
            let class = def.parent.map(|class| facts.def(class));
            let class = class.filter(|class| class.kind == SymbolKind::Class);
            if let Some(class) = class.filter(|_| self.takes_assigned_values(DefId(at))) {
                let key = (class.name, def.name);
                found.entry(key).or_default().push(DefId(at));
            }
        }
        found
    }

    /// `object.field = value` outside of the class that made the object: a further value of the class's field.
    fn assign_fields_of_made(
        &mut self,
        object: ExprId,
        assigned: Vec<(NameId, ExprId)>,
        fields: &FxHashMap<(NameId, NameId), Vec<DefId>>,
    ) {
        let facts = self.b.facts();
        let Expr::New { class, .. } = *facts.expr(object) else {
            return;
        };
        let Expr::Name { name: class, .. } = *facts.expr(class) else {
            return;
        };
        for (name, value) in assigned {
            for field in fields.get(&(class, name)).into_iter().flatten() {
                let def = self.b.facts().def(*field);
                if let (Some(before), None) = (def.value, def.ty) {
                    let any = self.one_of(&[before, value]);
                    self.b.def_mut(*field).value = any;
                }
            }
        }
    }

    /// `exports.x = value`, `module.exports = value`: records a value of `x` or of the whole. A statement at the file's
    /// top level makes it the only one; in a branch or a function it is one of several.
    pub(super) fn note_export(
        &mut self,
        node: Node<'t>,
        name: Option<NameId>,
        value: ExprId,
    ) -> ExprId {
        let mut outer = node;
        while let Some(around) = outer.parent() {
            if around.kind_name() != "assignment_expression" {
                break;
            }
            outer = around;
        }
        let statement = outer
            .parent()
            .filter(|p| p.kind_name() == "expression_statement");
        let block = statement.and_then(|s| s.parent());
        let values = self.exported.entry(name).or_default();
        if block.is_some_and(|b| b.kind_name() == "program") {
            values.clear();
        }
        if values.len() <= MOST_VALUES {
            values.push(value);
        }
        let values = values.clone();
        self.one_of(&values).unwrap_or(self.unknown)
    }

    /// One of several values; `None` if there are too many. Null and unknown values count only if there are no others.
    fn one_of(&mut self, values: &[ExprId]) -> Option<ExprId> {
        let facts = self.b.facts();
        let mut kept: Vec<ExprId> = Vec::new();
        for value in values {
            let parts = match facts.expr(*value) {
                Expr::Either(parts) => parts,
                _ => std::slice::from_ref(value),
            };
            let is_nothing = |part: &ExprId| {
                let part = facts.expr(*part);
                matches!(part, Expr::Unknown | Expr::Literal(Primitive::Null))
            };
            for part in parts.iter().filter(|part| !is_nothing(part)) {
                if kept.len() <= MOST_VALUES && !kept.contains(part) {
                    kept.push(*part);
                }
            }
        }
        match kept[..] {
            [] => values.first().copied(),
            [one] => Some(one),
            _ if kept.len() <= MOST_VALUES => Some(self.b.add_expr(Expr::Either(kept.into()))),
            _ => None,
        }
    }
}
