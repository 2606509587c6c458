//! Expressions: what paths denote, and the types of other expressions.

use crate::eval::{Eval, MANY, Query, QueryResult};
use crate::lang::Container;
use crate::repo::{FileId, GlobalDef, Repo};
use crate::ty::*;
use base::facts::*;
use rustc_hash::FxHashSet;

/// In longer paths than this, each link is remembered.
const SHORT_PATH: usize = 8;

/// How the name at the end of a path is looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum PathLookup {
    /// In a namespace.
    In(Namespace),
    /// As the name before `::`: a type, or a value if there is no such type.
    Before,
}

/// The entity that a path denotes, and the object that its last name was taken from.
type ResolvedPath = (Entity, Option<Ty>);

/// One name of a path: the expression that ends with it, the name, and how the path before it is looked up.
type Link = (ExprId, NameId, PathLookup);

impl Eval<'_> {
    // ---- paths ----

    /// The entity that an expression denotes if it is a name or a path; otherwise its value. For members, also the type
    /// of the object.
    pub fn resolve_expr(
        &mut self,
        file: FileId,
        expr: ExprId,
        namespace: Namespace,
    ) -> ResolvedPath {
        match self.repo.facts(file).expr(expr) {
            Expr::Name { name, scope, at } => {
                let lang = self.lang_of_file(file);
                match lang.lexical(self, file, *name, *scope, *at, namespace) {
                    Some(found) => found,
                    None => (self.resolve_name(file, *name, *scope, *at, namespace), None),
                }
            }
            Expr::Member { .. } | Expr::Scoped { .. } => {
                // The depth that earlier answers depend on does not concern this one.
                let outer = std::mem::replace(&mut self.low, u32::MAX);
                let found = self.resolve_path_expr(file, expr, PathLookup::In(namespace));
                self.low = self.low.min(outer);
                found
            }
            Expr::Type(ty) => (self.entity_of_type(file, *ty), None),
            Expr::Function(def) => (Entity::def(GlobalDef { file, def: *def }), None),
            Expr::Borrowed(inner) => self.resolve_expr(file, *inner, namespace),
            _ => (Entity::Value(self.type_of_expr(file, expr)), None),
        }
    }

    /// Resolves a path from its first name on, each link once.
    fn resolve_path_expr(
        &mut self,
        file: FileId,
        expr: ExprId,
        wanted: PathLookup,
    ) -> ResolvedPath {
        let mut links = Vec::new();
        let (mut at, mut wants) = (expr, wanted);
        let mut found = loop {
            // Continue after the longest part that is remembered.
            if links.len() >= SHORT_PATH
                && let Some(known) = self.memoized_path(file, at, wants)
            {
                break known;
            }
            let Some((object, link)) = self.split_last_segment(file, at) else {
                break self.resolve_in_namespace(wants, |ev, namespace| {
                    ev.resolve_expr(file, at, namespace)
                });
            };
            links.push(link);
            (at, wants) = (object, link.2);
        };
        let long = links.len() > SHORT_PATH;
        let facts = self.repo.facts(file);
        let mut written = match facts.expr(at) {
            Expr::Type(ty) => Some((file, *ty)),
            _ => None,
        };
        while let Some((at, name, _)) = links.pop() {
            if !self.spend(1) {
                return (Entity::Unknown, None);
            }
            let name = facts.name(name);
            let wants = links.last().map_or(wanted, |link| link.2);
            let lang = self.lang_of_file(file);
            let qualified = match written.take() {
                Some(written) => lang.qualified_member(self, written, name),
                None => None,
            };
            let (entity, receiver) = found;
            found = match qualified {
                Some(found) => found,
                None => self.resolve_in_namespace(wants, |ev, namespace| {
                    let receiver = receiver.as_ref();
                    ev.resolve_entity_member(file, entity.clone(), receiver, name, namespace)
                }),
            };
            if long && self.low > self.depth && !self.is_out_of_fuel() {
                let answer = QueryResult::Path(found.0.clone(), found.1.clone());
                self.remember(Query::Path(file, at, wants), &answer);
            }
        }
        found
    }

    /// The last name of a path, and the expression before it.
    fn split_last_segment(&self, file: FileId, path: ExprId) -> Option<(ExprId, Link)> {
        match self.repo.facts(file).expr(path) {
            Expr::Member { object, name } => {
                Some((*object, (path, *name, PathLookup::In(Namespace::VALUE))))
            }
            Expr::Scoped { object, name } => Some((*object, (path, *name, PathLookup::Before))),
            _ => None,
        }
    }

    fn memoized_path(
        &self,
        file: FileId,
        path: ExprId,
        wanted: PathLookup,
    ) -> Option<ResolvedPath> {
        match self.memo.get(&Query::Path(file, path, wanted))? {
            QueryResult::Path(entity, receiver) => Some((entity.clone(), receiver.clone())),
            _ => None,
        }
    }

    fn resolve_in_namespace(
        &mut self,
        wanted: PathLookup,
        mut find: impl FnMut(&mut Self, Namespace) -> ResolvedPath,
    ) -> ResolvedPath {
        match wanted {
            PathLookup::In(namespace) => find(self, namespace),
            // In a path, a type parameter or `Self` stands for the type, not for a value.
            PathLookup::Before => {
                let found = find(self, Namespace::TYPE);
                if found.0.is_unknown() {
                    find(self, Namespace::VALUE)
                } else {
                    found
                }
            }
        }
    }

    // ---- expressions ----

    /// The type of an expression.
    pub fn type_of_expr(&mut self, file: FileId, expr: ExprId) -> Ty {
        self.memoize_type(Query::Expr(file, expr), |ev| ev.infer_expr(file, expr))
    }

    fn types_of_exprs(&mut self, file: FileId, exprs: &[ExprId]) -> Vec<Ty> {
        exprs.iter().map(|e| self.type_of_expr(file, *e)).collect()
    }

    /// The type of the elements of a list, unknown if too many of them have to be looked at. Calls by one name count once.
    fn type_of_elements(&mut self, file: FileId, parts: &[ExprId]) -> Ty {
        const MOST: usize = 64;
        if !self.spend(parts.len() / MANY) {
            return Ty::Unknown;
        }
        let facts = self.repo.facts(file);
        let mut literals = FxHashSet::default();
        let mut called = FxHashSet::default();
        let mut different = Vec::new();
        for part in parts {
            let is_new = match facts.expr(*part) {
                Expr::Literal(primitive) => literals.insert(*primitive as usize),
                Expr::Call { callee, args, .. } if args.is_empty() => match facts.expr(*callee) {
                    Expr::Name { name, scope, .. } => called.insert((*name, *scope)),
                    _ => true,
                },
                _ => true,
            };
            if is_new {
                different.push(*part);
            }
        }
        if different.len() > MOST {
            return Ty::Unknown;
        }
        Ty::union(self.types_of_exprs(file, &different))
    }

    fn infer_expr(&mut self, file: FileId, expr: ExprId) -> Ty {
        let lang = self.lang_of_file(file);
        match self.repo.facts(file).expr(expr) {
            Expr::Unknown | Expr::Keyword(..) => Ty::Unknown,
            Expr::Name { .. } | Expr::Member { .. } | Expr::Scoped { .. } => {
                let (entity, receiver) = self.resolve_expr(file, expr, Namespace::VALUE);
                self.type_of_entity(&entity, receiver.as_ref())
            }
            Expr::This(def) => self.self_type(GlobalDef { file, def: *def }),
            Expr::Super(def) => Ty::Super(GlobalDef { file, def: *def }),
            Expr::Type(_) => {
                let (entity, _) = self.resolve_expr(file, expr, Namespace::TYPE);
                self.type_of_entity(&entity, None)
            }
            Expr::Call { .. } => self.type_of_call(file, expr),
            Expr::New {
                class, type_args, ..
            } => {
                let args = self.lower_types(file, type_args);
                self.type_of_new_on_value(file, expr, *class, &args)
                    .or_else(|| self.type_of_new(file, *class, args))
            }
            Expr::Spread(inner) | Expr::Element(inner) => {
                let of = self.type_of_expr(file, *inner);
                self.map_alternatives(&of, |ev, ty| ev.element_type(file, ty))
            }
            Expr::Key(inner) => {
                let of = self.type_of_expr(file, *inner);
                lang.key(self, &of)
            }
            Expr::Index { object, index } => {
                let of = self.type_of_expr(file, *object);
                self.map_alternatives(&of, |ev, ty| ev.indexed_type(file, ty, *index))
            }
            Expr::Part(inner, n) => {
                let of = self.type_of_expr(file, *inner);
                self.map_alternatives(&of, |ev, ty| match ty {
                    Ty::Tuple(parts) => parts.get(*n as usize).cloned().unwrap_or_default(),
                    other => lang.part(ev, other, *n),
                })
            }
            Expr::Payload {
                value,
                variant,
                index,
            } => {
                let of = self.type_of_expr(file, *value);
                let mut entity = Entity::Unknown;
                if *index == WHOLE_VARIANT {
                    // A struct with named fields is not a value, so its name is looked up as a type.
                    (entity, _) = self.resolve_expr(file, *variant, Namespace::TYPE);
                }
                if matches!(entity, Entity::Unknown) {
                    (entity, _) = self.resolve_expr(file, *variant, Namespace::VALUE);
                }
                lang.payload(self, &of, &entity, *index)
            }
            Expr::Enter(inner) => {
                let of = self.type_of_expr(file, *inner);
                lang.entered(self, &of)
            }
            Expr::Borrowed(inner) => self.type_of_expr(file, *inner),
            Expr::Bare(path) => self.type_of_mention(file, expr, *path),
            Expr::Await(inner) => {
                let of = self.type_of_expr(file, *inner);
                self.map_alternatives(&of, |ev, ty| lang.awaited(ev, ty))
            }
            Expr::Try(inner) => {
                let of = self.type_of_expr(file, *inner);
                lang.tried(self, &of)
            }
            Expr::Expanded(call) => match self.repo.facts(file).expr(*call) {
                Expr::Call { callee, .. } => {
                    let (of, _) = self.resolve_expr(file, *callee, Namespace::MACRO);
                    let view = self.call_view(file, *call);
                    lang.expanded(self, &of, view)
                }
                _ => Ty::Unknown,
            },
            Expr::Expected(call, at) => self.expected_argument_type(file, *call, *at),
            Expr::Cast(inner, ty) => {
                let written = self.lower_type(file, *ty);
                written.or_else(|| self.type_of_expr(file, *inner))
            }
            Expr::Without(inner, ty) => {
                let value = self.type_of_expr(file, *inner);
                let excluded = self.lower_type(file, *ty);
                self.without_part(value, &excluded)
            }
            Expr::Either(parts) => {
                let types = self.types_of_exprs(file, parts);
                lang.either(self, file, parts, types)
            }
            Expr::Tuple(parts) => Ty::Tuple(self.types_of_exprs(file, parts).into()),
            Expr::List(parts) => {
                let element = self.type_of_elements(file, parts);
                lang.container(Container::List, vec![element])
            }
            Expr::Dict(first) => {
                let args = match first {
                    Some((key, value)) => self.types_of_exprs(file, &[*key, *value]),
                    None => vec![Ty::Unknown, Ty::Unknown],
                };
                lang.container(Container::Map, args)
            }
            Expr::Object(_) => Ty::Object(file, expr),
            Expr::Function(def) => self.type_of_def(GlobalDef { file, def: *def }),
            Expr::Literal(Primitive::Null) => Ty::Null,
            Expr::Literal(primitive) => lang.primitive(*primitive),
            Expr::Operation(left, right) => {
                let left = self.type_of_expr(file, *left);
                let right = self.type_of_expr(file, *right);
                lang.operation(self, left, right)
            }
        }
    }

    /// Maps each alternative of a type.
    pub fn map_alternatives(&mut self, of: &Ty, mut f: impl FnMut(&mut Self, &Ty) -> Ty) -> Ty {
        let parts: Vec<Ty> = of.alternatives().iter().map(|part| f(self, part)).collect();
        Ty::union(parts)
    }

    /// The result type of an operator. Facts do not record which operator it is. For a type of the repository, the
    /// result is that of one of its methods with these names, or the same type if it has none. `counts` accepts the
    /// methods that are operators.
    pub fn operator_result(
        &mut self,
        of: &Ty,
        names: &[&str],
        counts: fn(&Repo, GlobalDef) -> bool,
    ) -> Ty {
        self.map_alternatives(of, |ev, part| match part {
            Ty::Instance(..) => ev.result_of_any_method(part, names, counts),
            _ => part.clone(),
        })
    }

    /// The result type of one of several methods of a value, or the value's own type if that is unknown.
    fn result_of_any_method(
        &mut self,
        of: &Ty,
        names: &[&str],
        counts: fn(&Repo, GlobalDef) -> bool,
    ) -> Ty {
        let mut results: Vec<Ty> = Vec::new();
        for name in names {
            if !self.spend(1) {
                return Ty::Unknown;
            }
            let (Entity::Defs(defs), holder) = self.resolve_member(of, name) else {
                continue;
            };
            let repo = self.repo;
            for def in defs.iter().copied().filter(|d| counts(repo, *d)) {
                let result = self.result_type(def);
                let result = self.substitute(&result, holder.as_ref());
                results.push(result.or_else(|| of.clone()));
            }
        }
        if results.is_empty() {
            return of.clone();
        }
        Ty::union(results)
    }

    fn element_type(&mut self, file: FileId, of: &Ty) -> Ty {
        match of {
            Ty::Tuple(parts) => Ty::union(parts.iter().cloned()),
            other => self.lang_of_file(file).element(self, other),
        }
    }

    fn indexed_type(&mut self, file: FileId, of: &Ty, index: ExprId) -> Ty {
        self.lang_of_file(file).index(self, of, file, index)
    }

    /// The instance that constructing a class returns.
    pub fn type_of_new(&mut self, file: FileId, class: ExprId, args: Vec<Ty>) -> Ty {
        let (mut entity, _) = self.resolve_expr(file, class, Namespace::VALUE);
        if entity.is_unknown() {
            entity = self.resolve_expr(file, class, Namespace::TYPE).0;
        }
        match self.repo.facts(file).expr(class) {
            Expr::Type(ty) => self.lower_type(file, *ty),
            _ => self.instance_of_entity(file, &entity, args),
        }
    }

    /// The result of `new` on a value for which the language has a rule: a constructor signature, or a built-in class
    /// whose arguments say more.
    fn type_of_new_on_value(
        &mut self,
        file: FileId,
        new: ExprId,
        class: ExprId,
        args: &[Ty],
    ) -> Ty {
        let lang = self.lang_of_file(file);
        let value = self.type_of_expr(file, class);
        if value.is_unknown() {
            return value;
        }
        let view = self.call_view(file, new);
        lang.constructed(self, &value, view, args)
    }
}
