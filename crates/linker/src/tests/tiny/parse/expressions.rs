//! Expressions of the tiny language.

use super::super::lex::{Token, TokenKind};
use super::{Parsed, Parser};
use base::SymbolKind;
use base::facts::*;

impl<'s> Parser<'s> {
    pub(super) fn expr(&mut self) -> ExprId {
        self.either().id
    }

    pub(super) fn either(&mut self) -> Parsed<'s> {
        let first = self.operation();
        let mut parts = vec![first.id];
        while self.try_take("or") {
            parts.push(self.operation().id);
        }
        match parts.len() {
            1 => first,
            _ => Parsed {
                id: self.add_expr(Expr::Either(parts.into())),
                name: first.name,
            },
        }
    }

    pub(super) fn operation(&mut self) -> Parsed<'s> {
        let mut left = self.postfix();
        while self.try_take("+") {
            let right = self.postfix();
            left.id = self.add_expr(Expr::Operation(left.id, right.id));
        }
        left
    }

    pub(super) fn postfix(&mut self) -> Parsed<'s> {
        let make: Option<fn(ExprId) -> Expr> = match self.peek().text {
            "await" => Some(Expr::Await),
            "each" => Some(Expr::Element),
            "keyof" => Some(Expr::Key),
            "enter" => Some(Expr::Enter),
            "try" => Some(Expr::Try),
            _ => None,
        };
        if let Some(make) = make {
            self.next += 1;
            let mut inner = self.postfix();
            inner.id = self.add_expr(make(inner.id));
            return inner;
        }
        let calls = self.facts.calls.len();
        let mut parsed = self.primary();
        loop {
            let line = self.peek().line;
            let joined = line == self.tokens[self.next - 1].line;
            parsed = match self.peek().text {
                "." => self.member_access(parsed),
                "::" => {
                    self.next += 1;
                    let token = self.word();
                    let name = self.name(token.text);
                    let object = parsed.id;
                    Parsed {
                        id: self.add_expr(Expr::Scoped { object, name }),
                        name: token,
                    }
                }
                "(" if joined => self.call(parsed, false),
                "!" => {
                    self.next += 1;
                    self.call(parsed, true)
                }
                "[" if joined => {
                    self.next += 1;
                    let index = self.expr();
                    self.expect("]");
                    let object = parsed.id;
                    parsed.id = self.add_expr(Expr::Index { object, index });
                    parsed
                }
                "as" => {
                    self.next += 1;
                    let ty = self.ty();
                    parsed.id = self.add_expr(Expr::Cast(parsed.id, ty));
                    parsed
                }
                _ => break,
            };
        }
        let is_path = matches!(
            self.facts.expr(parsed.id),
            Expr::Name { .. } | Expr::Member { .. } | Expr::Scoped { .. }
        );
        if is_path && self.facts.calls.len() == calls {
            self.add_reference(RefTarget::Expr(parsed.id), parsed.name);
        }
        parsed
    }

    pub(super) fn member_access(&mut self, object: Parsed<'s>) -> Parsed<'s> {
        self.next += 1;
        let token = self.take();
        let object = object.id;
        let expr = if token.kind == TokenKind::Number {
            Expr::Part(object, token.text.parse().expect("a number"))
        } else {
            let name = self.name(token.text);
            Expr::Member { object, name }
        };
        Parsed {
            id: self.add_expr(expr),
            name: token,
        }
    }

    pub(super) fn args(&mut self) -> Box<[ExprId]> {
        let mut args = Vec::new();
        self.list("(", ")", |p| {
            let arg = if p.try_take("*") {
                let inner = p.expr();
                p.add_expr(Expr::Spread(inner))
            } else if p.tokens[p.next + 1].text == ":" {
                let name = p.word();
                let name = p.name(name.text);
                p.expect(":");
                let value = p.expr();
                p.add_expr(Expr::Keyword(name, value))
            } else {
                p.expr()
            };
            args.push(arg);
        });
        args.into()
    }

    pub(super) fn call(&mut self, callee: Parsed<'s>, is_macro: bool) -> Parsed<'s> {
        let args = self.args();
        let functions: Vec<(u32, DefId)> = (0u32..)
            .zip(&args)
            .filter_map(|(n, arg)| match self.facts.expr(*arg) {
                Expr::Function(def) => Some((n, *def)),
                _ => None,
            })
            .collect();
        let argc = args.len();
        let first = args.first().copied();
        let id = match (is_macro, first) {
            (true, Some(_)) => {
                let call = Expr::Call {
                    callee: callee.id,
                    args,
                    type_args: Box::default(),
                };
                let site = self.add_expr(call);
                self.add_call(site, CallKind::Macro, argc, callee.name);
                let id = self.add_expr(Expr::Expanded(site));
                return Parsed {
                    id,
                    name: callee.name,
                };
            }
            _ => self.add_expr(Expr::Call {
                callee: callee.id,
                args,
                type_args: Box::default(),
            }),
        };
        for (n, def) in functions {
            self.callable(def).argument_of = Some((id, n));
        }
        self.add_call(id, CallKind::Call, argc, callee.name);
        Parsed {
            id,
            name: callee.name,
        }
    }

    pub(super) fn primary(&mut self) -> Parsed<'s> {
        let name = self.take();
        let expr = match (name.kind, name.text) {
            (TokenKind::Number, _) => Expr::Literal(Primitive::Int),
            (TokenKind::Text, _) => Expr::Literal(Primitive::String),
            (_, "null") => Expr::Literal(Primitive::Null),
            (_, "this") => Expr::This(self.class().expect("a class")),
            (_, "super") => Expr::Super(self.class().expect("a class")),
            (_, "new") => return self.construction(),
            (_, "?") => Expr::Unknown,
            (_, "[") => {
                self.next -= 1;
                let mut parts = Vec::new();
                self.list("[", "]", |p| {
                    let part = p.expr();
                    parts.push(part);
                });
                Expr::List(parts.into())
            }
            (_, "(") => {
                self.next -= 1;
                let mut parts = Vec::new();
                self.list("(", ")", |p| {
                    let part = p.expr();
                    parts.push(part);
                });
                match parts[..] {
                    [id] => return Parsed { id, name },
                    _ => Expr::Tuple(parts.into()),
                }
            }
            (_, "{") => self.braces(),
            (_, "|") => {
                self.next -= 1;
                return self.lambda();
            }
            (TokenKind::Word, text) => {
                let id = self.name(text);
                Expr::Name {
                    name: id,
                    scope: self.scope(),
                    at: name.at,
                }
            }
            _ => panic!("an expression and not {} at line {}", name.text, name.line),
        };
        Parsed {
            id: self.add_expr(expr),
            name,
        }
    }

    /// `{name = value}` is an object, `{key: value}` a dictionary.
    pub(super) fn braces(&mut self) -> Expr {
        self.next -= 1;
        let (mut fields, mut pairs) = (Vec::new(), Vec::new());
        self.list("{", "}", |p| {
            if p.tokens[p.next + 1].text == "=" {
                let name = p.word();
                let name = p.name(name.text);
                p.expect("=");
                let value = p.expr();
                fields.push((name, value));
            } else if p.try_take("*") {
                let name = p.name("...");
                let value = p.expr();
                fields.push((name, value));
            } else {
                let key = p.expr();
                p.expect(":");
                let value = p.expr();
                pairs.push((key, value));
            }
        });
        if fields.is_empty() {
            Expr::Dict(pairs.first().copied())
        } else {
            Expr::Object(fields.into())
        }
    }

    pub(super) fn construction(&mut self) -> Parsed<'s> {
        let name = self.word();
        let scope = self.scope();
        let name_id = self.name(name.text);
        let mut class = Parsed {
            id: self.add_expr(Expr::Name {
                name: name_id,
                scope,
                at: name.at,
            }),
            name,
        };
        while self.is(".") {
            class = self.member_access(class);
        }
        let type_args = if self.is("<") {
            self.types("<", ">")
        } else {
            Box::default()
        };
        let args = self.args();
        let argc = args.len();
        let id = self.add_expr(Expr::New {
            class: class.id,
            args,
            type_args,
        });
        self.add_call(id, CallKind::New, argc, class.name);
        Parsed {
            id,
            name: class.name,
        }
    }

    pub(super) fn lambda(&mut self) -> Parsed<'s> {
        let name = self.peek();
        let id = self.add_def(
            Token {
                text: "<anonymous>",
                ..name
            },
            SymbolKind::Function,
        );
        self.def_mut(id).flags.set(DefFlags::ANONYMOUS);
        let body = self.open_scope(ScopeKind::Function, Some(id));
        self.def_mut(id).body = Some(body);
        self.owners.push(id);
        self.params(id, "|", "|");
        let value = self.expr();
        self.add_return(id, value);
        self.owners.pop();
        self.scopes.pop();
        Parsed {
            id: self.add_expr(Expr::Function(id)),
            name,
        }
    }
}
