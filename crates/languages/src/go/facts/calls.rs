//! Calls, conversions and built-in functions.

use super::types::predeclared_primitive;
use super::{NameKind, Walker, named_parts, strip_parentheses};
use base::MarkKind;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Built-in functions that are rarely redeclared and whose results carry no types.
const SILENT: [&str; 2] = ["panic", "recover"];

/// Most bytes of a format string in which `%w` is looked for. The format may be a call with a format of its own.
const LONGEST_FORMAT: usize = 400;

impl<'s> Walker<'_, 's> {
    /// A call, or code that looks like one.
    pub(super) fn visit_call(&mut self, node: Node<'_>) -> ExprId {
        let (Some(written), Some(list)) = (node.field("function"), node.field("arguments")) else {
            return self.visit_unknown(node);
        };
        let function = strip_parentheses(written);
        let arguments = named_parts(list);
        self.mark_error_call(function, list, &arguments);
        if function.kind_name() == "identifier"
            && let Some(expr) = self.visit_builtin_or_conversion(function, &arguments)
        {
            return expr;
        }
        if let ("unary_expression", [argument]) = (function.kind_name(), arguments.as_slice())
            && let Some(ty) = self.pointer_conversion_type(function)
        {
            return self.add_cast(*argument, ty);
        }
        if let Some((operand, argument)) = self.split_instantiation(function) {
            let (callee, place) = self.callee(operand, list);
            let type_args = Box::new([self.lower_type(argument)]);
            return self.add_call(callee, place, &arguments, type_args);
        }
        let (callee, place) = self.callee(function, list);
        let type_args = match node.field("type_arguments") {
            Some(types) => named_parts(types)
                .into_iter()
                .map(|t| self.lower_type(t))
                .collect(),
            None => Box::default(),
        };
        self.add_call(callee, place, &arguments, type_args)
    }

    /// `fmt.Errorf` with an error, and `errors.Is`.
    fn mark_error_call(&mut self, function: Node<'_>, list: Node<'_>, arguments: &[Node<'_>]) {
        if function.kind_name() != "selector_expression" {
            return;
        }
        let kind = match self.b.text(function) {
            "errors.Is" => MarkKind::CompareByIs,
            "fmt.Errorf" => match arguments.first() {
                Some(format) if self.wraps(*format) => MarkKind::Wrap,
                _ if self.has_err(list) => MarkKind::Flatten,
                _ => return,
            },
            _ => return,
        };
        self.b.add_file_mark(kind, None, function);
    }

    /// Whether a format string has `%w` near its beginning.
    fn wraps(&self, format: Node<'_>) -> bool {
        let text = self.b.text(format).as_bytes();
        text[..text.len().min(LONGEST_FORMAT)]
            .windows(2)
            .any(|two| two == b"%w")
    }

    /// The callee, and the node of its name; `None` for a function literal.
    fn callee<'t>(
        &mut self,
        function: Node<'t>,
        arguments: Node<'t>,
    ) -> (ExprId, Option<Node<'t>>) {
        match function.kind_name() {
            "identifier" => (self.b.add_name_expr(function), Some(function)),
            "selector_expression" => match self.member(function) {
                Some((expr, field)) => (expr, Some(field)),
                None => (self.visit_unknown(function), None),
            },
            "func_literal" => (self.function_literal(function), None),
            _ => (self.expr(function), Some(arguments)),
        }
    }

    /// The function and the type in `f[T]()`, which the grammar reads as an index: neither is a local variable.
    fn split_instantiation<'t>(&mut self, function: Node<'t>) -> Option<(Node<'t>, Node<'t>)> {
        if function.kind_name() != "index_expression" {
            return None;
        }
        let operand = function.field("operand")?;
        let index = function.field("index")?;
        for side in [operand, index] {
            let mut first = side;
            // `f[*T]()`: the grammar reads the star as an operator.
            while first.kind_name() == "unary_expression" {
                first = first.field("operand")?;
            }
            if first.kind_name() == "selector_expression" {
                first = first.field("operand")?;
            }
            let name = self.b.intern_node_text(first);
            if first.kind_name() != "identifier" || self.find_local(name) == Some(NameKind::Value) {
                return None;
            }
        }
        Some((operand, index))
    }

    fn add_call(
        &mut self,
        callee: ExprId,
        place: Option<Node<'_>>,
        arguments: &[Node<'_>],
        type_args: Box<[TypeId]>,
    ) -> ExprId {
        let args: Box<[ExprId]> = arguments.iter().map(|a| self.visit_argument(*a)).collect();
        let functions: Vec<(usize, DefId)> = args
            .iter()
            .enumerate()
            .filter_map(|(i, arg)| match self.b.facts().expr(*arg) {
                Expr::Function(def) => Some((i, *def)),
                _ => None,
            })
            .collect();
        let call = self.b.add_expr(Expr::Call {
            callee,
            args,
            type_args,
        });
        for (i, def) in functions {
            if let Some(callable) = &mut self.b.def_mut(def).callable {
                callable.argument_of = Some((call, i as u32));
            }
        }
        if let Some(place) = place {
            self.b
                .add_call(call, CallKind::Call, arguments.len(), place);
        }
        call
    }

    fn visit_argument(&mut self, node: Node<'_>) -> ExprId {
        if node.kind_name() != "variadic_argument" {
            return self.expr(node);
        }
        match node.named_child(0) {
            Some(inner) => {
                let inner = self.expr(inner);
                self.b.add_expr(Expr::Spread(inner))
            }
            None => self.visit_unknown(node),
        }
    }

    /// A call of a bare name that is not a function: a built-in, or a conversion to a type that this file knows.
    fn visit_builtin_or_conversion(
        &mut self,
        function: Node<'_>,
        arguments: &[Node<'_>],
    ) -> Option<ExprId> {
        match self.kind_of_name(function) {
            Some(NameKind::Value) => return None,
            Some(NameKind::Type) => {
                let [argument] = arguments else {
                    return None;
                };
                let ty = self.lower_unqualified_type(function, Box::default());
                return Some(self.add_cast(*argument, ty));
            }
            None => {}
        }
        let text = self.b.text(function);
        if let ([argument], Some(primitive)) = (arguments, predeclared_primitive(text)) {
            let ty = self.b.add_type(TypeExpr::Primitive(primitive));
            return Some(self.add_cast(*argument, ty));
        }
        self.visit_builtin_call(text, arguments)
    }

    /// A call of a built-in function. Those that packages often redeclare (`min`, `copy`) are left to the linker, which
    /// sees the whole package.
    fn visit_builtin_call(&mut self, name: &str, arguments: &[Node<'_>]) -> Option<ExprId> {
        match (name, arguments) {
            ("new" | "make", [written, rest @ ..]) => {
                let mut ty = self.lower_type(*written);
                for argument in rest {
                    self.expr(*argument);
                }
                if name == "new" {
                    ty = self.b.add_type(TypeExpr::Reference(ty));
                }
                let nothing = self.b.add_expr(Expr::Unknown);
                Some(self.b.add_expr(Expr::Cast(nothing, ty)))
            }
            ("append", [first, rest @ ..]) => {
                let slice = self.expr(*first);
                for argument in rest {
                    self.visit_argument(*argument);
                }
                Some(slice)
            }
            ("len" | "cap", [only]) => {
                self.expr(*only);
                Some(self.b.add_expr(Expr::Literal(Primitive::Int)))
            }
            (name, _) if SILENT.contains(&name) => {
                for argument in arguments {
                    self.visit_argument(*argument);
                }
                Some(self.b.add_expr(Expr::Unknown))
            }
            _ => None,
        }
    }

    fn add_cast(&mut self, argument: Node<'_>, ty: TypeId) -> ExprId {
        let value = self.visit_argument(argument);
        self.b.add_expr(Expr::Cast(value, ty))
    }

    /// `(*T)(x)`, unless `T` is a local variable that points to a function.
    fn pointer_conversion_type(&mut self, function: Node<'_>) -> Option<TypeId> {
        let operator = function.field("operator")?;
        let operand = strip_parentheses(function.field("operand")?);
        let first = match operand.kind_name() {
            "identifier" => operand,
            "selector_expression" => operand
                .field("operand")
                .filter(|o| o.kind_name() == "identifier")?,
            _ => return None,
        };
        if operator.kind_name() != "*" || self.kind_of_name(first) == Some(NameKind::Value) {
            return None;
        }
        let inner = self.lower_type(operand);
        Some(self.b.add_type(TypeExpr::Reference(inner)))
    }

    /// `[]byte(x)`; also `f[int](x)` and `handlers[i](x)`, which the grammar cannot distinguish from a conversion to a
    /// generic type.
    pub(super) fn visit_conversion(&mut self, node: Node<'_>) -> ExprId {
        let (Some(written), Some(operand)) = (node.field("type"), node.field("operand")) else {
            return self.visit_unknown(node);
        };
        let ty = strip_parentheses(written);
        if ty.kind_name() != "generic_type" {
            let ty = self.lower_type(ty);
            return self.add_cast(operand, ty);
        }
        let name = ty.field("type");
        let arguments = ty.field("type_arguments");
        let (Some(name), Some(arguments)) = (name, arguments) else {
            return self.visit_unknown(node);
        };
        let plain = name.kind_name() == "type_identifier";
        if plain && self.kind_of_name(name) == Some(NameKind::Type) {
            let ty = self.lower_type(ty);
            return self.add_cast(operand, ty);
        }
        let (callee, place) = self.visit_generic_callee(name);
        if let Some(index) = self.index_of_local_value(name, arguments) {
            let index = self.visit_type_node_as_value(index);
            let element = self.b.add_expr(Expr::Index {
                object: callee,
                index,
            });
            return self.add_call(element, Some(arguments), &[operand], Box::default());
        }
        let type_args = named_parts(arguments)
            .into_iter()
            .map(|t| self.lower_type(t))
            .collect();
        self.add_call(callee, Some(place), &[operand], type_args)
    }

    /// The callee in `f[T](x)` or `p.f[T](x)`, which the grammar reads as a type.
    fn visit_generic_callee<'t>(&mut self, name: Node<'t>) -> (ExprId, Node<'t>) {
        let package = name.field("package");
        let field = name.field("name");
        match (package, field) {
            (Some(package), Some(field)) => {
                let object = self.b.add_name_expr(package);
                let name = self.b.intern_node_text(field);
                (self.b.add_expr(Expr::Member { object, name }), field)
            }
            _ => (self.b.add_name_expr(name), name),
        }
    }

    /// The index in `name[index](x)`, if it takes an element: the name or the index is a local variable.
    fn index_of_local_value<'t>(
        &mut self,
        name: Node<'_>,
        arguments: Node<'t>,
    ) -> Option<Node<'t>> {
        let [only] = named_parts(arguments)[..] else {
            return None;
        };
        let mut index = only;
        while index.kind_name() == "type_elem" {
            index = index.named_child(0)?;
        }
        let local = |walker: &Self, node: Node<'_>| {
            let name = walker.b.find_name(walker.b.text(node));
            let known = name.and_then(|name| walker.find_local(name));
            known == Some(NameKind::Value)
        };
        let owner = name.field("package").unwrap_or(name);
        let first = index.field("package").unwrap_or(index);
        let named = matches!(first.kind_name(), "type_identifier" | "package_identifier");
        (local(self, owner) || (named && local(self, first))).then_some(index)
    }

    /// An index that the grammar reads as a type.
    fn visit_type_node_as_value(&mut self, node: Node<'_>) -> ExprId {
        match node.kind_name() {
            "type_identifier" => self.b.add_name_expr(node),
            "qualified_type" => self.visit_generic_callee(node).0,
            _ => self.visit_unknown(node),
        }
    }
}
