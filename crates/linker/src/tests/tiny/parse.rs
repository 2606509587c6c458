//! The tiny language's facts: definitions, names and expressions.
//!
//! ```text
//! import a/b            # the module `a/b`, as `b`        import a/b.name as n    import a/b.*
//! export name as other                                    export * from a/b
//! class C<T: Bound>: Base, has Iface { let x: T = e       fn m(self, p: T) -> U { return e }   static fn s() = e }
//! interface I { fn m(self); }     enum E { member A }     alias A<T> = [T]     extend C { fn m(self) = e }
//! fn f<T>(a: T, b: T = e, *rest: T, **named: T) -> T = e  async fn ..   gen fn .. { yield e }   get fn   class fn
//! ```

mod expressions;

use super::lex::{Token, TokenKind, tokens};
use base::facts::*;
use base::{Language, Span, SymbolKind, Visibility};

/// The facts of a source.
pub(crate) fn facts(language: Language, source: &str) -> FileFacts {
    let mut parser = Parser {
        tokens: tokens(source),
        next: 0,
        facts: FileFacts::empty(language),
        scopes: vec![FILE_SCOPE],
        owners: Vec::new(),
    };
    parser.facts.lines = source.lines().count() as u32;
    while parser.peek().kind != TokenKind::End {
        parser.item();
    }
    let mut facts = parser.facts;
    facts.bindings.sort_by_key(|b| b.scope);
    facts
}

struct Parser<'s> {
    tokens: Vec<Token<'s>>,
    next: usize,
    facts: FileFacts,
    scopes: Vec<ScopeId>,
    owners: Vec<DefId>,
}

/// A parsed expression: its id, and the token of its last name.
#[derive(Clone, Copy)]
struct Parsed<'s> {
    id: ExprId,
    name: Token<'s>,
}

impl<'s> Parser<'s> {
    // ---- tokens ----

    fn peek(&self) -> Token<'s> {
        self.tokens[self.next]
    }

    fn is(&self, text: &str) -> bool {
        let token = self.peek();
        token.text == text && matches!(token.kind, TokenKind::Word | TokenKind::Sign)
    }

    fn take(&mut self) -> Token<'s> {
        let token = self.peek();
        self.next += 1;
        token
    }

    fn try_take(&mut self, text: &str) -> bool {
        let found = self.is(text);
        self.next += usize::from(found);
        found
    }

    fn expect(&mut self, text: &str) {
        let token = self.peek();
        assert!(
            self.try_take(text),
            "{text} and not {} at line {} column {}",
            token.text,
            token.line,
            token.column
        );
    }

    fn word(&mut self) -> Token<'s> {
        let token = self.take();
        assert!(
            token.kind == TokenKind::Word,
            "a name at line {}",
            token.line
        );
        token
    }

    /// A list between two signs, separated by commas.
    fn list(&mut self, open: &str, close: &str, mut one: impl FnMut(&mut Self)) {
        self.expect(open);
        while !self.try_take(close) {
            one(self);
            self.try_take(",");
        }
    }

    // ---- tables ----

    fn name(&mut self, text: &str) -> NameId {
        let names = &mut self.facts.names;
        let at = names.iter().position(|n| &**n == text).unwrap_or_else(|| {
            names.push(text.into());
            names.len() - 1
        });
        NameId(at as u32)
    }

    fn scope(&self) -> ScopeId {
        *self.scopes.last().expect("a scope")
    }

    fn open_scope(&mut self, kind: ScopeKind, owner: Option<DefId>) -> ScopeId {
        let id = ScopeId(self.facts.scopes.len() as u32);
        let parent = Some(self.scope());
        self.facts.scopes.push(Scope {
            parent,
            kind,
            owner,
        });
        self.scopes.push(id);
        id
    }

    fn bind(&mut self, name: NameId, namespace: Namespace, from: u32, to: Bound) {
        let scope = self.scope();
        self.facts.bindings.push(Binding {
            scope,
            name,
            namespace,
            from,
            to,
        });
    }

    fn add_expr(&mut self, expr: Expr) -> ExprId {
        self.facts.exprs.push(expr);
        ExprId(self.facts.exprs.len() as u32 - 1)
    }

    fn add_type(&mut self, ty: TypeExpr) -> TypeId {
        self.facts.types.push(ty);
        TypeId(self.facts.types.len() as u32 - 1)
    }

    fn owner(&self) -> Option<DefId> {
        self.facts.enclosing_node_def(self.owners.last().copied())
    }

    fn class(&self) -> Option<DefId> {
        let is_class = |d: &&DefId| {
            let kind = self.facts.def(**d).kind;
            kind.is_type() || kind == SymbolKind::Impl
        };
        self.owners.iter().rev().find(is_class).copied()
    }

    fn in_function(&self) -> bool {
        let last = self.owners.last();
        last.is_some_and(|d| self.facts.def(*d).kind.is_callable())
    }

    fn add_def(&mut self, name: Token<'s>, kind: SymbolKind) -> DefId {
        let id = DefId(self.facts.defs.len() as u32);
        let name_id = self.name(name.text);
        let mut flags = DefFlags::default();
        if self.in_function() {
            flags.set(DefFlags::LOCAL);
        }
        self.facts.defs.push(Def {
            name: name_id,
            kind,
            parent: self.owners.last().copied(),
            scope: self.scope(),
            body: None,
            span: Span {
                start_line: name.line,
                end_line: name.line,
                start_byte: name.at,
                end_byte: name.at,
            },
            name_line: name.line,
            name_column: name.column,
            signature: (name.at, name.at),
            signature_text: Box::default(),
            doc: None,
            visibility: Visibility::Public,
            flags,
            type_params: Box::default(),
            supers: Box::default(),
            callable: None,
            ty: None,
            value: None,
            decorators: Box::default(),
            complexity: Complexity::default(),
            condition: None,
        });
        id
    }

    fn def_mut(&mut self, id: DefId) -> &mut Def {
        &mut self.facts.defs[id.index()]
    }

    fn add_call(&mut self, expr: ExprId, kind: CallKind, argc: usize, at: Token<'s>) {
        let owner = self.owner();
        self.facts.calls.push(CallSite {
            expr,
            owner,
            line: at.line,
            column: at.column,
            argc: argc as u16,
            kind,
        });
    }

    fn add_reference(&mut self, what: RefTarget, at: Token<'s>) {
        let owner = self.owner();
        self.facts.references.push(RefSite {
            what,
            owner,
            line: at.line,
            column: at.column,
        });
    }

    // ---- items ----

    fn item(&mut self) {
        let mut decorators = Vec::new();
        while self.try_take("@") {
            let at = self.facts.calls.len();
            let parsed = self.postfix();
            if self.facts.calls.len() == at {
                self.add_call(parsed.id, CallKind::Decorator, 0, parsed.name);
            }
            decorators.push(parsed.id);
        }
        let mut flags = DefFlags::default();
        loop {
            match self.peek().text {
                "static" => flags.set(DefFlags::STATIC),
                "async" => flags.set(DefFlags::ASYNC),
                "gen" => flags.set(DefFlags::GENERATOR),
                "get" => flags.set(DefFlags::GETTER),
                "set" => flags.set(DefFlags::SETTER),
                "cond" => flags.set(DefFlags::CONDITIONAL),
                "default" => flags.set(DefFlags::DEFAULT_EXPORT),
                "class" if self.tokens[self.next + 1].text == "fn" => {
                    flags.set(DefFlags::CLASS_METHOD);
                }
                _ => break,
            }
            self.next += 1;
        }
        let def = match self.peek().text {
            "import" => return self.import(),
            "export" => return self.export(),
            "package" => {
                self.next += 1;
                let name = self.word();
                self.facts.package = Some(self.name(name.text));
                return;
            }
            "fn" | "macro" => self.function(),
            "class" => self.type_def(SymbolKind::Class),
            "interface" => self.type_def(SymbolKind::Interface),
            "trait" => self.type_def(SymbolKind::Trait),
            "enum" => self.type_def(SymbolKind::Enum),
            "extend" => self.extend(),
            "alias" => self.alias(),
            "member" => self.member(),
            "let" => match self.variable() {
                Some(def) => def,
                None => return,
            },
            _ => return self.statement(),
        };
        let def = self.def_mut(def);
        def.flags.set(flags);
        def.decorators = decorators.into();
    }

    fn path(&mut self) -> String {
        let mut path = self.word().text.to_owned();
        while self.try_take("/") {
            path = format!("{path}/{}", self.word().text);
        }
        path
    }

    fn import(&mut self) {
        let line = self.take().line;
        let path = self.path();
        let module = self.name(&path);
        let last = path.rsplit('/').next().unwrap_or_default();
        let (mut what, mut local) = (Imported::Module, Some(self.name(last)));
        if self.try_take(".") {
            if self.try_take("*") {
                (what, local) = (Imported::Glob, None);
            } else {
                let name = self.word();
                let name = self.name(name.text);
                (what, local) = (Imported::Name(name), Some(name));
            }
        }
        if self.try_take("as") {
            let name = self.word();
            local = Some(self.name(name.text));
        }
        let id = ImportId(self.facts.imports.len() as u32);
        let import = Import {
            module,
            what,
            local,
            scope: self.scope(),
            owner: self.owners.last().copied(),
            level: 0,
            type_only: false,
            unused: false,
            visibility: Visibility::Public,
            line,
            condition: None,
        };
        self.facts.imports.push(import);
        if let Some(local) = local {
            self.bind(local, Namespace::ALL, 0, Bound::Import(id));
        }
    }

    fn export(&mut self) {
        let line = self.take().line;
        let (mut name, what);
        if self.try_take("*") {
            self.expect("from");
            let path = self.path();
            let module = self.name(&path);
            let id = ImportId(self.facts.imports.len() as u32);
            self.facts.imports.push(Import {
                module,
                what: Imported::Glob,
                local: None,
                scope: FILE_SCOPE,
                owner: None,
                level: 0,
                type_only: false,
                unused: false,
                visibility: Visibility::Public,
                line,
                condition: None,
            });
            (name, what) = (None, Exported::Import(id));
        } else {
            let local = self.word();
            let local = self.name(local.text);
            (name, what) = (Some(local), Exported::Local(local));
        }
        if self.try_take("as") {
            let other = self.word();
            name = Some(self.name(other.text));
        }
        self.facts.exports.push(Export { name, what, line });
    }

    fn function(&mut self) -> DefId {
        let is_macro = self.take().text == "macro";
        let name = self.word();
        let holder = self.owners.last().map(|d| self.facts.def(*d).kind);
        let kind = match holder {
            _ if is_macro => SymbolKind::Macro,
            Some(kind) if kind.is_type() || kind == SymbolKind::Impl => SymbolKind::Method,
            _ => SymbolKind::Function,
        };
        let namespace = if is_macro {
            Namespace::MACRO
        } else {
            Namespace::VALUE
        };
        let id = self.add_def(name, kind);
        let bound = self.name(name.text);
        self.bind(bound, namespace, 0, Bound::Def(id));
        let body = self.open_scope(ScopeKind::Function, Some(id));
        self.def_mut(id).body = Some(body);
        self.owners.push(id);
        self.type_params(id);
        self.params(id, "(", ")");
        let ret = self.try_take("->").then(|| self.ty());
        self.callable(id).ret = ret;
        if self.try_take("=") {
            let value = self.expr();
            self.add_return(id, value);
        } else if self.try_take(";") {
            let flags = &mut self.def_mut(id).flags;
            flags.set(DefFlags::DECLARATION_ONLY);
            flags.set(DefFlags::ABSTRACT);
        } else {
            self.block();
        }
        self.owners.pop();
        self.scopes.pop();
        id
    }

    fn callable(&mut self, id: DefId) -> &mut Callable {
        self.def_mut(id).callable.get_or_insert_default()
    }

    fn add_return(&mut self, id: DefId, value: ExprId) {
        let callable = self.callable(id);
        if callable.ret.is_none() && callable.returns.len() < 8 {
            callable.returns.push(value);
        }
    }

    fn type_params(&mut self, id: DefId) {
        if !self.is("<") {
            return;
        }
        let mut params = Vec::new();
        self.list("<", ">", |p| {
            let name = p.word();
            let name = p.name(name.text);
            let n = params.len() as u32;
            p.bind(name, Namespace::TYPE, 0, Bound::TypeParam(id, n));
            let bound = p.try_take(":").then(|| p.ty());
            let default = p.try_take("=").then(|| p.ty());
            params.push(TypeParam {
                name,
                bounds: bound.into_iter().collect(),
                default,
            });
        });
        self.def_mut(id).type_params = params.into();
    }

    fn params(&mut self, id: DefId, open: &str, close: &str) {
        let mut params = Vec::new();
        self.list(open, close, |p| {
            let mut kind = match p.peek().text {
                "*" => ParamKind::Variadic,
                "**" => ParamKind::Keywords,
                "self" => ParamKind::Receiver,
                _ => ParamKind::Plain,
            };
            p.next += usize::from(matches!(kind, ParamKind::Variadic | ParamKind::Keywords));
            let name = p.word();
            let name = p.name(name.text);
            let ty = p.try_take(":").then(|| p.ty());
            let default = p.try_take("=").then(|| p.expr());
            if default.is_some() {
                kind = ParamKind::Optional;
            }
            let n = params.len() as u32;
            p.bind(name, Namespace::VALUE, 0, Bound::Param(id, n));
            params.push(Param {
                name,
                ty,
                default,
                kind,
            });
        });
        self.callable(id).params = params;
    }

    /// A class and the like. Its type parameters are in a scope around that of its members.
    fn type_def(&mut self, kind: SymbolKind) -> DefId {
        self.next += 1;
        let name = self.word();
        let id = self.add_def(name, kind);
        let bound = self.name(name.text);
        self.bind(bound, Namespace::BOTH, 0, Bound::Def(id));
        self.open_scope(ScopeKind::Block, None);
        self.type_params(id);
        let mut supers = Vec::new();
        if self.try_take(":") {
            while !self.is("{") {
                let kind = if self.try_take("has") {
                    SuperKind::Implements
                } else if self.try_take("embeds") {
                    SuperKind::Embeds
                } else {
                    SuperKind::Extends
                };
                supers.push((self.ty(), kind));
                self.try_take(",");
            }
        }
        self.def_mut(id).supers = supers.into();
        self.members(id);
        self.scopes.pop();
        id
    }

    fn members(&mut self, id: DefId) {
        let body = self.open_scope(ScopeKind::Class, Some(id));
        self.def_mut(id).body = Some(body);
        self.owners.push(id);
        self.block();
        self.owners.pop();
        self.scopes.pop();
    }

    /// Members of a class that are outside it.
    fn extend(&mut self) -> DefId {
        self.next += 1;
        let name = self.peek();
        let ty = self.ty();
        let id = self.add_def(name, SymbolKind::Impl);
        self.def_mut(id).ty = Some(ty);
        if self.try_take(":") {
            let above = self.ty();
            self.def_mut(id).supers = Box::from([(above, SuperKind::Implements)]);
        }
        self.members(id);
        id
    }

    fn alias(&mut self) -> DefId {
        self.next += 1;
        let name = self.word();
        let id = self.add_def(name, SymbolKind::TypeAlias);
        let bound = self.name(name.text);
        self.bind(bound, Namespace::BOTH, 0, Bound::Def(id));
        self.open_scope(ScopeKind::Block, None);
        self.type_params(id);
        self.expect("=");
        let ty = self.ty();
        self.def_mut(id).ty = Some(ty);
        self.scopes.pop();
        id
    }

    fn member(&mut self) -> DefId {
        self.next += 1;
        let name = self.word();
        let id = self.add_def(name, SymbolKind::EnumMember);
        let bound = self.name(name.text);
        self.bind(bound, Namespace::VALUE, 0, Bound::Def(id));
        id
    }

    /// A variable: of a file or class a definition, else a local.
    fn variable(&mut self) -> Option<DefId> {
        self.next += 1;
        let name = self.word();
        let bound = self.name(name.text);
        let ty = self.try_take(":").then(|| self.ty());
        if self.in_function() {
            let value = self.try_take("=").then(|| self.expr());
            // The variable is visible after its value.
            let from = self.peek().at;
            let to = Bound::Local { ty, value };
            self.bind(bound, Namespace::VALUE, from, to);
            return None;
        }
        let of_class = self.class().is_some();
        let kind = if of_class {
            SymbolKind::Field
        } else {
            SymbolKind::Variable
        };
        let id = self.add_def(name, kind);
        self.bind(bound, Namespace::VALUE, 0, Bound::Def(id));
        self.owners.push(id);
        let value = self.try_take("=").then(|| self.expr());
        self.owners.pop();
        let def = self.def_mut(id);
        (def.ty, def.value) = (ty, value);
        Some(id)
    }

    fn block(&mut self) {
        self.expect("{");
        while !self.try_take("}") {
            self.item();
        }
    }

    fn statement(&mut self) {
        let function = self.owners.last().copied();
        if self.try_take("return") {
            let value = self.expr();
            self.add_return(function.expect("a function"), value);
        } else if self.try_take("yield") {
            let value = self.expr();
            self.callable(function.expect("a function"))
                .yields
                .push(value);
        } else if self.is("{") {
            self.open_scope(ScopeKind::Block, None);
            self.block();
            self.scopes.pop();
        } else {
            let before = self.facts.references.len();
            let target = self.either();
            if self.try_take("=") {
                // A write is not a read.
                self.facts.references.truncate(before);
                let owner = self.owner();
                self.facts.writes.push(WriteSite {
                    target: target.id,
                    owner,
                    line: target.name.line,
                    column: target.name.column,
                });
                self.expr();
            }
        }
    }

    // ---- types ----

    fn ty(&mut self) -> TypeId {
        let mut parts = vec![self.type_part()];
        while self.try_take("|") {
            parts.push(self.type_part());
        }
        match parts[..] {
            [one] => one,
            _ => self.add_type(TypeExpr::Union(parts.into())),
        }
    }

    fn types(&mut self, open: &str, close: &str) -> Box<[TypeId]> {
        let mut types = Vec::new();
        self.list(open, close, |p| {
            let ty = p.ty();
            types.push(ty);
        });
        types.into()
    }

    fn type_part(&mut self) -> TypeId {
        let ty = match self.peek().text {
            "[" => {
                self.next += 1;
                let inner = self.ty();
                let value = self.try_take(":").then(|| self.ty());
                self.expect("]");
                match value {
                    Some(value) => TypeExpr::Map(inner, value),
                    None => TypeExpr::Array(inner),
                }
            }
            "(" => TypeExpr::Tuple(self.types("(", ")")),
            "&" => {
                self.next += 1;
                TypeExpr::Reference(self.type_part())
            }
            "fn" => {
                self.next += 1;
                let params = self.types("(", ")");
                let ret = self.try_take("->").then(|| self.type_part());
                TypeExpr::Function { params, ret }
            }
            "Self" => {
                self.next += 1;
                TypeExpr::SelfType(self.class().expect("a class"))
            }
            "typeof" => {
                self.next += 1;
                TypeExpr::TypeOf(self.postfix().id)
            }
            "text" => {
                self.next += 1;
                TypeExpr::Primitive(Primitive::String)
            }
            "_" => {
                self.next += 1;
                TypeExpr::Unknown
            }
            _ => self.named_type(),
        };
        let mut id = self.add_type(ty);
        if let TypeExpr::Named { path, .. } = self.facts.ty(id)
            && !path.is_empty()
        {
            let at = self.tokens[self.next - 1];
            self.add_reference(RefTarget::Type(id), at);
        }
        while self.is("?") || self.is("::") {
            let inner = id;
            id = if self.take().text == "?" {
                self.add_type(TypeExpr::Optional(inner))
            } else {
                let name = self.word();
                let name = self.name(name.text);
                self.add_type(TypeExpr::Projection(inner, name))
            };
        }
        id
    }

    fn named_type(&mut self) -> TypeExpr {
        let first = self.word();
        let mut path = vec![self.name(first.text)];
        while self.try_take(".") {
            let name = self.word();
            path.push(self.name(name.text));
        }
        let args = if self.is("<") {
            self.types("<", ">")
        } else {
            Box::default()
        };
        TypeExpr::Named {
            path: path.into(),
            args,
            scope: self.scope(),
            at: first.at,
        }
    }
}
