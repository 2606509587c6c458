//! JSDoc: types that comments of JavaScript files give to parameters, results, variables and casts, and types that they
//! declare (`@typedef`, `@callback`, `@import`).
//!
//! Such types count only if no other type is written, and never make a site of their own.

use super::jsdoc_types::{DocType, parse};
use super::{DefName, Walker};
use base::{SymbolKind, Visibility};
use rustc_hash::FxHashMap;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Longer comments are not read.
const MOST_BYTES: usize = 20_000;
/// Most members of a declared type that are kept.
const MOST_PROPERTIES: usize = 200;

/// One `@tag {type} name` of a comment.
struct Tag<'s> {
    kind: &'s str,
    ty: Option<&'s str>,
    /// The first word after the type; of `[name=default]`, the name.
    name: &'s str,
    /// The text after the type.
    after: &'s str,
    /// The text after the tag's name.
    rest: &'s str,
}

/// The types in a function's comment.
#[derive(Default)]
pub(super) struct FunctionDoc {
    /// The types of parameters, until they are taken.
    params: Vec<Option<DocType>>,
    /// The first parameter of each name in the comment.
    names: FxHashMap<String, usize>,
    result: Option<DocType>,
    whole: Option<DocType>,
}

impl FunctionDoc {
    /// Takes the type of a parameter by its name, or, for a pattern, by its position. A type is taken only once: many
    /// parameters may have one name, and each type can be as long as the comment.
    fn take_param(&mut self, name: Option<&str>, index: usize) -> Option<DocType> {
        let at = match name {
            Some(name) => *self.names.get(name)?,
            None => index,
        };
        self.params.get_mut(at)?.take()
    }

    /// Adds members to the first parameter of that name, if its type is a plain object.
    fn add_members(&mut self, members: Vec<ParamMember<'_>>) {
        let mut of: FxHashMap<usize, Vec<(String, DocType)>> = FxHashMap::default();
        for member in members {
            if let Some(at) = self.names.get(member.param) {
                of.entry(*at).or_default().push((member.name, member.shape));
            }
        }
        for (at, members) in of {
            if let Some(slot) = self.params.get_mut(at)
                && *slot == Some(DocType::Unknown)
            {
                *slot = Some(DocType::Object(members));
            }
        }
    }
}

/// A member of a parameter that is an object: `@param {T} a.b`.
struct ParamMember<'t> {
    param: &'t str,
    name: String,
    shape: DocType,
}

impl<'t> Walker<'_, '_, 't> {
    /// The text of the `/** … */` that ends directly before a byte; only in JavaScript.
    fn jsdoc_before(&self, at: usize) -> Option<String> {
        if !self.is_javascript() {
            return None;
        }
        let before = self.b.source.get(..at)?.trim_end();
        if !before.ends_with("*/") {
            return None;
        }
        // A longer one is not read.
        let from = (before.len().saturating_sub(MOST_BYTES)..=before.len())
            .find(|from| before.is_char_boundary(*from));
        let before = &before[from.unwrap_or_default()..];
        let open = before.rfind("/*")?;
        let text = &before[open..];
        (text.starts_with("/**") && text.contains('@') && text.len() <= MOST_BYTES)
            .then(|| strip_comment_markers(text))
    }

    /// The types in the comment before a function.
    pub(super) fn read_function_doc(&self, outer: Node<'t>) -> Option<FunctionDoc> {
        let text = self.jsdoc_before(outer.start_byte())?;
        let mut doc = FunctionDoc::default();
        // `@param {Object} a` and `@param {T} a.b`: members of a parameter that is an object.
        let mut members: Vec<ParamMember<'_>> = Vec::new();
        for tag in parse_tags(&text) {
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
                    Some((param, name)) if !name.contains(['.', '[']) => {
                        let name = name.to_owned();
                        members.push(ParamMember { param, name, shape });
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

    /// The type of a parameter without a written type.
    pub(super) fn param_type_from_doc(
        &mut self,
        pattern: Node<'t>,
        index: usize,
        variadic: bool,
    ) -> Option<TypeId> {
        if !self.is_javascript() {
            return None;
        }
        if let Some(own) = self.type_from_doc_before(pattern) {
            return Some(own);
        }
        let name = (pattern.kind_name() == "identifier").then(|| self.b.text(pattern));
        let doc = self.docs.last_mut()?.as_mut()?;
        match doc.take_param(name, index)? {
            DocType::Rest(inner) => self.lower_shape(&inner, pattern),
            other => {
                let ty = self.lower_shape(&other, pattern)?;
                Some(if variadic { self.element_type(ty) } else { ty })
            }
        }
    }

    /// The result type in a function's comment. A getter may have a type like a variable.
    pub(super) fn result_type_from_doc(&mut self, at: Node<'t>, is_getter: bool) -> Option<TypeId> {
        let doc = self.docs.last()?.as_ref()?;
        let result = doc.result.clone();
        let shape = result.or_else(|| doc.whole.clone().filter(|_| is_getter))?;
        self.lower_shape(&shape, at)
    }

    /// The type of the function as a whole in its comment.
    pub(super) fn function_type_from_doc(&mut self, at: Node<'t>) -> Option<TypeId> {
        let whole = self.docs.last()?.as_ref()?.whole.clone()?;
        self.lower_shape(&whole, at)
    }

    /// The type in the comment `/** @type {T} */` right before a node.
    pub(super) fn type_from_doc_before(&mut self, node: Node<'t>) -> Option<TypeId> {
        let text = self.jsdoc_before(node.start_byte())?;
        let tag = parse_tags(&text).into_iter().find(|t| t.kind == "type")?;
        let shape = parse(tag.ty?);
        self.lower_shape(&shape, node)
    }

    /// The types that a comment declares.
    pub(super) fn visit_declaring_comment(&mut self, node: Node<'t>) {
        let text = self.b.text(node);
        let declares = ["@typedef", "@callback", "@import"];
        if !self.is_javascript()
            || !text.starts_with("/**")
            || text.len() > MOST_BYTES
            || !declares.iter().any(|d| text.contains(d))
        {
            return;
        }
        let text = strip_comment_markers(text);
        let tags = parse_tags(&text);
        for (at, tag) in tags.iter().enumerate() {
            let following = &tags[at + 1..];
            match tag.kind {
                "typedef" => {
                    let name = tag.name.to_owned();
                    let object = tag.ty.is_none_or(is_plain_object_type);
                    let shape = match (object, tag.ty) {
                        (false, Some(ty)) => parse(ty),
                        _ => object_from_tags(following),
                    };
                    self.declare_doc_type(&name, &shape, node);
                }
                "callback" => self.declare_doc_type(tag.name, &function_from_tags(following), node),
                "import" => self.visit_doc_import(tag.rest, node),
                _ => {}
            }
        }
    }

    fn declare_doc_type(&mut self, name: &str, shape: &DocType, at: Node<'t>) {
        if name.is_empty() || name.contains('.') {
            return;
        }
        let scope = self.b.current_scope();
        let alias = self.lower_shape(shape, at).map(|ty| {
            let alias = self.add_hidden_def(Some(name), SymbolKind::TypeAlias, at);
            self.b.def_mut(alias).ty = Some(ty);
            alias
        });
        let name = self.b.intern_owned_name(name);
        let to = match alias {
            Some(alias) => Bound::Def(alias),
            // The name hides others, but its type is unknown.
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
    fn visit_doc_import(&mut self, text: &str, at: Node<'t>) {
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
                    self.declare_doc_import(module, None, local.trim(), at);
                }
                None => self.declare_doc_import(module, Some("default"), one, at),
            }
        }
        for one in inside.split(',') {
            let mut words = one.split_whitespace().filter(|w| *w != "type");
            if let Some(name) = words.next() {
                let local = words.nth(1).unwrap_or(name);
                self.declare_doc_import(module, Some(name), local, at);
            }
        }
    }

    fn declare_doc_import(&mut self, module: &str, name: Option<&str>, local: &str, at: Node<'t>) {
        let shape = DocType::Named {
            module: Some(module.to_owned()),
            path: name.map(str::to_owned).into_iter().collect(),
            args: Vec::new(),
        };
        self.declare_doc_type(local, &shape, at);
    }

    /// Binds the type parameters that a comment names (`@template T`) in the open scope of `def`.
    pub(super) fn bind_doc_templates(&mut self, def: DefId, outer: Node<'t>) {
        let Some(text) = self.jsdoc_before(outer.start_byte()) else {
            return;
        };
        let mut params: Vec<TypeParam> = Vec::new();
        for tag in parse_tags(&text).iter().filter(|t| t.kind == "template") {
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
                let name = self.b.intern_owned_name(name);
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

    /// The type arguments of the superclass in a class's comment (`@extends {Base<T>}`).
    pub(super) fn superclass_from_doc(
        &mut self,
        outer: Node<'t>,
        base: &str,
        at: Node<'t>,
    ) -> Option<TypeId> {
        let text = self.jsdoc_before(outer.start_byte())?;
        let tags = parse_tags(&text);
        let tag = tags
            .iter()
            .find(|t| matches!(t.kind, "extends" | "augments"))?;
        match parse(tag.ty?) {
            DocType::Named {
                module: None,
                path,
                args,
            } if path.join(".") == base => self.lower_named_shape(None, &path, &args, at),
            DocType::Array(inner) if base == "Array" => {
                let inner = self.lower_shape_or_unknown(&inner, at);
                Some(self.b.add_type(TypeExpr::Array(inner)))
            }
            _ => None,
        }
    }

    /// Exports the types that comments declare, so that other files can refer to them.
    pub(super) fn export_doc_types(&mut self) {
        for (name, alias, line) in std::mem::take(&mut self.declared) {
            let value = self.b.add_expr(Expr::Function(alias));
            self.b.add_export(Export {
                name: Some(name),
                what: Exported::Expr(value),
                line,
            });
        }
    }

    /// Converts a parsed type to facts; `None` if it is unknown.
    fn lower_shape(&mut self, shape: &DocType, at: Node<'t>) -> Option<TypeId> {
        let ty = match shape {
            DocType::Unknown => return None,
            DocType::Rest(inner) => return self.lower_shape(inner, at),
            DocType::Primitive(primitive) => TypeExpr::Primitive(*primitive),
            DocType::Named { module, path, args } => {
                return self.lower_named_shape(module.as_deref(), path, args, at);
            }
            DocType::TypeOf { module, path } => {
                return self.lower_typeof_shape(module.as_deref(), path, at);
            }
            DocType::Array(inner) => TypeExpr::Array(self.lower_shape_or_unknown(inner, at)),
            DocType::Optional(inner) => TypeExpr::Optional(self.lower_shape(inner, at)?),
            DocType::Union(parts) => TypeExpr::Union(self.lower_shapes(parts, at)),
            DocType::All(parts) => TypeExpr::All(self.lower_shapes(parts, at)),
            DocType::Tuple(parts) => TypeExpr::Tuple(self.lower_shapes(parts, at)),
            DocType::Is(inner) => {
                let inner = self.lower_shape(inner, at)?;
                let is = self.b.intern_owned_name(super::PREDICATE);
                TypeExpr::Projection(inner, is)
            }
            DocType::Member(inner, name) => {
                let inner = self.lower_shape(inner, at)?;
                let name = self.b.intern_owned_name(name);
                TypeExpr::Projection(inner, name)
            }
            DocType::Function(params, ret) => {
                let params = self.lower_shapes(params, at);
                let ret = ret.as_ref().and_then(|ret| self.lower_shape(ret, at));
                TypeExpr::Function { params, ret }
            }
            DocType::Object(members) => return Some(self.lower_object_shape(members, at)),
        };
        Some(self.b.add_type(ty))
    }

    fn lower_shape_or_unknown(&mut self, shape: &DocType, at: Node<'t>) -> TypeId {
        self.lower_shape(shape, at).unwrap_or(self.unknown_type)
    }

    fn lower_shapes(&mut self, shapes: &[DocType], at: Node<'t>) -> Box<[TypeId]> {
        shapes
            .iter()
            .map(|s| self.lower_shape_or_unknown(s, at))
            .collect()
    }

    fn lower_named_shape(
        &mut self,
        module: Option<&str>,
        path: &[String],
        args: &[DocType],
        at: Node<'t>,
    ) -> Option<TypeId> {
        let args = self.lower_shapes(args, at);
        let mut names: Vec<NameId> = Vec::with_capacity(path.len());
        let mut rest = path;
        if let Some(module) = module {
            let (first, others) = match path.split_first() {
                Some((first, others)) => (Some(first.as_str()), others),
                None => (None, path),
            };
            names.push(self.bind_doc_module(module, first, at));
            rest = others;
        }
        names.extend(rest.iter().map(|n| self.b.intern_owned_name(n)));
        let scope = self.b.current_scope();
        Some(self.b.add_type(TypeExpr::Named {
            path: names.into_boxed_slice(),
            args,
            scope,
            at: at.start_byte() as u32,
        }))
    }

    fn lower_typeof_shape(
        &mut self,
        module: Option<&str>,
        path: &[String],
        at: Node<'t>,
    ) -> Option<TypeId> {
        let mut names: Vec<NameId> = Vec::new();
        if let Some(module) = module {
            names.push(self.bind_doc_module(module, None, at));
        }
        names.extend(path.iter().map(|n| self.b.intern_owned_name(n)));
        let (first, rest) = names.split_first()?;
        let scope = self.b.current_scope();
        let mut value = self.b.add_expr(Expr::Name {
            name: *first,
            scope,
            at: at.start_byte() as u32,
        });
        for name in rest {
            value = self.b.add_expr(Expr::Member {
                object: value,
                name: *name,
            });
        }
        Some(self.b.add_type(TypeExpr::TypeOf(value)))
    }

    /// The file-wide name of a module, or of a name in it, that a comment imports. In JavaScript, type-only imports are
    /// in comments.
    fn bind_doc_module(&mut self, module: &str, name: Option<&str>, at: Node<'t>) -> NameId {
        let text = match name {
            Some(name) => format!("import type({module}).{name}"),
            None => format!("import type({module})"),
        };
        let local = self.b.intern_owned_name(&text);
        if self.module_names.contains_key(&local) {
            return local;
        }
        let module = self.b.intern_owned_name(module);
        let what = match name {
            Some("default") => Imported::Default,
            Some(name) => Imported::Name(self.b.intern_owned_name(name)),
            None => Imported::Dynamic,
        };
        let id = self.import(at, module, what, None, true);
        self.b.facts_mut().imports[id.index()].local = Some(local);
        let to = Bound::Import(id);
        self.b.bind_in(FILE_SCOPE, local, Namespace::BOTH, 0, to);
        self.module_names.insert(local, id);
        local
    }

    /// `{ a: A, b: B }`: an unnamed type, whose members belong to no node of the graph.
    fn lower_object_shape(&mut self, members: &[(String, DocType)], at: Node<'t>) -> TypeId {
        let id = self.add_hidden_def(None, SymbolKind::Interface, at);
        for (name, shape) in members.iter().take(MOST_PROPERTIES) {
            let ty = self.lower_shape(shape, at);
            let field = self.add_hidden_def(Some(name), SymbolKind::Property, at);
            let def = self.b.def_mut(field);
            def.parent = Some(id);
            def.ty = ty;
        }
        self.b.add_type(TypeExpr::Anonymous(id))
    }

    fn add_hidden_def(&mut self, name: Option<&str>, kind: SymbolKind, at: Node<'t>) -> DefId {
        let name = name.map(|n| self.b.intern_owned_name(n));
        let mut flags = DefFlags::ANONYMOUS;
        flags.set(DefFlags::DECLARATION_ONLY);
        let doc = self.doc.take();
        let id = self.add_def(&DefName {
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

/// Whether a declared type is only `Object`, which means that tags with its members follow.
fn is_plain_object_type(ty: &str) -> bool {
    matches!(ty.trim(), "" | "Object" | "object")
}

/// Members of a declared type, from the tags after it.
fn object_from_tags(tags: &[Tag<'_>]) -> DocType {
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
        DocType::Unknown
    } else {
        DocType::Object(members)
    }
}

/// Parameters and result of a declared function type.
fn function_from_tags(tags: &[Tag<'_>]) -> DocType {
    let mut params = Vec::new();
    let mut result = None;
    for tag in tags {
        let shape = tag.ty.map_or(DocType::Unknown, parse);
        match tag.kind {
            "param" | "arg" | "argument" if !tag.name.contains('.') => params.push(shape),
            "returns" | "return" => result = Some(Box::new(shape)),
            "typedef" | "callback" | "import" => break,
            _ => {}
        }
    }
    DocType::Function(params, result)
}

/// A comment without its marks.
fn strip_comment_markers(comment: &str) -> String {
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

/// The tags at the starts of lines.
fn parse_tags(text: &str) -> Vec<Tag<'_>> {
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
        found.extend(parse_tag(&text[start + 1..end]));
    }
    found
}

fn parse_tag(text: &str) -> Option<Tag<'_>> {
    let word = text
        .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .unwrap_or(text.len());
    let (kind, rest) = text.split_at(word);
    let rest = rest.trim_start();
    let (ty, after) = match rest.strip_prefix('{').filter(|_| kind != "import") {
        Some(inner) => {
            let end = find_closing_brace(inner)?;
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

/// The position of the closing brace, for a brace that is open before the text.
fn find_closing_brace(text: &str) -> Option<usize> {
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
