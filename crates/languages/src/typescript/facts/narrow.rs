//! Narrowing: what a condition says about the types of plain names.

use super::Walker;
use super::defs::strip_parens_and_casts;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// A name and the type that a condition gives it.
pub(super) struct Narrowing<'t> {
    name: Node<'t>,
    to: NarrowTo<'t>,
}

enum NarrowTo<'t> {
    Class(Node<'t>),
    Primitive(Primitive),
    /// What the called function's predicate says.
    Predicate(Node<'t>),
}

/// Conditions longer than this are not looked into further.
const MOST: usize = 32;

impl<'t> Walker<'_, '_, 't> {
    /// What holds where `condition` came out as `truth`.
    pub(super) fn narrowings_where(
        &self,
        condition: Option<Node<'t>>,
        truth: bool,
    ) -> Vec<Narrowing<'t>> {
        let mut found = Vec::new();
        let mut open: Vec<(Node<'t>, bool)> = condition.map(|c| (c, truth)).into_iter().collect();
        let mut seen = 0;
        while let Some((node, truth)) = open.pop() {
            seen += 1;
            if seen > MOST {
                break;
            }
            let node = strip_parens_and_casts(node);
            match node.kind_name() {
                "unary_expression" => {
                    let not = node.field("operator").is_some_and(|o| o.kind_name() == "!");
                    let argument = node.field("argument");
                    open.extend(argument.filter(|_| not).map(|a| (a, !truth)));
                }
                "binary_expression" => self.narrow_binary(node, truth, &mut open, &mut found),
                "call_expression" if truth => found.extend(narrow_call(node)),
                _ => {}
            }
        }
        found
    }

    fn narrow_binary(
        &self,
        node: Node<'t>,
        truth: bool,
        open: &mut Vec<(Node<'t>, bool)>,
        found: &mut Vec<Narrowing<'t>>,
    ) {
        let part = |field| node.field(field);
        let (Some(left), Some(right), Some(operator)) =
            (part("left"), part("right"), part("operator"))
        else {
            return;
        };
        match (operator.kind_name(), truth) {
            ("&&", true) | ("||", false) => open.extend([(left, truth), (right, truth)]),
            ("instanceof", true) => {
                let class = matches!(right.kind_name(), "identifier" | "member_expression");
                if class && left.kind_name() == "identifier" {
                    found.push(Narrowing {
                        name: left,
                        to: NarrowTo::Class(right),
                    });
                }
            }
            ("===" | "==", true) | ("!==" | "!=", false) => {
                found.extend(self.narrow_typeof(left, right));
            }
            _ => {}
        }
    }

    fn narrow_typeof(&self, left: Node<'t>, right: Node<'t>) -> Option<Narrowing<'t>> {
        let typeof_of = |n: Node<'t>| {
            let operator = n.field("operator")?;
            let argument = n.field("argument")?;
            (operator.kind_name() == "typeof" && argument.kind_name() == "identifier")
                .then_some(argument)
        };
        if left.kind_name() != "unary_expression" || right.kind_name() != "string" {
            return None;
        }
        let name = typeof_of(left)?;
        let primitive = match super::unquote(self.b.text(right)) {
            "string" => Primitive::String,
            "number" => Primitive::Int,
            "boolean" => Primitive::Bool,
            _ => return None,
        };
        Some(Narrowing {
            name,
            to: NarrowTo::Primitive(primitive),
        })
    }

    /// Binds narrowed names in a scope, visible from byte `from`.
    pub(super) fn apply_narrowing(
        &mut self,
        narrowed: &[Narrowing<'t>],
        scope: ScopeId,
        from: u32,
    ) {
        for narrowing in narrowed {
            let name = self.b.intern_node_text(narrowing.name);
            let ty = match narrowing.to {
                NarrowTo::Predicate(function) => {
                    self.narrow_by_predicate(narrowing.name, function, scope, from);
                    continue;
                }
                NarrowTo::Class(class) => {
                    let Some(path) = self.collect_type_path(class) else {
                        continue;
                    };
                    let scope = self.b.current_scope();
                    self.b.add_type(TypeExpr::Named {
                        path,
                        args: Box::default(),
                        scope,
                        at: class.start_byte() as u32,
                    })
                }
                NarrowTo::Primitive(primitive) => self.b.add_type(TypeExpr::Primitive(primitive)),
            };
            let to = Bound::Local {
                ty: Some(ty),
                value: None,
            };
            self.b.bind_in(scope, name, Namespace::VALUE, from, to);
        }
    }

    /// Where the function is no predicate, the name keeps its type: that is for the linker to say.
    fn narrow_by_predicate(
        &mut self,
        name: Node<'t>,
        function: Node<'t>,
        scope: ScopeId,
        from: u32,
    ) {
        let Some(variant) = self.add_unmentioned_path(function) else {
            return;
        };
        let outside = if scope == self.b.current_scope() && from == 0 {
            self.b.facts().scope(scope).parent.unwrap_or(scope)
        } else {
            scope
        };
        let id = self.b.intern_node_text(name);
        let value = self.b.add_expr(Expr::Name {
            name: id,
            scope: outside,
            at: name.start_byte() as u32,
        });
        let payload = self.b.add_expr(Expr::Payload {
            value,
            variant,
            index: 0,
        });
        let to = Bound::Local {
            ty: None,
            value: Some(payload),
        };
        self.b.bind_in(scope, id, Namespace::VALUE, from, to);
    }

    /// A name or path as an expression, without the sites that reading it makes.
    fn add_unmentioned_path(&mut self, node: Node<'t>) -> Option<ExprId> {
        match node.kind_name() {
            "identifier" => Some(self.b.add_name_expr(node)),
            "member_expression" => {
                let object = node.field("object")?;
                let property = node.field("property")?;
                if object.kind_name() != "identifier" {
                    return None;
                }
                let object = self.b.add_name_expr(object);
                let name = self.b.intern_node_text(property);
                Some(self.b.add_expr(Expr::Member { object, name }))
            }
            _ => None,
        }
    }
}

/// `isFoo(x)`: a call with one plain name.
fn narrow_call(node: Node<'_>) -> Option<Narrowing<'_>> {
    let function = node.field("function")?;
    let name = node.field("arguments")?.named_child(0)?;
    let plain = matches!(function.kind_name(), "identifier" | "member_expression");
    (plain && name.kind_name() == "identifier").then_some(Narrowing {
        name,
        to: NarrowTo::Predicate(function),
    })
}
