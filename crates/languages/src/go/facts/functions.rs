//! Functions, methods and function literals: parameters, results, bodies.

use super::{NameKind, Walker, named_children_in_field};
use base::SymbolKind;
use syntax::complexity::Rules;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

const RULES: Rules = Rules {
    nesting: &[
        "if_statement",
        "for_statement",
        "expression_switch_statement",
        "type_switch_statement",
        "select_statement",
    ],
    no_path: &[
        "expression_switch_statement",
        "type_switch_statement",
        "select_statement",
    ],
    arms: &["expression_case", "type_case", "communication_case"],
    elses: &[],
    else_paths: &[],
    logical: (&["binary_expression"], &["&&", "||"]),
    jumps: &["goto_statement"],
    functions: &["func_literal"],
    words: &["if", "for", "switch", "select", "case", "goto"],
    signs: &["&&", "||"],
};

impl<'s> Walker<'_, 's> {
    /// A function of the package.
    pub(super) fn function(&mut self, node: Node<'_>, doc: Option<String>) {
        let Some(name_node) = node.field("name") else {
            return self.visit_children(node);
        };
        let text = self.b.text(name_node);
        let name = self.b.intern_name(text);
        let def = self.b.add_def(name, SymbolKind::Function, node, name_node);
        self.set_visibility(def, text);
        if self.is_called_from_outside {
            self.b.def_mut(def).flags.set(DefFlags::ENTRY);
        }
        self.set_doc(def, doc.as_deref());
        // There may be several `init`, and none can be referred to.
        if text != "init" && text != "_" {
            self.b
                .bind_in(FILE_SCOPE, name, Namespace::BOTH, 0, Bound::Def(def));
        }
        self.open_def(def, ScopeKind::Function);
        let mut callable = Callable::default();
        self.type_parameters(node, def);
        self.signature(node, def, &mut callable);
        if is_test_function(self.b.facts(), text, &callable) {
            self.b.def_mut(def).flags.set(DefFlags::TEST);
        }
        self.b.def_mut(def).callable = Some(Box::new(callable));
        self.body(node, def);
        self.close_def();
    }

    /// A method. Its receiver's type may be in another file, so it has no parent.
    pub(super) fn method(&mut self, node: Node<'_>, doc: Option<String>) {
        let Some(name_node) = node.field("name") else {
            return self.visit_children(node);
        };
        let text = self.b.text(name_node);
        let name = self.b.intern_name(text);
        let def = self.b.add_def(name, SymbolKind::Method, node, name_node);
        self.set_visibility(def, text);
        self.set_doc(def, doc.as_deref());
        self.open_def(def, ScopeKind::Function);
        let mut callable = Callable::default();
        self.visible_from = params_visible_from(node);
        if let Some(receiver) = node.field("receiver") {
            self.visit_receiver(receiver, def, &mut callable);
        }
        self.signature(node, def, &mut callable);
        self.b.def_mut(def).callable = Some(Box::new(callable));
        self.body(node, def);
        self.close_def();
    }

    /// A function literal.
    pub(super) fn function_literal(&mut self, node: Node<'_>) -> ExprId {
        let name = self.b.intern_owned_name("<anonymous>");
        let def = self.b.add_def(name, SymbolKind::Function, node, node);
        let local = self.functions > 0;
        let flags = &mut self.b.def_mut(def).flags;
        flags.set(DefFlags::ANONYMOUS);
        if local {
            flags.set(DefFlags::LOCAL);
        }
        self.open_def(def, ScopeKind::Function);
        let mut callable = Callable::default();
        self.signature(node, def, &mut callable);
        self.b.def_mut(def).callable = Some(Box::new(callable));
        self.body(node, def);
        self.close_def();
        self.b.add_expr(Expr::Function(def))
    }

    /// Parameters and results, bound in the open scope.
    fn signature(&mut self, node: Node<'_>, def: DefId, callable: &mut Callable) {
        self.visible_from = params_visible_from(node);
        if let Some(list) = node.field("parameters") {
            self.parameters(list, def, callable);
        }
        if let Some(result) = node.field("result") {
            callable.ret = self.visit_results(result, true);
        }
    }

    /// The parameters of a list; those with names are bound.
    fn parameters(&mut self, list: Node<'_>, def: DefId, callable: &mut Callable) {
        let mut cursor = list.walk();
        for declaration in list.named_children(&mut cursor) {
            let kind = match declaration.kind_name() {
                "parameter_declaration" => ParamKind::Plain,
                "variadic_parameter_declaration" => ParamKind::Variadic,
                _ => continue,
            };
            let ty = declaration.field("type").map(|t| self.lower_type(t));
            let names = named_children_in_field(declaration, "name");
            if names.is_empty() {
                let name = self.b.intern_owned_name("_");
                self.add_parameter(def, callable, name, ty, kind);
            }
            for name in names {
                let name = self.b.intern_node_text(name);
                self.add_parameter(def, callable, name, ty, kind);
            }
        }
    }

    fn add_parameter(
        &mut self,
        def: DefId,
        callable: &mut Callable,
        name: NameId,
        ty: Option<TypeId>,
        kind: ParamKind,
    ) {
        let index = callable.params.len() as u32;
        if self.b.facts().name(name) != "_" {
            let from = self.visible_from;
            self.bind_local(name, from, Bound::Param(def, index), NameKind::Value);
        }
        callable.params.push(Param {
            name,
            ty,
            default: None,
            kind,
        });
    }

    /// The receiver: the name of its type becomes part of the qualified name, and its type arguments are the method's
    /// names for the type parameters.
    fn visit_receiver(&mut self, list: Node<'_>, def: DefId, callable: &mut Callable) {
        let Some(declaration) = list.named_child(0) else {
            return;
        };
        let Some(written) = declaration.field("type") else {
            return;
        };
        let mut base = super::strip_parentheses(written);
        if base.kind_name() == "pointer_type" {
            self.b.def_mut(def).flags.set(DefFlags::BY_REFERENCE);
            if let Some(inner) = base.named_child(0) {
                base = super::strip_parentheses(inner);
            }
        }
        if base.kind_name() == "generic_type" {
            if let Some(arguments) = base.field("type_arguments") {
                self.receiver_type_parameters(arguments, def);
            }
            if let Some(name) = base.field("type") {
                base = name;
            }
        }
        callable.receiver = Some(self.b.intern_node_text(base));
        let ty = Some(self.lower_type(written));
        let name = match declaration.field("name") {
            Some(name) => self.b.intern_node_text(name),
            None => self.b.intern_owned_name("_"),
        };
        self.add_parameter(def, callable, name, ty, ParamKind::Receiver);
    }

    fn receiver_type_parameters(&mut self, arguments: Node<'_>, def: DefId) {
        let mut params = Vec::new();
        for argument in super::named_parts(arguments) {
            let name = self.b.intern_node_text(argument);
            let to = Bound::TypeParam(def, params.len() as u32);
            self.bind_local(name, 0, to, NameKind::Type);
            params.push(TypeParam {
                name,
                bounds: Box::default(),
                default: None,
            });
        }
        self.b.def_mut(def).type_params = params.into();
    }

    /// Type parameters with their constraints, bound in the open scope.
    pub(super) fn type_parameters(&mut self, node: Node<'_>, def: DefId) {
        let Some(list) = node.field("type_parameters") else {
            return;
        };
        // All of them are visible in every constraint.
        let mut declared = Vec::new();
        for declaration in super::named_parts(list) {
            for name in named_children_in_field(declaration, "name") {
                let name = self.b.intern_node_text(name);
                let to = Bound::TypeParam(def, declared.len() as u32);
                self.bind_local(name, 0, to, NameKind::Type);
                declared.push((name, declaration.field("type")));
            }
        }
        let mut params = Vec::new();
        let mut last: Option<(usize, TypeId)> = None;
        for (name, constraint) in declared {
            let bound = constraint.map(|node| match last {
                Some((id, ty)) if id == node.id() => ty,
                _ => {
                    let ty = self.lower_type(node);
                    last = Some((node.id(), ty));
                    ty
                }
            });
            params.push(TypeParam {
                name,
                bounds: bound.into_iter().collect(),
                default: None,
            });
        }
        self.b.def_mut(def).type_params = params.into();
    }

    /// The type of a result list. Named results become variables if `bind`.
    pub(super) fn visit_results(&mut self, node: Node<'_>, bind: bool) -> Option<TypeId> {
        if node.kind_name() != "parameter_list" {
            return Some(self.lower_type(node));
        }
        let mut types = Vec::new();
        for declaration in super::named_parts(node) {
            let Some(written) = declaration.field("type") else {
                continue;
            };
            let ty = self.lower_type(written);
            let names = named_children_in_field(declaration, "name");
            types.extend(std::iter::repeat_n(ty, names.len().max(1)));
            for name in names.into_iter().filter(|_| bind) {
                let name = self.b.intern_node_text(name);
                let to = Bound::Local {
                    ty: Some(ty),
                    value: None,
                };
                self.bind_local(name, self.visible_from, to, NameKind::Value);
            }
        }
        match types.len() {
            0 => None,
            1 => types.pop(),
            _ => Some(self.b.add_type(TypeExpr::Tuple(types.into()))),
        }
    }

    /// The body, in the scope of the parameters.
    fn body(&mut self, node: Node<'_>, def: DefId) {
        let start = node.start_byte() as u32;
        let Some(body) = node.field("body") else {
            let end = node.end_byte() as u32;
            self.b.def_mut(def).signature = (start, end);
            self.b.def_mut(def).flags.set(DefFlags::DECLARATION_ONLY);
            return;
        };
        self.b.def_mut(def).signature = (start, body.start_byte() as u32);
        if !self.b.def_mut(def).flags.has(DefFlags::ANONYMOUS) {
            self.b.set_complexity(def, body, &RULES);
        }
        if !self.b.enter_level() {
            return;
        }
        self.functions += 1;
        self.visit_children(body);
        self.functions -= 1;
        self.b.leave_level();
    }

    /// A method of an interface.
    pub(super) fn interface_method(&mut self, node: Node<'_>, doc: Option<&str>) {
        let Some(name_node) = node.field("name") else {
            return;
        };
        let text = self.b.text(name_node);
        let name = self.b.intern_name(text);
        let def = self.b.add_def(name, SymbolKind::Method, node, name_node);
        self.set_visibility(def, text);
        self.set_doc(def, doc);
        let end = node.end_byte() as u32;
        let entry = self.b.def_mut(def);
        entry.signature = (entry.span.start_byte, end);
        entry.flags.set(DefFlags::ABSTRACT);
        self.b.bind(name, Namespace::VALUE, Bound::Def(def));
        self.open_def(def, ScopeKind::Function);
        let mut callable = Callable::default();
        self.signature(node, def, &mut callable);
        self.b.def_mut(def).callable = Some(Box::new(callable));
        self.close_def();
    }
}

/// The byte from which parameter names are visible: in `func f(client client, c client)` both types are the type
/// `client`.
fn params_visible_from(node: Node<'_>) -> u32 {
    let body = node.field("body");
    body.map_or(node.end_byte(), |b| b.start_byte()) as u32
}

/// Whether `go test` runs it: `TestX(*testing.T)` and the like, `ExampleX()`.
fn is_test_function(facts: &FileFacts, name: &str, callable: &Callable) -> bool {
    let starts = |prefix: &str| {
        let rest = name.strip_prefix(prefix);
        rest.is_some_and(|r| !r.starts_with(char::is_lowercase))
    };
    if starts("Example") {
        return callable.params.is_empty() && callable.ret.is_none();
    }
    let parameter = ["Test", "Benchmark", "Fuzz"]
        .into_iter()
        .zip(["T", "B", "F"])
        .find(|(prefix, _)| starts(prefix));
    let Some((prefix, parameter)) = parameter else {
        return false;
    };
    let [only] = callable.params.as_slice() else {
        return false;
    };
    let Some(TypeExpr::Reference(inner)) = only.ty.map(|t| facts.ty(t)) else {
        return false;
    };
    let TypeExpr::Named { path, .. } = facts.ty(*inner) else {
        return false;
    };
    let written = path.last().map_or("", |n| facts.name(*n));
    path.len() == 2 && (written == parameter || (prefix == "Test" && written == "M"))
}
