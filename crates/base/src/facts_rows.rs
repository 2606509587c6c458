//! The rows that a row of facts refers to. Each field that holds an index is listed here, once.

use crate::facts::{
    Binding, Bound, CallSite, Callable, ChoiceId, Def, DefId, Export, Exported, Expr, ExprId,
    Import, ImportId, Imported, Mark, NameId, RefSite, RefTarget, Scope, ScopeId, TypeExpr, TypeId,
    WriteSite,
};

/// A row that another row refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Row {
    Name(NameId),
    Def(DefId),
    Scope(ScopeId),
    Expr(ExprId),
    Type(TypeId),
    Import(ImportId),
    Choice(ChoiceId),
}

macro_rules! rows {
    ($($id:ident => $row:ident,)*) => {$(
        impl From<$id> for Row {
            fn from(id: $id) -> Row {
                Row::$row(id)
            }
        }
    )*};
}

rows! {
    NameId => Name,
    DefId => Def,
    ScopeId => Scope,
    ExprId => Expr,
    TypeId => Type,
    ImportId => Import,
    ChoiceId => Choice,
}

/// Receives the rows that are referred to.
pub(crate) type See<'s> = &'s mut dyn FnMut(Row);

/// A row that refers to others.
pub(crate) trait NamesRows {
    /// Passes every row that it refers to to `see`.
    fn rows(&self, see: See<'_>);
}

fn visit_all<T: Copy + Into<Row>>(rows: impl IntoIterator<Item = T>, see: See<'_>) {
    rows.into_iter().for_each(|row| see(row.into()));
}

impl NamesRows for Def {
    fn rows(&self, see: See<'_>) {
        see(self.name.into());
        visit_all(self.parent, see);
        see(self.scope.into());
        visit_all(self.body, see);
        for param in &self.type_params {
            see(param.name.into());
            visit_all(param.bounds.iter().copied(), see);
            visit_all(param.default, see);
        }
        visit_all(self.supers.iter().map(|(ty, _)| *ty), see);
        if let Some(callable) = &self.callable {
            callable.rows(see);
        }
        visit_all(self.ty, see);
        visit_all(self.value, see);
        visit_all(self.decorators.iter().copied(), see);
        visit_all(self.condition, see);
    }
}

impl NamesRows for Callable {
    fn rows(&self, see: See<'_>) {
        for param in &self.params {
            see(param.name.into());
            visit_all(param.ty, see);
            visit_all(param.default, see);
        }
        visit_all(self.ret, see);
        visit_all(self.returns.iter().copied(), see);
        visit_all(self.yields.iter().copied(), see);
        visit_all(self.argument_of.map(|(call, _)| call), see);
        visit_all(self.receiver, see);
    }
}

impl NamesRows for Scope {
    fn rows(&self, see: See<'_>) {
        visit_all(self.parent, see);
        visit_all(self.owner, see);
    }
}

impl NamesRows for Binding {
    fn rows(&self, see: See<'_>) {
        see(self.scope.into());
        see(self.name.into());
        self.to.rows(see);
    }
}

impl NamesRows for Bound {
    fn rows(&self, see: See<'_>) {
        match *self {
            Bound::Def(def) | Bound::Param(def, _) | Bound::TypeParam(def, _) => see(def.into()),
            Bound::Import(import) => see(import.into()),
            Bound::Local { ty, value } => {
                visit_all(ty, see);
                visit_all(value, see);
            }
            Bound::Either(choice) => see(choice.into()),
        }
    }
}

impl NamesRows for Box<[Bound]> {
    fn rows(&self, see: See<'_>) {
        self.iter().for_each(|bound| bound.rows(see));
    }
}

impl NamesRows for Expr {
    fn rows(&self, see: See<'_>) {
        match self {
            Expr::Unknown | Expr::Literal(_) => {}
            Expr::Name { name, scope, at: _ } => {
                see((*name).into());
                see((*scope).into());
            }
            Expr::This(def) | Expr::Super(def) | Expr::Function(def) => see((*def).into()),
            Expr::Member { object, name } | Expr::Scoped { object, name } => {
                see((*object).into());
                see((*name).into());
            }
            Expr::Type(ty) => see((*ty).into()),
            Expr::Call {
                callee: first,
                args,
                type_args,
            }
            | Expr::New {
                class: first,
                args,
                type_args,
            } => {
                see((*first).into());
                visit_all(args.iter().copied(), see);
                visit_all(type_args.iter().copied(), see);
            }
            Expr::Keyword(name, value) => {
                see((*name).into());
                see((*value).into());
            }
            Expr::Index {
                object: one,
                index: other,
            }
            | Expr::Payload {
                value: one,
                variant: other,
                index: _,
            }
            | Expr::Operation(one, other) => visit_all([*one, *other], see),
            Expr::Spread(one)
            | Expr::Borrowed(one)
            | Expr::Bare(one)
            | Expr::Element(one)
            | Expr::Key(one)
            | Expr::Part(one, _)
            | Expr::Enter(one)
            | Expr::Await(one)
            | Expr::Try(one)
            | Expr::Expanded(one)
            | Expr::Expected(one, _) => see((*one).into()),
            Expr::Cast(value, ty) | Expr::Without(value, ty) => {
                see((*value).into());
                see((*ty).into());
            }
            Expr::Either(parts) | Expr::Tuple(parts) | Expr::List(parts) => {
                visit_all(parts.iter().copied(), see);
            }
            Expr::Dict(first) => {
                visit_all(first.iter().flat_map(|(key, value)| [*key, *value]), see)
            }
            Expr::Object(fields) => {
                for (name, value) in fields {
                    see((*name).into());
                    see((*value).into());
                }
            }
        }
    }
}

impl NamesRows for TypeExpr {
    fn rows(&self, see: See<'_>) {
        match self {
            TypeExpr::Unknown | TypeExpr::Primitive(_) => {}
            TypeExpr::Named {
                path,
                args,
                scope,
                at: _,
            } => {
                visit_all(path.iter().copied(), see);
                visit_all(args.iter().copied(), see);
                see((*scope).into());
            }
            TypeExpr::Array(one)
            | TypeExpr::Channel(one)
            | TypeExpr::Optional(one)
            | TypeExpr::Reference(one) => see((*one).into()),
            TypeExpr::Map(key, value) => visit_all([*key, *value], see),
            TypeExpr::Union(parts) | TypeExpr::All(parts) | TypeExpr::Tuple(parts) => {
                visit_all(parts.iter().copied(), see);
            }
            TypeExpr::Function { params, ret } => {
                visit_all(params.iter().copied(), see);
                visit_all(*ret, see);
            }
            TypeExpr::SelfType(def) | TypeExpr::Anonymous(def) => see((*def).into()),
            TypeExpr::TypeOf(value) => see((*value).into()),
            TypeExpr::Projection(ty, name) | TypeExpr::Binding(name, ty) => {
                see((*ty).into());
                see((*name).into());
            }
        }
    }
}

impl NamesRows for Import {
    fn rows(&self, see: See<'_>) {
        see(self.module.into());
        if let Imported::Name(name) | Imported::Static(name) = self.what {
            see(name.into());
        }
        visit_all(self.local, see);
        see(self.scope.into());
        visit_all(self.owner, see);
        visit_all(self.condition, see);
    }
}

impl NamesRows for Export {
    fn rows(&self, see: See<'_>) {
        visit_all(self.name, see);
        match self.what {
            Exported::Local(name) => see(name.into()),
            Exported::Expr(value) | Exported::Whole(value) => see(value.into()),
            Exported::Import(import) => see(import.into()),
        }
    }
}

impl NamesRows for CallSite {
    fn rows(&self, see: See<'_>) {
        see(self.expr.into());
        visit_all(self.owner, see);
    }
}

impl NamesRows for RefSite {
    fn rows(&self, see: See<'_>) {
        match self.what {
            RefTarget::Expr(value) => see(value.into()),
            RefTarget::Type(ty) => see(ty.into()),
        }
        visit_all(self.owner, see);
    }
}

impl NamesRows for WriteSite {
    fn rows(&self, see: See<'_>) {
        see(self.target.into());
        visit_all(self.owner, see);
    }
}

impl NamesRows for Mark {
    fn rows(&self, see: See<'_>) {
        visit_all(self.owner, see);
        visit_all(self.name, see);
        visit_all(self.detail, see);
    }
}
