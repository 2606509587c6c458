//! CommonJS: `require`, `module.exports`, `exports.x`; and `import()`.

use super::defs::{is_function_literal, strip_parens_and_casts};
use super::{DefName, ThisRef, Walker};
use base::SymbolKind;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

impl<'t> Walker<'_, '_, 't> {
    /// The specifier in `require("m")`; `None` for any other call.
    fn require_specifier<'n>(&self, call: Node<'n>) -> Option<Node<'n>> {
        if call.kind_name() != "call_expression" {
            return None;
        }
        let function = call.field("function")?;
        if function.kind_name() != "identifier" || self.b.text(function) != "require" {
            return None;
        }
        single_string_argument(call)
    }

    /// `require("m")` and `import("m")` inside an expression: a name that is bound to the module.
    pub(super) fn visit_module_call(
        &mut self,
        call: Node<'t>,
        function: Node<'t>,
    ) -> Option<ExprId> {
        let (source, what) = match function.kind_name() {
            "import" => (single_string_argument(call)?, Imported::Dynamic),
            "identifier" => (self.require_specifier(call)?, Imported::Module),
            _ => return None,
        };
        let name = self.bind_required_module(call, source, what);
        Some(self.b.add_expr(Expr::Name {
            name,
            scope: FILE_SCOPE,
            at: call.start_byte() as u32,
        }))
    }

    /// The file-wide name of a module that is required inside an expression.
    fn bind_required_module(&mut self, call: Node<'t>, source: Node<'t>, what: Imported) -> NameId {
        let module = self.intern_unquoted(source);
        let form = match what {
            Imported::Dynamic => "import",
            _ => "require",
        };
        let text = format!("{form}({})", self.b.facts().name(module));
        let name = self.b.intern_owned_name(&text);
        if !self.module_names.contains_key(&name) {
            let id = self.import(call, module, what, None, false);
            self.b.facts_mut().imports[id.index()].local = Some(name);
            self.b
                .bind_in(FILE_SCOPE, name, Namespace::BOTH, 0, Bound::Import(id));
            self.module_names.insert(name, id);
        }
        name
    }

    /// The head of the type `import("m").X`.
    pub(super) fn bind_module_of_import_type(&mut self, call: Node<'t>) -> Option<NameId> {
        let source = single_string_argument(call)?;
        Some(self.bind_required_module(call, source, Imported::Dynamic))
    }

    /// `const x = require("m")`, `const { a, b: c } = require("m")`, `const x = require("m").y`.
    pub(super) fn try_visit_require(&mut self, pattern: Node<'t>, value: Node<'t>) -> bool {
        if value.kind_name() == "member_expression" && pattern.kind_name() == "identifier" {
            let object = value.field("object");
            let source = object.and_then(|o| self.require_specifier(o));
            let (Some(source), Some(property)) = (source, value.field("property")) else {
                return false;
            };
            let module = self.intern_unquoted(source);
            let (name, local) = (
                self.b.intern_node_text(property),
                self.b.intern_node_text(pattern),
            );
            self.import(value, module, Imported::Name(name), Some(local), false);
            return true;
        }
        let Some(source) = self.require_specifier(value) else {
            return false;
        };
        match pattern.kind_name() {
            "identifier" => {
                let module = self.intern_unquoted(source);
                let local = self.b.intern_node_text(pattern);
                self.import(value, module, Imported::Module, Some(local), false);
                true
            }
            "object_pattern" => self.try_visit_require_pattern(pattern, source),
            _ => false,
        }
    }

    fn try_visit_require_pattern(&mut self, pattern: Node<'t>, source: Node<'t>) -> bool {
        let mut names = Vec::new();
        let mut cursor = pattern.walk();
        for child in pattern.named_children(&mut cursor) {
            match child.kind_name() {
                "shorthand_property_identifier_pattern" => names.push((child, child)),
                "pair_pattern" => {
                    let key = child.field("key");
                    let value = child.field("value");
                    match (key, value) {
                        (Some(key), Some(value)) if value.kind_name() == "identifier" => {
                            names.push((key, value));
                        }
                        _ => return false,
                    }
                }
                "comment" => {}
                _ => return false,
            }
        }
        let module = self.intern_unquoted(source);
        for (key, local) in names {
            let (name, local) = (self.intern_unquoted(key), self.b.intern_node_text(local));
            self.import(key, module, Imported::Name(name), Some(local), false);
        }
        true
    }

    /// `module.exports = e`, `exports.x = e`, `module.exports.x = e`; returns the value if it is one of these.
    pub(super) fn visit_export_assignment(
        &mut self,
        node: Node<'t>,
        left: Node<'t>,
        right: Node<'t>,
    ) -> Option<ExprId> {
        if left.kind_name() != "member_expression" {
            return None;
        }
        let object = left.field("object")?;
        let property = left.field("property")?;
        let line = node.start_position().row as u32 + 1;
        if self.is_module_exports(left) {
            let value = self.visit_exported_value(node, right, None);
            let exported = self.note_export(node, None, value);
            self.add_export(None, Exported::Whole(exported), line);
            return Some(value);
        }
        let of_exports = (object.kind_name() == "identifier" && self.b.text(object) == "exports")
            || self.is_module_exports(object);
        if !of_exports {
            return None;
        }
        let name = self.b.intern_node_text(property);
        let value = self.visit_exported_value(node, right, Some((name, property)));
        let exported = self.note_export(node, Some(name), value);
        self.add_export(Some(name), Exported::Expr(exported), line);
        Some(value)
    }

    fn add_export(&mut self, name: Option<NameId>, what: Exported, line: u32) {
        self.b.add_export(Export { name, what, line });
    }

    fn is_module_exports(&self, node: Node<'t>) -> bool {
        node.kind_name() == "member_expression" && self.b.text(node) == "module.exports"
    }

    /// The exported value. A function or class literal becomes an exported definition, named by itself or by the
    /// member.
    fn visit_exported_value(
        &mut self,
        node: Node<'t>,
        right: Node<'t>,
        member: Option<(NameId, Node<'t>)>,
    ) -> ExprId {
        let literal = strip_parens_and_casts(right);
        if right.kind_name() == "assignment_expression" {
            return self.expr(right);
        }
        if !is_function_literal(literal) {
            return self.expr(right);
        }
        let own = literal.field("name");
        let own = own.map(|n| (self.b.intern_node_text(n), n));
        let default = self.b.intern_name("default");
        let (name, at) = member.or(own).unwrap_or((default, literal));
        let outer = node
            .parent()
            .filter(|p| p.kind_name() == "expression_statement");
        let mut named = DefName {
            name: Some(name),
            at,
            outer: outer.unwrap_or(node),
            kind: SymbolKind::Function,
            flags: DefFlags::EXPORTED,
        };
        self.this.push(ThisRef::None);
        let (id, namespace) = self.visit_bound_literal(literal, &mut named);
        self.this.pop();
        if let Some((own, _)) = own.filter(|_| member.is_none()) {
            // `module.exports = class Foo …`: members may be added to it below.
            self.b
                .bind_in(FILE_SCOPE, own, namespace, 0, Bound::Def(id));
            self.record_top_level(FILE_SCOPE, own, id);
        }
        self.b.add_expr(Expr::Function(id))
    }
}

/// The argument of a call whose only argument is a string literal.
fn single_string_argument(call: Node<'_>) -> Option<Node<'_>> {
    let arguments = call.field("arguments")?;
    let first = arguments.named_child(0)?;
    (first.kind_name() == "string").then_some(first)
}
