//! JSDoc: the types that comments of JavaScript files give to parameters, results, variables and casts,
//! and the types that they declare (`@typedef`, `@callback`, `@import`).
//!
//! Such types count where nothing else is written, and never make a site of their own.

use super::jsdoc_types::{Shape, parse};
use super::{Named, Walker};
use base::{SymbolKind, Visibility};
use rustc_hash::FxHashMap;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Longer comments are not looked into.
const MOST_BYTES: usize = 20_000;
/// Members of a declared type beyond this are left out.
const MOST_PROPERTIES: usize = 200;

/// One `@tag {type} name` of a comment.
struct Tag<'s> {
    kind: &'s str,
    ty: Option<&'s str>,
    /// The first word after the type; of `[name=default]`, the name.
    name: &'s str,
    /// All that follows the type.
    after: &'s str,
    /// All that follows the tag's own word.
    rest: &'s str,
}

/// What a comment says of a function.
#[derive(Default)]
pub(super) struct FunctionDoc {
    /// The types of parameters, until they are taken.
    params: Vec<Option<Shape>>,
    /// By name the first parameter that the comment calls so.
    names: FxHashMap<String, usize>,
    result: Option<Shape>,
    whole: Option<Shape>,
}

impl FunctionDoc {
    /// Takes the type of a parameter, by its name; of a pattern, by its position. It is there once: parameters of one
    /// name may be many, and each type as long as the comment.
    fn take_param(&mut self, name: Option<&str>, index: usize) -> Option<Shape> {
        let at = match name {
            Some(name) => *self.names.get(name)?,
            None => index,
        };
        self.params.get_mut(at)?.take()
    }

    /// Gives members to the first parameter of that name, where it is an object of which no more is said.
    fn add_members(&mut self, members: Vec<(&str, String, Shape)>) {
        let mut of: FxHashMap<usize, Vec<(String, Shape)>> = FxHashMap::default();
        for (owner, name, shape) in members {
            if let Some(at) = self.names.get(owner) {
                of.entry(*at).or_default().push((name, shape));
            }
        }
        for (at, members) in of {
            if let Some(slot) = self.params.get_mut(at)
                && *slot == Some(Shape::Unknown)
            {
                *slot = Some(Shape::Object(members));
            }
        }
    }
}

impl<'t> Walker<'_, '_, 't> {
    /// The text of the `/** … */` that ends right before a byte; only in JavaScript.
    fn doc_before(&self, at: usize) -> Option<String> {
        if !self.is_javascript() {
            return None;
        }
        let before = self.b.source.get(..at)?.trim_end();
        if !before.ends_with("*/") {
            return None;
        }
        // A longer one is not looked into.
        let from = (before.len().saturating_sub(MOST_BYTES)..=before.len())
            .find(|from| before.is_char_boundary(*from));
        let before = &before[from.unwrap_or_default()..];
        let open = before.rfind("/*")?;
        let text = &before[open..];
        (text.starts_with("/**") && text.contains('@') && text.len() <= MOST_BYTES)
            .then(|| inner_text(text))
    }

    /// What the comment before a function says of it.
    pub(super) fn function_doc(&self, outer: Node<'t>) -> Option<FunctionDoc> {
        let text = self.doc_before(outer.start_byte())?;
        let mut doc = FunctionDoc::default();
        // `@param {Object} a` and `@param {T} a.b`: members of a parameter that is an object.
        let mut members: Vec<(&str, String, Shape)> = Vec::new();
        for tag in tags(&text) {
            let Some(shape) = tag.ty.map(parse) else {
                continue;
            };
            match tag.kind {
                "param" | "arg" | "argument" => match tag.name.split_once('.') {
                    None => {
                        let at = doc.params.len();
                        doc.names.entry(tag.name.to_owned()).or_insert(at);
                        doc.params.push(Some(shape));
                    }
                    Some((of, name)) if !name.contains(['.', '[']) => {
                        members.push((of, name.to_owned(), shape));
                    }
                    Some(_) => {}
                },
                "returns" | "return" => doc.result = Some(shape),
                "type" => doc.whole = Some(shape),
                _ => {}
            }
        }
        doc.add_members(members);
        Some(doc)
    }

    /// The type of a parameter without a written one.
    pub(super) fn param_doc(
        &mut self,
        pattern: Node<'t>,
        index: usize,
        variadic: bool,
    ) -> Option<TypeId> {
        if !self.is_javascript() {
            return None;
        }
        if let Some(own) = self.type_before(pattern) {
            return Some(own);
        }
        let name = (pattern.kind_name() == "identifier").then(|| self.b.text(pattern));
        let doc = self.docs.last_mut()?.as_mut()?;
        match doc.take_param(name, index)? {
            Shape::Rest(inner) => self.shape(&inner, pattern),
            other => {
                let ty = self.shape(&other, pattern)?;
                Some(if variadic { self.element_type(ty) } else { ty })
            }
        }
    }

    /// The result that a function's comment names; a getter may be given a type like a variable.
    pub(super) fn result_doc(&mut self, at: Node<'t>, is_getter: bool) -> Option<TypeId> {
        let doc = self.docs.last()?.as_ref()?;
        let result = doc.result.clone();
        let shape = result.or_else(|| doc.whole.clone().filter(|_| is_getter))?;
        self.shape(&shape, at)
    }

    /// The type of the function itself that its comment names.
    pub(super) fn whole_doc(&mut self, at: Node<'t>) -> Option<TypeId> {
        let whole = self.docs.last()?.as_ref()?.whole.clone()?;
        self.shape(&whole, at)
    }

    /// The type in the comment `/** @type {T} */` right before a node.
    pub(super) fn type_before(&mut self, node: Node<'t>) -> Option<TypeId> {
        let text = self.doc_before(node.start_byte())?;
        let tag = tags(&text).into_iter().find(|t| t.kind == "type")?;
        let shape = parse(tag.ty?);
        self.shape(&shape, node)
    }

    /// The types that a comment declares.
    pub(super) fn declared_in_comment(&mut self, node: Node<'t>) {
        let text = self.b.text(node);
        let declares = ["@typedef", "@callback", "@import"];
        if !self.is_javascript()
            || !text.starts_with("/**")
            || text.len() > MOST_BYTES
            || !declares.iter().any(|d| text.contains(d))
        {
            return;
        }
        let text = inner_text(text);
        let tags = tags(&text);
        for (at, tag) in tags.iter().enumerate() {
            let following = &tags[at + 1..];
            match tag.kind {
                "typedef" => {
                    let name = tag.name.to_owned();
                    let object = tag.ty.is_none_or(is_object);
                    let shape = match (object, tag.ty) {
                        (false, Some(ty)) => parse(ty),
                        _ => properties(following),
                    };
                    self.declare(&name, &shape, node);
                }
                "callback" => self.declare(tag.name, &signature(following), node),
                "import" => self.imported_in_comment(tag.rest, node),
                _ => {}
            }
        }
    }

    fn declare(&mut self, name: &str, shape: &Shape, at: Node<'t>) {
        if name.is_empty() || name.contains('.') {
            return;
        }
        let scope = self.b.scope();
        let alias = self.shape(shape, at).map(|ty| {
            let alias = self.hidden(Some(name), SymbolKind::TypeAlias, at);
            self.b.def_mut(alias).ty = Some(ty);
            alias
        });
        let name = self.b.name_owned(name);
        let to = match alias {
            Some(alias) => Bound::Def(alias),
            // The name hides others, but says nothing.
            None => Bound::Local {
                ty: None,
                value: None,
            },
        };
        self.b.bind_in(scope, name, Namespace::TYPE, 0, to);
        if let (FILE_SCOPE, Some(alias)) = (scope, alias) {
            let line = at.start_position().row as u32 + 1;
            self.declared.push((name, alias, line));
        }
    }

    /// `@import { A, B as C } from "m"`, `@import D, { A } from "m"`, `@import * as m from "m"`.
    fn imported_in_comment(&mut self, text: &str, at: Node<'t>) {
        let Some((names, rest)) = text.rsplit_once(" from ") else {
            return;
        };
        let Some(module) = rest.split(['"', '\'']).nth(1) else {
            return;
        };
        let (before, inside) = match names.split_once('{') {
            Some((before, inside)) => (before, inside.split('}').next().unwrap_or_default()),
            None => (names, ""),
        };
        for one in before.split(',').map(str::trim).filter(|o| !o.is_empty()) {
            match one.strip_prefix('*') {
                Some(rest) => {
                    let local = rest.trim_start().strip_prefix("as").unwrap_or(rest);
                    self.declare_imported(module, None, local.trim(), at);
                }
                None => self.declare_imported(module, Some("default"), one, at),
            }
        }
        for one in inside.split(',') {
            let mut words = one.split_whitespace().filter(|w| *w != "type");
            if let Some(name) = words.next() {
                let local = words.nth(1).unwrap_or(name);
                self.declare_imported(module, Some(name), local, at);
            }
        }
    }

    fn declare_imported(&mut self, module: &str, name: Option<&str>, local: &str, at: Node<'t>) {
        let shape = Shape::Named {
            module: Some(module.to_owned()),
            path: name.map(str::to_owned).into_iter().collect(),
            args: Vec::new(),
        };
        self.declare(local, &shape, at);
    }

    /// Binds the type parameters that a comment names (`@template T`) in the open scope of `def`.
    pub(super) fn templates(&mut self, def: DefId, outer: Node<'t>) {
        let Some(text) = self.doc_before(outer.start_byte()) else {
            return;
        };
        let mut params: Vec<TypeParam> = Vec::new();
        for tag in tags(&text).iter().filter(|t| t.kind == "template") {
            let list = tag.after.lines().next().unwrap_or_default();
            // `@template T, U`, `@template T the text about it`, `@template [T=Default]`.
            for one in list.split(',') {
                let word = one.split_whitespace().next().unwrap_or_default();
                let name = word.trim_matches(['[', ']']);
                let name = name.split('=').next().unwrap_or(name);
                let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
                if name.is_empty() || !name.chars().all(is_name) {
                    break;
                }
                let name = self.b.name_owned(name);
                let to = Bound::TypeParam(def, params.len() as u32);
                self.b.bind(name, Namespace::TYPE, to);
                params.push(TypeParam {
                    name,
                    bounds: Box::default(),
                    default: None,
                });
                if one.split_whitespace().nth(1).is_some() {
                    break;
                }
            }
        }
        if !params.is_empty() {
            self.b.def_mut(def).type_params = params.into_boxed_slice();
        }
    }

    /// What a class's comment says of the class that it extends (`@extends {Base<T>}`): the arguments.
    pub(super) fn extended_in_comment(
        &mut self,
        outer: Node<'t>,
        base: &str,
        at: Node<'t>,
    ) -> Option<TypeId> {
        let text = self.doc_before(outer.start_byte())?;
        let tags = tags(&text);
        let tag = tags
            .iter()
            .find(|t| matches!(t.kind, "extends" | "augments"))?;
        match parse(tag.ty?) {
            Shape::Named {
                module: None,
                path,
                args,
            } if path.join(".") == base => self.named_shape(None, &path, &args, at),
            Shape::Array(inner) if base == "Array" => {
                let inner = self.shape_or_unknown(&inner, at);
                Some(self.b.ty(TypeExpr::Array(inner)))
            }
            _ => None,
        }
    }

    /// Types that comments declare can be asked for from other files.
    pub(super) fn export_declared(&mut self) {
        for (name, alias, line) in std::mem::take(&mut self.declared) {
            let value = self.b.expr(Expr::Function(alias));
            self.b.add_export(Export {
                name: Some(name),
                what: Exported::Expr(value),
                line,
            });
        }
    }

    /// A parsed type as facts; none where it says nothing.
    fn shape(&mut self, shape: &Shape, at: Node<'t>) -> Option<TypeId> {
        let ty = match shape {
            Shape::Unknown => return None,
            Shape::Rest(inner) => return self.shape(inner, at),
            Shape::Primitive(primitive) => TypeExpr::Primitive(*primitive),
            Shape::Named { module, path, args } => {
                return self.named_shape(module.as_deref(), path, args, at);
            }
            Shape::TypeOf { module, path } => {
                return self.type_of_shape(module.as_deref(), path, at);
            }
            Shape::Array(inner) => TypeExpr::Array(self.shape_or_unknown(inner, at)),
            Shape::Optional(inner) => TypeExpr::Optional(self.shape(inner, at)?),
            Shape::Union(parts) => TypeExpr::Union(self.shapes(parts, at)),
            Shape::All(parts) => TypeExpr::All(self.shapes(parts, at)),
            Shape::Tuple(parts) => TypeExpr::Tuple(self.shapes(parts, at)),
            Shape::Is(inner) => {
                let inner = self.shape(inner, at)?;
                let is = self.b.name_owned(super::PREDICATE);
                TypeExpr::Projection(inner, is)
            }
            Shape::Member(inner, name) => {
                let inner = self.shape(inner, at)?;
                let name = self.b.name_owned(name);
                TypeExpr::Projection(inner, name)
            }
            Shape::Function(params, ret) => {
                let params = self.shapes(params, at);
                let ret = ret.as_ref().and_then(|ret| self.shape(ret, at));
                TypeExpr::Function { params, ret }
            }
            Shape::Object(members) => return Some(self.object_shape(members, at)),
        };
        Some(self.b.ty(ty))
    }

    fn shape_or_unknown(&mut self, shape: &Shape, at: Node<'t>) -> TypeId {
        self.shape(shape, at).unwrap_or(self.unknown_type)
    }

    fn shapes(&mut self, shapes: &[Shape], at: Node<'t>) -> Box<[TypeId]> {
        shapes
            .iter()
            .map(|s| self.shape_or_unknown(s, at))
            .collect()
    }

    fn named_shape(
        &mut self,
        module: Option<&str>,
        path: &[String],
        args: &[Shape],
        at: Node<'t>,
    ) -> Option<TypeId> {
        let args = self.shapes(args, at);
        let mut names: Vec<NameId> = Vec::with_capacity(path.len());
        let mut rest = path;
        if let Some(module) = module {
            let (first, others) = match path.split_first() {
                Some((first, others)) => (Some(first.as_str()), others),
                None => (None, path),
            };
            names.push(self.module_in_comment(module, first, at));
            rest = others;
        }
        names.extend(rest.iter().map(|n| self.b.name_owned(n)));
        let scope = self.b.scope();
        Some(self.b.ty(TypeExpr::Named {
            path: names.into_boxed_slice(),
            args,
            scope,
            at: at.start_byte() as u32,
        }))
    }

    fn type_of_shape(
        &mut self,
        module: Option<&str>,
        path: &[String],
        at: Node<'t>,
    ) -> Option<TypeId> {
        let mut names: Vec<NameId> = Vec::new();
        if let Some(module) = module {
            names.push(self.module_in_comment(module, None, at));
        }
        names.extend(path.iter().map(|n| self.b.name_owned(n)));
        let (first, rest) = names.split_first()?;
        let scope = self.b.scope();
        let mut value = self.b.expr(Expr::Name {
            name: *first,
            scope,
            at: at.start_byte() as u32,
        });
        for name in rest {
            value = self.b.expr(Expr::Member {
                object: value,
                name: *name,
            });
        }
        Some(self.b.ty(TypeExpr::TypeOf(value)))
    }

    /// The file-wide name of a module, or of a name in it, that a comment imports. In JavaScript, imports for
    /// types alone stand in comments.
    fn module_in_comment(&mut self, module: &str, name: Option<&str>, at: Node<'t>) -> NameId {
        let text = match name {
            Some(name) => format!("import type({module}).{name}"),
            None => format!("import type({module})"),
        };
        let local = self.b.name_owned(&text);
        if self.module_names.contains_key(&local) {
            return local;
        }
        let module = self.b.name_owned(module);
        let what = match name {
            Some("default") => Imported::Default,
            Some(name) => Imported::Name(self.b.name_owned(name)),
            None => Imported::Dynamic,
        };
        let id = self.import(at, module, what, None, true);
        self.b.facts_mut().imports[id.index()].local = Some(local);
        let to = Bound::Import(id);
        self.b.bind_in(FILE_SCOPE, local, Namespace::BOTH, 0, to);
        self.module_names.insert(local, id);
        local
    }

    /// `{ a: A, b: B }`: a type without a name, whose members belong to no node of the graph.
    fn object_shape(&mut self, members: &[(String, Shape)], at: Node<'t>) -> TypeId {
        let id = self.hidden(None, SymbolKind::Interface, at);
        for (name, shape) in members.iter().take(MOST_PROPERTIES) {
            let ty = self.shape(shape, at);
            let field = self.hidden(Some(name), SymbolKind::Property, at);
            let def = self.b.def_mut(field);
            def.parent = Some(id);
            def.ty = ty;
        }
        self.b.ty(TypeExpr::Anonymous(id))
    }

    fn hidden(&mut self, name: Option<&str>, kind: SymbolKind, at: Node<'t>) -> DefId {
        let name = name.map(|n| self.b.name_owned(n));
        let mut flags = DefFlags::ANONYMOUS;
        flags.set(DefFlags::DECLARATION_ONLY);
        let doc = self.doc.take();
        let id = self.add_def(&Named {
            name: None,
            at,
            outer: at,
            kind,
            flags,
        });
        self.doc = doc;
        let def = self.b.def_mut(id);
        def.parent = None;
        def.scope = FILE_SCOPE;
        def.visibility = Visibility::Private;
        if let Some(name) = name {
            def.name = name;
        }
        id
    }
}

/// `Object` as the type of a declared type means that its members follow.
fn is_object(ty: &str) -> bool {
    matches!(ty.trim(), "" | "Object" | "object")
}

/// Members of a declared type, from the tags after it.
fn properties(tags: &[Tag<'_>]) -> Shape {
    let mut members = Vec::new();
    for tag in tags {
        match tag.kind {
            "property" | "prop" => {
                if let Some(ty) = tag.ty.filter(|_| !tag.name.contains(['.', '['])) {
                    members.push((tag.name.to_owned(), parse(ty)));
                }
            }
            "typedef" | "callback" | "import" => break,
            _ => {}
        }
    }
    if members.is_empty() {
        Shape::Unknown
    } else {
        Shape::Object(members)
    }
}

/// Parameters and result of a declared function type.
fn signature(tags: &[Tag<'_>]) -> Shape {
    let mut params = Vec::new();
    let mut result = None;
    for tag in tags {
        let shape = tag.ty.map_or(Shape::Unknown, parse);
        match tag.kind {
            "param" | "arg" | "argument" if !tag.name.contains('.') => params.push(shape),
            "returns" | "return" => result = Some(Box::new(shape)),
            "typedef" | "callback" | "import" => break,
            _ => {}
        }
    }
    Shape::Function(params, result)
}

/// A comment without its marks.
fn inner_text(comment: &str) -> String {
    let inner = comment.strip_prefix("/**").unwrap_or(comment);
    let inner = inner.strip_suffix("*/").unwrap_or(inner);
    let mut out = String::with_capacity(inner.len());
    for line in inner.lines() {
        let line = line.trim_start();
        out.push_str(line.strip_prefix('*').unwrap_or(line));
        out.push('\n');
    }
    out
}

/// The tags at the beginnings of lines.
fn tags(text: &str) -> Vec<Tag<'_>> {
    let mut found = Vec::new();
    let mut starts: Vec<usize> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let indent = line.len() - line.trim_start().len();
        if line[indent..].starts_with('@') {
            starts.push(at + indent);
        }
        at += line.len();
    }
    for (i, start) in starts.iter().enumerate() {
        let end = starts.get(i + 1).copied().unwrap_or(text.len());
        found.extend(tag(&text[start + 1..end]));
    }
    found
}

fn tag(text: &str) -> Option<Tag<'_>> {
    let word = text
        .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .unwrap_or(text.len());
    let (kind, rest) = text.split_at(word);
    let rest = rest.trim_start();
    let (ty, after) = match rest.strip_prefix('{').filter(|_| kind != "import") {
        Some(inner) => {
            let end = closing(inner)?;
            (Some(&inner[..end]), inner[end + 1..].trim_start())
        }
        None => (None, rest),
    };
    let word = after.split([' ', '\t', '\n']).next().unwrap_or_default();
    let name = word.trim_start_matches('[');
    let name = name.split(['=', ']']).next().unwrap_or(name);
    Some(Tag {
        kind,
        ty,
        name,
        after,
        rest,
    })
}

/// Where the brace closes that is open before the text.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_u32;
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(c),
            (None, '{') => depth += 1,
            (None, '}') if depth == 0 => return Some(at),
            (None, '}') => depth -= 1,
            _ => {}
        }
    }
    None
}
