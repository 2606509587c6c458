//! Definitions: functions, tables, variables of the file, and changes by assignments.

use super::assigned::Declared;
use super::docs::Docs;
use super::tables::{is_named, names, pairs, table_of};
use super::{RULES, Walker, non_comment_children};
use base::{SymbolKind, Visibility};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Most returned expressions of a function that are kept.
const MAX_RETURNS: usize = 8;

impl<'s> Walker<'_, 's> {
    /// The innermost enclosing function, even one without a name.
    pub(super) fn visit_function(&self) -> Option<DefId> {
        let mut next = self.b.current_owner();
        while let Some(id) = next {
            let def = self.b.facts().def(id);
            if def.kind.is_callable() {
                return Some(id);
            }
            next = def.parent;
        }
        None
    }

    pub(super) fn note_return(&mut self, def: DefId, value: ExprId) {
        if let Some(callable) = &mut self.b.def_mut(def).callable
            && callable.returns.len() < MAX_RETURNS
        {
            callable.returns.push(value);
        }
    }

    pub(super) fn function_declaration(&mut self, node: Node<'_>) {
        let Some(name) = node.field("name") else {
            return;
        };
        let is_local = node.child(0).is_some_and(|first| first.kind() == "local");
        match name.kind_name() {
            "identifier" => {
                let id = self.b.intern_node_text(name);
                if !is_local && self.is_variable(id) {
                    self.assigned_function(node, name, node);
                    return;
                }
                let def = self.b.add_def(id, SymbolKind::Function, node, name);
                self.bind_def(def, id, is_local, node.start_byte());
                let scope = self.b.current_scope();
                if is_local {
                    self.note_variable((scope, id), Declared::Function(def));
                } else {
                    self.note_variable((FILE_SCOPE, id), Declared::Global(def));
                }
                self.note_own_require(id, if is_local { scope } else { FILE_SCOPE });
                self.function_body(def, node, false);
            }
            _ => self.member_function(name, node, node),
        }
    }

    /// A function that is a further value of a variable. `whole` is the statement.
    fn assigned_function(&mut self, whole: Node<'_>, name: Node<'_>, function: Node<'_>) {
        let id = self.b.intern_node_text(name);
        let def = self.b.add_def(id, SymbolKind::Function, whole, name);
        let is_inside = self.nesting > 0;
        let made = self.b.def_mut(def);
        made.visibility = Visibility::Private;
        if is_inside {
            made.flags.set(DefFlags::LOCAL);
        }
        let value = self.b.add_expr(Expr::Function(def));
        self.written(name);
        // The function sees itself.
        self.note_assignment(name, value, whole.start_byte());
        self.function_body(def, function, false);
    }

    /// A function that is assigned to a field of a table. `whole` is the statement.
    fn member_function(&mut self, target: Node<'_>, function: Node<'_>, whole: Node<'_>) {
        let is_method = target.kind_name() == "method_index_expression";
        let field = target.field("field").or_else(|| target.field("method"));
        let owner = table_of(target).and_then(|t| self.owners.get(self.b.text(t)).copied());
        let Some(field) = field.filter(|f| f.kind_name() == "identifier") else {
            self.function_literal(function);
            return;
        };
        if owner.is_none()
            && let Some(table) = target.field("table")
        {
            self.visit_expr(table);
        }
        if let Some(owner) = owner {
            self.b.open_owner(owner);
        }
        let kind = if is_method {
            SymbolKind::Method
        } else {
            SymbolKind::Function
        };
        let name = self.b.intern_node_text(field);
        let def = self.b.add_def(name, kind, whole, field);
        let made = self.b.def_mut(def);
        made.flags.set(DefFlags::EXPORTED);
        if !is_method {
            made.flags.set(DefFlags::STATIC);
        }
        self.function_body(def, function, is_method);
        if owner.is_some() {
            self.b.close_owner();
        } else {
            let value = self.b.add_expr(Expr::Function(def));
            self.note_field_assignment(target, value);
        }
    }

    /// Parameters and body of a function. Methods declared with `:` have an implicit `self`.
    pub(super) fn function_body(&mut self, def: DefId, node: Node<'_>, has_self: bool) {
        if let Some(doc) = self.doc.take() {
            self.b.set_doc(def, &doc);
        }
        if let Some(parameters) = node.field("parameters") {
            self.b.def_mut(def).signature.1 = parameters.end_byte() as u32;
        }
        self.functions.push(node.start_byte() as u32);
        self.nesting += 1;
        self.b.open_def(def, ScopeKind::Function);
        let mut params = Vec::new();
        if has_self {
            params.push((self.b.intern_name("self"), ParamKind::Receiver));
        }
        for parameter in node
            .field("parameters")
            .map(non_comment_children)
            .unwrap_or_default()
        {
            params.push(match parameter.kind_name() {
                "vararg_expression" => (self.b.intern_name("..."), ParamKind::Variadic),
                _ => (self.b.intern_node_text(parameter), ParamKind::Optional),
            });
        }
        for (at, (name, _)) in params.iter().enumerate() {
            self.b
                .bind(*name, Namespace::VALUE, Bound::Param(def, at as u32));
            let here = self.b.current_scope();
            self.note_own_require(*name, here);
            self.note_variable((here, *name), Declared::At(node.start_byte() as u32));
        }
        let params = params.into_iter().map(|(name, kind)| Param {
            name,
            ty: None,
            default: None,
            kind,
        });
        self.b.def_mut(def).callable = Some(Box::new(Callable {
            params: params.collect(),
            ..Callable::default()
        }));
        if let Some(body) = node.field("body") {
            self.b.set_complexity(def, body, &RULES);
            self.statements(body);
        }
        self.b.close_def();
        self.nesting -= 1;
    }

    /// A function without a name.
    pub(super) fn function_literal(&mut self, node: Node<'_>) -> DefId {
        let name = self.b.intern_owned_name("<anonymous>");
        let def = self.b.add_def(name, SymbolKind::Function, node, node);
        self.b.def_mut(def).flags.set(DefFlags::ANONYMOUS);
        self.function_body(def, node, false);
        def
    }

    /// Binds a definition. Globals belong to the file, wherever they are assigned.
    fn bind_def(&mut self, def: DefId, name: NameId, is_local: bool, from: usize) {
        let inside = self.visit_function().is_some();
        if !is_local || self.b.current_scope() == FILE_SCOPE {
            self.at_top.insert(name);
        }
        let made = self.b.def_mut(def);
        if is_local {
            made.visibility = Visibility::Private;
            if inside {
                made.flags.set(DefFlags::LOCAL);
            }
            let scope = self.b.current_scope();
            self.b
                .bind_in(scope, name, Namespace::VALUE, from as u32, Bound::Def(def));
        } else {
            made.flags.set(DefFlags::EXPORTED);
            self.b
                .bind_in(FILE_SCOPE, name, Namespace::VALUE, 0, Bound::Def(def));
        }
    }

    /// `local a, b = …`.
    pub(super) fn local(&mut self, node: Node<'_>) {
        for child in non_comment_children(node) {
            match child.kind_name() {
                "assignment_statement" => self.locals(node, child),
                "variable_list" => {
                    for name in names(child) {
                        self.bind_local(name, None, node.end_byte());
                    }
                }
                _ => {}
            }
        }
    }

    fn locals(&mut self, node: Node<'_>, assignment: Node<'_>) {
        let targets: Vec<Node<'_>> = non_comment_children(assignment)
            .into_iter()
            .filter(|n| n.kind_name() == "variable_list")
            .flat_map(names)
            .collect();
        let mut values = non_comment_children(assignment)
            .into_iter()
            .filter(|n| n.kind_name() == "expression_list")
            .flat_map(non_comment_children);
        for target in targets {
            let value = values.next();
            self.local_value(node, target, value);
        }
        for rest in values {
            self.visit_expr(rest);
        }
    }

    fn local_value(&mut self, node: Node<'_>, target: Node<'_>, value: Option<Node<'_>>) {
        let end = node.end_byte();
        let is_top = self.b.current_scope() == FILE_SCOPE;
        match value {
            Some(value) if value.kind_name() == "function_definition" => {
                let name = self.b.intern_node_text(target);
                let def = self.b.add_def(name, SymbolKind::Function, node, target);
                // The function is not visible before it is assigned.
                self.bind_def(def, name, true, end);
                let here = self.b.current_scope();
                self.note_own_require(name, here);
                self.function_body(def, value, false);
                self.note_variable((here, name), Declared::Function(def));
            }
            Some(value) if self.required(value).is_some() => {
                let import = self.import(value, Some(target));
                let name = self.b.intern_node_text(target);
                let scope = self.b.current_scope();
                let to = Bound::Import(import);
                self.b
                    .bind_in(scope, name, Namespace::VALUE, end as u32, to);
                self.note_variable((scope, name), Declared::At(end as u32));
            }
            value if is_top => self.top_level_value(node, target, value, true),
            value => {
                let value = value.map(|v| self.visit_expr(v));
                self.bind_local(target, value, end);
            }
        }
    }

    /// A variable of the file, or a table that has functions.
    fn top_level_value(
        &mut self,
        node: Node<'_>,
        target: Node<'_>,
        value: Option<Node<'_>>,
        is_local: bool,
    ) {
        let text = self.b.text(target);
        let table = self.tables.get(text).copied();
        let kind = match table {
            Some(table) if table.is_class => SymbolKind::Class,
            Some(_) => SymbolKind::Namespace,
            None => SymbolKind::Variable,
        };
        let name = self.b.intern_node_text(target);
        let def = self.b.add_def(name, kind, node, target);
        if let Some(doc) = self.doc.take() {
            self.b.set_doc(def, &doc);
        }
        if table.is_some() {
            self.owners.insert(text, def);
        }
        // The variable is not visible in its value.
        self.bind_def(def, name, is_local, node.end_byte());
        if value.is_none_or(|v| self.b.text(v) != text) {
            let here = self.b.current_scope();
            self.note_own_require(name, here);
        }
        let is_table = |v: &Node<'_>| table.is_some() && v.kind_name() == "table_constructor";
        match value {
            Some(value) if is_table(&value) => self.table_members(def, value),
            Some(value) => {
                self.b.open_owner(def);
                let value = self.visit_expr(value);
                self.b.close_owner();
                self.b.def_mut(def).value = Some(value);
            }
            None => {}
        }
        let value = self.b.facts().def(def).value;
        let declared = match table {
            Some(_) => Declared::Other,
            None => Declared::Variable(value, Some(def)),
        };
        let home = self.b.current_scope();
        self.note_variable((home, name), declared);
    }

    /// The fields of a table that is a definition; functions become its members.
    fn table_members(&mut self, owner: DefId, table: Node<'_>) {
        self.b.open_owner(owner);
        let mut docs = Docs::default();
        let mut cursor = table.walk();
        for field in table.named_children(&mut cursor) {
            if field.kind_name() == "comment" {
                docs.push_comment(self.b.text(field), field);
                continue;
            }
            self.doc = docs.take_doc_for(field);
            let (Some(name), Some(value)) = (field.field("name"), field.field("value")) else {
                self.exprs(field);
                continue;
            };
            if is_named(field) && value.kind_name() == "function_definition" {
                let id = self.b.intern_node_text(name);
                let def = self.b.add_def(id, SymbolKind::Function, field, name);
                let flags = &mut self.b.def_mut(def).flags;
                flags.set(DefFlags::EXPORTED);
                flags.set(DefFlags::STATIC);
                self.function_body(def, value, false);
            } else {
                self.visit_expr(value);
            }
        }
        self.b.close_owner();
    }

    /// An assignment: a definition if it makes a function or a global of the file, otherwise a write.
    pub(super) fn assignment(&mut self, node: Node<'_>) {
        let pairs = pairs(node);
        for (target, value) in &pairs {
            let is_function = value.kind_name() == "function_definition";
            match target.kind_name() {
                "dot_index_expression" if is_function => {
                    self.member_function(*target, *value, node);
                }
                "identifier" if self.is_new_global(*target) => {
                    if is_function {
                        let name = self.b.intern_node_text(*target);
                        let def = self.b.add_def(name, SymbolKind::Function, node, *target);
                        self.bind_def(def, name, false, 0);
                        self.note_variable((FILE_SCOPE, name), Declared::Global(def));
                        self.function_body(def, *value, false);
                    } else {
                        self.top_level_value(node, *target, Some(*value), false);
                    }
                }
                "identifier" if is_function => {
                    let name = self.b.intern_node_text(*target);
                    if self.is_variable(name) {
                        self.assigned_function(node, *target, *value);
                    } else {
                        self.visit_expr(*value);
                        self.written(*target);
                    }
                }
                kind => {
                    let value = self.visit_expr(*value);
                    self.written(*target);
                    if kind == "identifier" {
                        self.note_assignment(*target, value, node.end_byte());
                    } else {
                        self.note_field_assignment(*target, value);
                    }
                }
            }
        }
        let more = non_comment_children(node)
            .into_iter()
            .filter(|n| n.kind_name() == "expression_list")
            .flat_map(non_comment_children)
            .skip(pairs.len());
        for value in more {
            self.visit_expr(value);
        }
    }

    /// Whether an assignment at the file's top level makes a new global.
    fn is_new_global(&mut self, target: Node<'_>) -> bool {
        let name = self.b.intern_node_text(target);
        let is_top = self.b.current_scope() == FILE_SCOPE && self.visit_function().is_none();
        is_top && !self.at_top.contains(&name)
    }
}
