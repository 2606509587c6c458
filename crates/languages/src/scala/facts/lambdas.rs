//! Function literals: lambdas, `_ + 1`, `{ case … }`.

use super::{Hole, Walker, field_nodes, first_part, parts};
use base::{SymbolKind, Visibility};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

impl Walker<'_, '_> {
    /// A function literal with these parameters. `body` reads it and returns its values.
    pub(super) fn literal_function(
        &mut self,
        node: Node<'_>,
        params: Vec<Param>,
        body: impl FnOnce(&mut Self, DefId) -> Vec<ExprId>,
    ) -> ExprId {
        let name = self.b.intern_owned_name("<anonymous>");
        let def = self.b.add_def(name, SymbolKind::Function, node, node);
        let it = self.b.def_mut(def);
        it.flags.set(DefFlags::ANONYMOUS);
        it.flags.set(DefFlags::LOCAL);
        it.visibility = Visibility::Private;
        let was_local = std::mem::replace(&mut self.is_local, true);
        self.b.open_def(def, ScopeKind::Function);
        for (param, at) in params.iter().zip(0..) {
            self.b
                .bind(param.name, Namespace::VALUE, Bound::Param(def, at));
        }
        let lists = Box::from([params.len() as u32]);
        self.b.def_mut(def).callable = Some(Box::new(Callable {
            params,
            lists,
            ..Callable::default()
        }));
        let returns = body(self, def);
        if let Some(callable) = &mut self.b.def_mut(def).callable {
            callable.returns = returns;
        }
        self.b.close_def();
        self.is_local = was_local;
        self.b.add_expr(Expr::Function(def))
    }

    pub(super) fn parameter(&mut self, name: NameId, ty: Option<TypeId>) -> Param {
        Param {
            name,
            ty,
            default: None,
            kind: ParamKind::Plain,
        }
    }

    /// A name that no source can write.
    pub(super) fn hidden_name(&mut self, text: &str) -> NameId {
        self.b.intern_owned_name(text)
    }

    /// `x => …`, `(x: T, y) => …`, `{ x: T => … }`.
    pub(super) fn lambda(&mut self, node: Node<'_>) -> ExprId {
        let written = field_nodes(node, "parameters");
        let params = self.lambda_parameters(&written);
        let behind = written.last().map_or(node.start_byte(), |n| n.end_byte());
        self.literal_function(node, params, |walker, _| walker.lambda_body(node, behind))
    }

    /// Reads what stands behind the parameters; its last expression is the result.
    fn lambda_body(&mut self, node: Node<'_>, behind: usize) -> Vec<ExprId> {
        let mut last = None;
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if child.start_byte() >= behind && !super::is_comment(child) {
                last = self.statement(child, None);
            }
        }
        last.into_iter().collect()
    }

    /// The parameters of a literal: bindings, or a name with a type behind it.
    fn lambda_parameters(&mut self, written: &[Node<'_>]) -> Vec<Param> {
        let mut params: Vec<Param> = Vec::new();
        for node in written {
            match node.kind_name() {
                "bindings" => {
                    for binding in super::children_of_kind(*node, "binding") {
                        params.push(self.binding(binding));
                    }
                }
                "identifier" | "operator_identifier" | "wildcard" => {
                    let name = self.plain_name(*node);
                    params.push(self.parameter(name, None));
                }
                _ => {
                    let ty = self.ty(*node);
                    if let Some(last) = params.last_mut() {
                        last.ty = Some(ty);
                    }
                }
            }
        }
        params
    }

    fn binding(&mut self, node: Node<'_>) -> Param {
        let mut types = field_nodes(node, "type").into_iter();
        let ty = types.next().map(|ty| self.ty(ty));
        let name = match node.field("name") {
            Some(name) => self.plain_name(name),
            None => self.hidden_name("_"),
        };
        self.parameter(name, ty)
    }

    /// `f: x => …` with an indented body.
    pub(super) fn colon_argument(&mut self, node: Node<'_>) -> ExprId {
        let start = field_nodes(node, "lambda_start");
        let inside = parts(node);
        let body = inside
            .iter()
            .rev()
            .find(|n| matches!(n.kind_name(), "indented_block" | "indented_cases"));
        let Some(body) = body.copied() else {
            return self.unknown();
        };
        if start.is_empty() {
            return self.expr(body);
        }
        let params = self.lambda_parameters(&start);
        self.literal_function(node, params, |walker, _| vec![walker.expr(body)])
    }

    /// An expression with `_` in it.
    pub(super) fn placeholder_function(&mut self, node: Node<'_>, holes: &[Node<'_>]) -> ExprId {
        let mut params = Vec::new();
        for (hole, at) in holes.iter().zip(1..) {
            let name = self.b.intern_owned_name(&format!("_{at}"));
            let ty = match hole.kind_name() {
                "ascription_expression" => {
                    let mut types = field_nodes(*hole, "type").into_iter();
                    types.next().map(|ty| self.ty(ty))
                }
                _ => None,
            };
            self.holes.insert(hole.id(), Hole { name });
            if let Some(inner) = first_part(*hole) {
                self.holes.insert(inner.id(), Hole { name });
            }
            params.push(self.parameter(name, ty));
        }
        self.literal_function(node, params, |walker, _| vec![walker.expr(node)])
    }

    /// `_`: the parameter that it stands for.
    pub(super) fn hole(&mut self, node: Node<'_>) -> ExprId {
        match self.holes.get(&node.id()).copied() {
            Some(hole) => self.hidden_use(hole.name),
            None => self.unknown(),
        }
    }

    /// The use of a name that no source can write.
    pub(super) fn hidden_use(&mut self, name: NameId) -> ExprId {
        let scope = self.b.current_scope();
        self.b.add_expr(Expr::Name {
            name,
            scope,
            at: self.b.source.len() as u32,
        })
    }

    /// `{ case … => … }`: a function of what the clauses match.
    pub(super) fn case_function(&mut self, node: Node<'_>) -> ExprId {
        let name = self.hidden_name("_0");
        let params = vec![self.parameter(name, None)];
        self.literal_function(node, params, |walker, _| {
            let value = walker.hidden_use(name);
            let arms = walker.cases(node, value);
            vec![walker.either(arms)]
        })
    }
}
