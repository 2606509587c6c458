//! Assignments: variables of modules, fields of classes and instances, local variables, and writes.

use super::flow::{FlowBinding, FrameKind};
use super::{Walker, children};
use base::SymbolKind;
use base::list::{self, WordList};
use rustc_hash::FxHashSet;
use std::sync::LazyLock;
use syntax::builder::{is_longer, span_of};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// With a longer declaration, the signature omits the value.
const MAX_SIGNATURE: usize = 160;

/// The value assigned to a target.
#[derive(Clone, Copy)]
struct AssignedValue<'t> {
    ty: Option<TypeId>,
    value: Option<ExprId>,
    /// The statement.
    statement: Node<'t>,
    /// The byte from which the new value is visible.
    at: u32,
    /// Assigned by a loop or `with`: it makes no variable of the module.
    is_transient: bool,
}

/// A list with more elements takes no further ones: its element is unknown to the linker.
const MOST_ELEMENTS: usize = 64;

/// Most names that inner functions assign before they are bound; further ones are dropped.
const MOST_GIVEN: usize = 64;

impl<'s> Walker<'_, 's> {
    /// `a = b`, `a: T = b`, `a: T`, `a += b`; returns the assigned value.
    pub(super) fn visit_assignment(&mut self, node: Node<'_>) -> ExprId {
        if !self.b.enter_level() {
            return self.unknown_expr();
        }
        let left = node.field("left");
        let right = node.field("right");
        let value = match (left, right) {
            (Some(left), _) if node.kind_name() == "augmented_assignment" => {
                self.augmented_assignment(node, left, right)
            }
            (Some(left), Some(right)) if self.named_lambda(node, left, right) => {
                self.unknown_expr()
            }
            (Some(left), right) => self.plain_assignment(node, left, right),
            _ => {
                self.walk_children(node);
                self.unknown_expr()
            }
        };
        self.b.leave_level();
        value
    }

    fn plain_assignment(
        &mut self,
        node: Node<'_>,
        left: Node<'_>,
        right: Option<Node<'_>>,
    ) -> ExprId {
        let written = node.field("type");
        let ty = written.and_then(|t| self.lower_annotation(t));
        let alias = written.is_some_and(|t| self.b.text(t).ends_with("TypeAlias"));
        let value = right.map(|right| self.visit_right_side(right));
        if let Some(right) = right
            && left.kind_name() == "identifier"
        {
            self.record_dunder_all(left, right);
        }
        let given = AssignedValue {
            ty,
            value,
            statement: node,
            at: node.end_byte() as u32,
            is_transient: false,
        };
        if left.kind_name() == "identifier" && right.is_none() && ty.is_some() {
            self.declare_without_value(left, given);
        } else {
            self.bind_target(left, given);
        }
        if let (Some(right), "identifier") = (right, left.kind_name()) {
            self.mark_type_alias(left, right, alias);
            self.record_typevar(left, right);
        }
        value.unwrap_or_else(|| self.unknown_expr())
    }

    fn visit_right_side(&mut self, right: Node<'_>) -> ExprId {
        match right.kind_name() {
            "assignment" | "augmented_assignment" => self.visit_assignment(right),
            _ => self.expr(right),
        }
    }

    /// `x: T` without a value.
    fn declare_without_value(&mut self, left: Node<'_>, given: AssignedValue<'_>) {
        let name = self.b.intern_node_text(left);
        if self.current_frame().kind == FrameKind::Function {
            self.bind_local(name, given.ty, None, given.at);
        } else {
            self.bind_name(left, given);
        }
    }

    /// `f = lambda …`: defines a function of that name.
    fn named_lambda(&mut self, node: Node<'_>, left: Node<'_>, right: Node<'_>) -> bool {
        if left.kind_name() != "identifier" || right.kind_name() != "lambda" {
            return false;
        }
        let name = self.b.intern_node_text(left);
        if self.current_frame().globals.contains(&name)
            || self.current_frame().nonlocals.contains(&name)
        {
            return false;
        }
        if let Some(ty) = node.field("type") {
            self.lower_annotation(ty);
        }
        let def = self.lambda_def(node, right, Some(left));
        self.bind_definition(name, Bound::Def(def), node.end_byte() as u32);
        true
    }

    fn augmented_assignment(
        &mut self,
        node: Node<'_>,
        left: Node<'_>,
        right: Option<Node<'_>>,
    ) -> ExprId {
        let value = match right {
            Some(right) => self.visit_right_side(right),
            None => self.unknown_expr(),
        };
        match left.kind_name() {
            "identifier" => {
                if let Some(right) = right {
                    self.record_dunder_all(left, right);
                }
                self.write_name(left);
                self.b.add_name_expr(left)
            }
            "attribute" => {
                let member = self.write_member(left);
                let class = self.receiver_class(left);
                if let (Some(class), Some(attribute)) = (class, left.field("attribute")) {
                    self.assign_field(
                        class,
                        attribute,
                        AssignedValue {
                            ty: None,
                            value: None,
                            statement: node,
                            at: node.end_byte() as u32,
                            is_transient: false,
                        },
                    );
                }
                member
            }
            _ => {
                self.expr(left);
                value
            }
        }
    }

    /// Binds the names of a pattern to a value or its parts.
    pub(super) fn bind_pattern(&mut self, pattern: Node<'_>, value: ExprId, at: u32) {
        self.bind_target(
            pattern,
            AssignedValue {
                ty: None,
                value: Some(value),
                statement: pattern,
                at,
                is_transient: true,
            },
        );
    }

    fn bind_target(&mut self, target: Node<'_>, given: AssignedValue<'_>) {
        if !self.b.enter_level() {
            return;
        }
        match target.kind_name() {
            "identifier" => self.bind_name(target, given),
            "attribute" => self.bind_member(target, given),
            "pattern_list" | "tuple_pattern" | "list_pattern" | "expression_list" | "tuple"
            | "list" => self.bind_unpacked(target, given),
            "list_splat_pattern" | "list_splat" => {
                if let Some(inner) = target.named_child(0) {
                    let value = given.value.map(|v| self.b.add_expr(Expr::Element(v)));
                    let value = value.map(|v| self.b.add_expr(Expr::List(Box::new([v]))));
                    self.bind_target(inner, AssignedValue { value, ..given });
                }
            }
            "parenthesized_expression" => {
                if let Some(inner) = target.named_child(0) {
                    self.bind_target(inner, given);
                }
            }
            "subscript" => {
                let entry = self.expr(target);
                if let (Some(holder), Some(value)) = (target.field("value"), given.value) {
                    self.record_entry(holder, entry, value);
                }
            }
            _ => {
                self.expr(target);
            }
        }
        self.b.leave_level();
    }

    /// `d[key] = value`: the dictionary in `d` has that value, too.
    fn record_entry(&mut self, holder: Node<'_>, entry: ExprId, value: ExprId) {
        let Expr::Index { index, .. } = *self.b.facts().expr(entry) else {
            return;
        };
        let key = match *self.b.facts().expr(index) {
            Expr::Keyword(_, key) => key,
            _ => index,
        };
        for dictionary in self.known_values(holder) {
            let Expr::Dict(before) = *self.b.facts().expr(dictionary) else {
                continue;
            };
            let key_and_value = match before {
                Some((key, earlier)) => (key, self.either_expr(&[earlier, value])),
                None => (key, value),
            };
            self.b.set_expr(dictionary, Expr::Dict(Some(key_and_value)));
        }
    }

    /// `list.append(value)`: a list that was written with elements has that one, too.
    pub(super) fn record_element(&mut self, holder: Node<'_>, value: ExprId) {
        for list in self.known_values(holder) {
            let Expr::List(parts) = self.b.facts().expr(list) else {
                continue;
            };
            if parts.is_empty() || parts.len() > MOST_ELEMENTS {
                continue;
            }
            let parts = parts.iter().copied().chain([value]).collect();
            self.b.set_expr(list, Expr::List(parts));
        }
    }

    /// The known values of a name or a field of the receiver.
    fn known_values(&mut self, holder: Node<'_>) -> Vec<ExprId> {
        let value = match holder.kind_name() {
            "identifier" => {
                let name = self.b.intern_node_text(holder);
                let mut inner = self.frames.iter().rev();
                let cell = inner.find_map(|frame| {
                    let cell = frame.current_cell(name);
                    cell.filter(|_| frame.kind == FrameKind::Function)
                });
                match cell.map(|cell| cell.bound) {
                    Some(Bound::Local { value, .. }) => value,
                    Some(_) => None,
                    None => return self.values_of_field(None, name),
                }
            }
            "attribute" => {
                let (class, field) = (self.receiver_class(holder), holder.field("attribute"));
                let (Some(class), Some(field)) = (class, field) else {
                    return Vec::new();
                };
                let name = self.b.intern_node_text(field);
                return self.values_of_field(Some(class), name);
            }
            _ => None,
        };
        let mut found: Vec<ExprId> = Vec::new();
        let mut seen = FxHashSet::default();
        let mut open: Vec<ExprId> = value.into_iter().collect();
        while let Some(value) = open.pop() {
            if !seen.insert(value) {
                continue;
            }
            match (self.b.facts().expr(value), self.first_values.get(&value)) {
                (Expr::Either(parts), _) => open.extend(parts.iter().rev()),
                // In a loop, the value from before it.
                (_, Some(before)) => open.push(*before),
                _ if found.len() < super::MAX_VALUES => {
                    found.push(value);
                }
                _ => {}
            }
        }
        found
    }

    fn values_of_field(&self, class: Option<DefId>, name: NameId) -> Vec<ExprId> {
        let field = self.fields.get(&(class, name));
        let values = field.and_then(|def| self.values.get(def));
        values.cloned().unwrap_or_default()
    }

    fn bind_unpacked(&mut self, target: Node<'_>, given: AssignedValue<'_>) {
        let targets = children(target);
        let parts: Option<Vec<ExprId>> = given.value.and_then(|v| match self.b.facts().expr(v) {
            Expr::Tuple(parts) | Expr::List(parts) if parts.len() == targets.len() => {
                Some(parts.to_vec())
            }
            _ => None,
        });
        if self.bind_around_rest(&targets, given) {
            return;
        }
        let mut after_splat = false;
        for (i, target) in targets.into_iter().enumerate() {
            let splat = target.kind_name().starts_with("list_splat");
            let value = match (&parts, given.value) {
                (Some(parts), _) if !splat && !after_splat => Some(parts[i]),
                (_, Some(value)) if splat => Some(value),
                (_, Some(value)) if after_splat => Some(self.b.add_expr(Expr::Element(value))),
                (_, Some(value)) => Some(self.b.add_expr(Expr::Part(value, i as u32))),
                (_, None) => None,
            };
            after_splat |= splat;
            self.bind_target(
                target,
                AssignedValue {
                    ty: None,
                    value,
                    ..given
                },
            );
        }
    }

    /// `a, *b, c = x, y, z`: what is written beside each other is given in order, and the rest holds what is left. Gives whether
    /// the values are known one by one.
    fn bind_around_rest(&mut self, targets: &[Node<'_>], given: AssignedValue<'_>) -> bool {
        let is_rest = |target: &Node<'_>| target.kind_name().starts_with("list_splat");
        let mut rests = targets.iter().enumerate().filter(|(_, t)| is_rest(t));
        let (Some((rest, _)), None) = (rests.next(), rests.next()) else {
            return false;
        };
        let written = given.value.map(|value| self.b.facts().expr(value));
        let Some(Expr::Tuple(parts) | Expr::List(parts)) = written else {
            return false;
        };
        let parts = parts.to_vec();
        let is_spread = |part: &ExprId| matches!(self.b.facts().expr(*part), Expr::Spread(_));
        let behind = targets.len() - rest - 1;
        if parts.len() < rest + behind || parts.iter().any(is_spread) {
            return false;
        }
        let middle = &parts[rest..parts.len() - behind];
        let held = self.either_expr(middle);
        let held = self.b.add_expr(Expr::List(Box::new([held])));
        for (at, target) in targets.iter().enumerate() {
            let value = match at {
                at if at < rest => parts[at],
                at if at == rest => held,
                at => parts[parts.len() - (targets.len() - at)],
            };
            let inner = target.named_child(0).filter(|_| at == rest);
            let value = Some(value);
            let ty = None;
            self.bind_target(
                inner.unwrap_or(*target),
                AssignedValue { ty, value, ..given },
            );
        }
        true
    }

    fn bind_name(&mut self, node: Node<'_>, given: AssignedValue<'_>) {
        let name = self.b.intern_node_text(node);
        let frame = self.current_frame();
        if frame.globals.contains(&name) && frame.kind != FrameKind::Module {
            return self.bind_global(name, node, given);
        }
        if frame.nonlocals.contains(&name) {
            return self.bind_nonlocal(name, given);
        }
        match frame.kind {
            FrameKind::Function => {
                let value = self.with_given_inside(name, given.value);
                self.bind_local(name, given.ty, value, given.at);
            }
            FrameKind::Module if given.is_transient => {
                if let Some(def) = self.fields.get(&(None, name)).copied() {
                    self.record_value(def, given.value);
                }
                self.bind_local(name, given.ty, given.value, given.at);
            }
            FrameKind::Module => self.module_variable(name, node, given),
            FrameKind::Class => self.class_variable(name, node, given),
        }
    }

    fn module_variable(&mut self, name: NameId, node: Node<'_>, given: AssignedValue<'_>) {
        if !self.current_frame().is_bound(name) {
            let kind = variable_kind(self.b.text(node));
            let def = self.add_variable_def(name, node, kind, given, None);
            // An earlier function may have defined it by `global`.
            self.bind_definition(name, Bound::Def(def), given.at);
            return;
        }
        self.write_name(node);
        if let Some(def) = self.fields.get(&(None, name)).copied() {
            self.record_value(def, given.value);
        }
        self.bind_local(name, given.ty, given.value, given.at);
    }

    fn class_variable(&mut self, name: NameId, node: Node<'_>, given: AssignedValue<'_>) {
        let Some(class) = self.current_frame().def else {
            return;
        };
        if !self.current_frame().is_bound(name) {
            let kind = if self.is_enum(class) && given.value.is_some() {
                SymbolKind::EnumMember
            } else {
                SymbolKind::Field
            };
            let def = self.add_variable_def(name, node, kind, given, Some(class));
            self.b.def_mut(def).flags.set(DefFlags::STATIC);
            self.bind_definition(name, Bound::Def(def), given.at);
            return;
        }
        self.write_name(node);
        if let Some(def) = self.fields.get(&(Some(class), name)).copied() {
            self.record_value(def, given.value);
        }
    }

    /// Adds the definition of a variable or field, without binding it.
    fn add_variable_def(
        &mut self,
        name: NameId,
        node: Node<'_>,
        kind: SymbolKind,
        given: AssignedValue<'_>,
        class: Option<DefId>,
    ) -> DefId {
        if let Some(def) = self.fields.get(&(class, name)).copied() {
            self.record_value(def, given.value);
            return def;
        }
        let def = self.b.add_def(name, kind, given.statement, node);
        let signature = self.signature_range(given.statement);
        let scope = match class {
            Some(class) => self.b.facts().def(class).body.unwrap_or(FILE_SCOPE),
            None => FILE_SCOPE,
        };
        let conditional = self.is_conditional();
        let text = self.b.text(node);
        let visibility = super::defs::visibility_of_name(text, class.is_some());
        let public = class.is_none() && !text.starts_with('_');
        let type_checking = self.type_checking;
        let entry = self.b.def_mut(def);
        if type_checking {
            entry.flags.set(DefFlags::TYPE_ONLY);
        }
        entry.parent = class;
        entry.scope = scope;
        entry.ty = given.ty;
        entry.signature = signature;
        entry.visibility = visibility;
        if public {
            entry.flags.set(DefFlags::EXPORTED);
        }
        if conditional {
            entry.flags.set(DefFlags::CONDITIONAL);
        }
        self.fields.insert((class, name), def);
        self.record_value(def, given.value);
        def
    }

    fn signature_range(&self, statement: Node<'_>) -> (u32, u32) {
        let span = span_of(statement);
        let source = self.b.source;
        let long = is_longer(self.b.text(statement), MAX_SIGNATURE);
        let value = statement.field("right").filter(|_| long);
        let end = match value {
            Some(value) => {
                let before = source.get(statement.start_byte()..value.start_byte());
                let before = before
                    .unwrap_or("")
                    .trim_end_matches([' ', '=', '\\', '\r', '\n']);
                span.start_byte + before.len() as u32
            }
            None => span.end_byte,
        };
        (span.start_byte, end)
    }

    fn bind_global(&mut self, name: NameId, node: Node<'_>, given: AssignedValue<'_>) {
        if let Some(def) = self.fields.get(&(None, name)).copied() {
            self.write_name(node);
            self.record_value(def, given.value);
            return;
        }
        if self
            .frames
            .first()
            .is_some_and(|module| module.is_bound(name))
        {
            self.write_name(node);
            return;
        }
        let kind = variable_kind(self.b.text(node));
        let def = self.add_variable_def(name, node, kind, given, None);
        self.b
            .bind_in(FILE_SCOPE, name, Namespace::BOTH, 0, Bound::Def(def));
    }

    /// From here on, the enclosing function's variable has one of both values.
    fn bind_nonlocal(&mut self, name: NameId, given: AssignedValue<'_>) {
        let Some(value) = given.value else { return };
        let Some(owner) = self.owner_of_nonlocal(name) else {
            // At the end of the function, the value is passed on to the enclosing function.
            self.keep_given_inside(name, value);
            return;
        };
        let inner = self.frames.split_off(owner + 1);
        if let Some(cell) = self.cell_here(name) {
            let before = self.cell_value(name, &cell);
            let either = self.either_expr(&[before, value]);
            self.bind_local(name, None, Some(either), given.at);
            self.keep_given_inside(name, value);
        }
        self.frames.extend(inner);
    }

    /// The enclosing function whose variable a `nonlocal` name is, if it is bound there by now.
    fn owner_of_nonlocal(&self, name: NameId) -> Option<usize> {
        let top = self.frames.len() - 1;
        let mut around = (0..top).rev();
        around.find(|at| {
            let frame = &self.frames[*at];
            frame.kind == FrameKind::Function && frame.current_cell(name).is_some()
        })
    }

    /// A function, class or import under a name that is `global` or `nonlocal`: from here on, the name of the module or of
    /// the enclosing function may be that.
    pub(super) fn bind_definition_outside(&mut self, name: NameId, bound: Bound, at: u32) {
        let is_global = self.current_frame().globals.contains(&name);
        let owner = if is_global {
            Some(0)
        } else {
            self.owner_of_nonlocal(name)
        };
        let Some(owner) = owner else {
            if let Bound::Def(def) = bound {
                let value = self.b.add_expr(Expr::Function(def));
                self.keep_given_inside(name, value);
            }
            return;
        };
        let inner = self.frames.split_off(owner + 1);
        match self.cell_here(name) {
            Some(before) => {
                let wide = None;
                let made = FlowBinding { bound, at, wide };
                self.bind_either(name, &[before, made], at);
                let scope = self.current_frame().flow;
                let value = self.b.add_expr(Expr::Name { name, scope, at });
                self.keep_given_inside(name, value);
            }
            None => self.bind_definition(name, bound, at),
        }
        self.frames.extend(inner);
    }

    /// Keeps the value that an inner function assigns to a name which the innermost function here may bind later.
    pub(super) fn keep_given_inside(&mut self, name: NameId, value: ExprId) {
        let mut around = self.frames.iter().rev();
        let Some(depth) = around.position(|frame| frame.kind == FrameKind::Function) else {
            return;
        };
        let at = self.frames.len() - 1 - depth;
        if self.frames[at].given_inside.len() >= MOST_GIVEN {
            return;
        }
        let before = self.frames[at].given_inside.get(&name).copied();
        let value = match before {
            Some(before) => self.either_expr(&[before, value]),
            None => value,
        };
        self.frames[at].given_inside.insert(name, value);
    }

    /// The value of a name, or one of the values that inner functions assign: any call may run them.
    fn with_given_inside(&mut self, name: NameId, value: Option<ExprId>) -> Option<ExprId> {
        if self.current_frame().given_inside.is_empty() {
            return value;
        }
        let Some(given) = self.current_frame().given_inside.get(&name).copied() else {
            return value;
        };
        match value {
            Some(value) => Some(self.either_expr(&[value, given])),
            None => Some(given),
        }
    }

    fn bind_member(&mut self, target: Node<'_>, given: AssignedValue<'_>) {
        let class = self.receiver_class(target);
        let Some(attribute) = target.field("attribute") else {
            self.expr(target);
            return;
        };
        if class.is_none() {
            self.assign_fields_of_known(target, attribute, given.value);
        }
        if class.is_some_and(|class| self.assign_field(class, attribute, given)) {
            if let Some(object) = target.field("object") {
                self.expr(object);
            }
        } else {
            self.write_member(target);
        }
    }

    /// `object.field = value`, if the object was made by a class of this file that has the field: a further value of it.
    fn assign_fields_of_known(
        &mut self,
        target: Node<'_>,
        attribute: Node<'_>,
        value: Option<ExprId>,
    ) {
        let Some(object) = target.field("object") else {
            return;
        };
        let field = self.b.intern_node_text(attribute);
        for made in self.known_values(object) {
            let Expr::Call { callee, .. } = *self.b.facts().expr(made) else {
                continue;
            };
            let Expr::Name { name, .. } = *self.b.facts().expr(callee) else {
                continue;
            };
            let cell = self
                .frames
                .first()
                .and_then(|module| module.current_cell(name));
            if let Some(Bound::Def(class)) = cell.map(|cell| cell.bound)
                && let Some(def) = self.fields.get(&(Some(class), field)).copied()
            {
                self.record_value(def, value);
            }
        }
    }

    /// The class of the receiver before the dot, if that is a method's receiver.
    fn receiver_class(&mut self, target: Node<'_>) -> Option<DefId> {
        let object = target.field("object")?;
        if object.kind_name() != "identifier" {
            return None;
        }
        let name = self.b.intern_node_text(object);
        for frame in self.frames.iter().rev() {
            if frame.kind != FrameKind::Function {
                continue;
            }
            if let Some(cell) = frame.current_cell(name) {
                let (receiver, class) = frame.receiver?;
                let untouched = matches!(cell.bound, Bound::Param(_, 0));
                return (receiver == name && untouched).then_some(class);
            }
        }
        None
    }

    /// Records an assignment to a field; returns whether it made the definition.
    fn assign_field(
        &mut self,
        class: DefId,
        attribute: Node<'_>,
        given: AssignedValue<'_>,
    ) -> bool {
        let name = self.b.intern_node_text(attribute);
        if let Some(def) = self.fields.get(&(Some(class), name)).copied() {
            self.record_value(def, given.value);
            if given.ty.is_some() && self.b.facts().def(def).ty.is_none() {
                self.b.def_mut(def).ty = given.ty;
            }
            return false;
        }
        let frame = self.frames.iter().rev().find(|f| f.def == Some(class));
        if frame.is_some_and(|f| f.is_bound(name)) {
            return false;
        }
        let def = self.add_variable_def(name, attribute, SymbolKind::Field, given, Some(class));
        let scope = self.b.facts().def(def).scope;
        self.b
            .bind_in(scope, name, Namespace::VALUE, given.at, Bound::Def(def));
        true
    }

    /// Records a write to a name that is not local.
    pub(super) fn write_name(&mut self, node: Node<'_>) {
        let name = self.b.intern_node_text(node);
        let global = self.current_frame().globals.contains(&name);
        let module = self.current_frame().kind == FrameKind::Module;
        let scope = if global || module {
            FILE_SCOPE
        } else {
            self.b.current_scope()
        };
        let target = self.b.add_expr(Expr::Name {
            name,
            scope,
            at: node.start_byte() as u32,
        });
        self.b.add_write(target, node);
    }

    /// Records a write to a member; returns the member.
    pub(super) fn write_member(&mut self, node: Node<'_>) -> ExprId {
        let (Some(object), Some(attribute)) = (node.field("object"), node.field("attribute"))
        else {
            return self.expr(node);
        };
        let object = self.expr(object);
        let name = self.member_name(attribute);
        let member = self.b.add_expr(Expr::Member { object, name });
        self.b.add_write(member, attribute);
        member
    }

    /// `type X[T] = …`.
    pub(super) fn type_alias(&mut self, node: Node<'_>) {
        let (Some(left), Some(right)) = (node.field("left"), node.field("right")) else {
            return;
        };
        let ty = self.lower_annotation(right);
        let mut name_node = left;
        while let Some(inner) = name_node.named_child(0) {
            name_node = inner;
        }
        let name = self.b.intern_node_text(name_node);
        let given = AssignedValue {
            ty,
            value: None,
            statement: node,
            at: node.end_byte() as u32,
            is_transient: false,
        };
        if self.current_frame().kind == FrameKind::Function {
            self.bind_local(name, ty, None, given.at);
            return;
        }
        let class = self.current_frame().def;
        let def = self.add_variable_def(name, name_node, SymbolKind::TypeAlias, given, class);
        self.bind_definition(name, Bound::Def(def), given.at);
    }

    /// `X: TypeAlias = …`, `X = Union[…]`: the variable is a type alias.
    fn mark_type_alias(&mut self, left: Node<'_>, right: Node<'_>, declared: bool) {
        let frame = self.current_frame();
        let (class, kind) = (frame.def, frame.kind);
        let generic = right.kind_name() == "subscript"
            && right.field("value").is_some_and(|head| {
                let text = self.b.text(head);
                TYPE_HEADS.contains(&text.rsplit('.').next().unwrap_or(text))
            });
        if kind == FrameKind::Function || !(declared || generic) {
            return;
        }
        let name = self.b.intern_node_text(left);
        let Some(def) = self.fields.get(&(class, name)).copied() else {
            return;
        };
        let ty = self.without_references(|w| w.lower_annotation(right));
        let entry = self.b.def_mut(def);
        entry.ty = ty;
        entry.kind = SymbolKind::TypeAlias;
    }

    /// Records `T = TypeVar("T", bound=B)`. The variable has itself as a type parameter, for files that import it.
    fn record_typevar(&mut self, left: Node<'_>, right: Node<'_>) {
        let (class, kind) = (self.current_frame().def, self.current_frame().kind);
        if right.kind_name() != "call" || kind == FrameKind::Function {
            return;
        }
        let called = right.field("function").map_or("", |f| self.b.text(f));
        if called.rsplit('.').next() != Some("TypeVar") {
            return;
        }
        let name = self.b.intern_node_text(left);
        let arguments = right.field("arguments");
        let bound = arguments.and_then(|args| {
            children(args).into_iter().find_map(|arg| {
                let key = arg.field("name")?;
                (self.b.text(key) == "bound").then(|| arg.field("value"))?
            })
        });
        let bound = bound.and_then(|b| self.without_references(|w| w.lower_annotation(b)));
        self.typevars.insert(name, bound);
        if let Some(def) = self.fields.get(&(class, name)).copied() {
            self.b.def_mut(def).type_params = Box::new([TypeParam {
                name,
                bounds: bound.into_iter().collect(),
                default: None,
            }]);
        }
    }
}

/// Generic types: a variable set to one of them is a type alias.
static TYPE_HEADS: WordList = LazyLock::new(|| {
    list::words(list::section(include_str!("../stdlib.txt"), "type heads")).collect()
});

fn variable_kind(name: &str) -> SymbolKind {
    let constant =
        name.chars().any(|c| c.is_ascii_uppercase()) && !name.chars().any(|c| c.is_lowercase());
    if constant && name.len() > 1 {
        SymbolKind::Constant
    } else {
        SymbolKind::Variable
    }
}
