//! ECMAScript modules and namespaces: imports, exports, `namespace`, `declare module`.

use super::{DefName, Walker, has_token, unquote};
use base::{Language, SymbolKind, Visibility};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

impl<'t> Walker<'_, '_, 't> {
    /// Adds an import and binds its local name in the current scope.
    pub(super) fn import(
        &mut self,
        node: Node<'t>,
        module: NameId,
        what: Imported,
        local: Option<NameId>,
        type_only: bool,
    ) -> ImportId {
        let (scope, owner) = (self.b.current_scope(), self.b.current_owner());
        let id = self.b.add_import(Import {
            module,
            what,
            local,
            scope,
            owner,
            level: 0,
            type_only,
            unused: false,
            condition: None,
            visibility: Visibility::Private,
            line: node.start_position().row as u32 + 1,
        });
        if let Some(local) = local {
            self.b.bind(local, Namespace::BOTH, Bound::Import(id));
        }
        id
    }

    pub(super) fn intern_unquoted(&mut self, source: Node<'t>) -> NameId {
        let text = unquote(self.b.text(source));
        self.b.intern_name(text)
    }

    pub(super) fn import_statement(&mut self, node: Node<'t>) {
        let type_only = has_token(node, "type") || has_token(node, "typeof");
        let mut cursor = node.walk();
        let children: Vec<_> = node.named_children(&mut cursor).collect();
        let required = children
            .iter()
            .find(|c| c.kind_name() == "import_require_clause");
        if let Some(clause) = required {
            self.import_require(*clause, type_only);
            return;
        }
        let Some(source) = node.field("source") else {
            return;
        };
        let module = self.intern_unquoted(source);
        match children.iter().find(|c| c.kind_name() == "import_clause") {
            Some(clause) => self.import_clause(*clause, module, type_only),
            None => {
                self.import(node, module, Imported::SideEffect, None, false);
            }
        }
    }

    /// `import x = require("m")`.
    fn import_require(&mut self, clause: Node<'t>, type_only: bool) {
        let (Some(name), Some(source)) = (clause.named_child(0), clause.field("source")) else {
            return;
        };
        let module = self.intern_unquoted(source);
        let local = self.b.intern_node_text(name);
        self.import(clause, module, Imported::Module, Some(local), type_only);
    }

    fn import_clause(&mut self, clause: Node<'t>, module: NameId, type_only: bool) {
        let mut cursor = clause.walk();
        for child in clause.named_children(&mut cursor) {
            match child.kind_name() {
                "identifier" => {
                    let local = self.b.intern_node_text(child);
                    self.import(child, module, Imported::Default, Some(local), type_only);
                    self.add_name_mention(child);
                }
                "namespace_import" => {
                    if let Some(name) = child.named_child(0) {
                        let local = self.b.intern_node_text(name);
                        self.import(child, module, Imported::Module, Some(local), type_only);
                    }
                }
                "named_imports" => self.named_imports(child, module, type_only),
                _ => {}
            }
        }
    }

    fn named_imports(&mut self, list: Node<'t>, module: NameId, type_only: bool) {
        let mut cursor = list.walk();
        for specifier in list.named_children(&mut cursor) {
            let Some(name) = specifier.field("name") else {
                continue;
            };
            let imported = self.intern_unquoted(name);
            let what = match self.b.facts().name(imported) {
                "default" => Imported::Default,
                _ => Imported::Name(imported),
            };
            let local = specifier.field("alias").unwrap_or(name);
            let local_name = self.b.intern_node_text(local);
            let type_only = type_only || has_token(specifier, "type");
            self.import(specifier, module, what, Some(local_name), type_only);
            let at = self.b.add_name_expr(local);
            self.b.add_reference(RefTarget::Expr(at), name);
        }
    }

    fn add_name_mention(&mut self, node: Node<'t>) {
        let id = self.b.add_name_expr(node);
        self.b.add_reference(RefTarget::Expr(id), node);
    }

    /// `import A = B.C`: an alias of a namespace member.
    pub(super) fn import_alias(&mut self, node: Node<'t>, flags: DefFlags) {
        let (Some(at), Some(target)) = (node.named_child(0), node.named_child(1)) else {
            return;
        };
        let name = self.b.intern_node_text(at);
        let id = self.add_def(&DefName {
            name: Some(name),
            at,
            outer: node,
            kind: SymbolKind::Constant,
            flags,
        });
        let value = self.expr(target);
        let ty = self.collect_type_path(target).map(|path| {
            let scope = self.b.current_scope();
            let at = target.start_byte() as u32;
            let args = Box::default();
            self.b.add_type(TypeExpr::Named {
                path,
                args,
                scope,
                at,
            })
        });
        let def = self.b.def_mut(id);
        def.value = Some(value);
        if let Some(ty) = ty {
            self.b.bind(
                name,
                Namespace::TYPE,
                Bound::Local {
                    ty: Some(ty),
                    value: None,
                },
            );
        }
        self.b.bind(name, Namespace::VALUE, Bound::Def(id));
    }

    pub(super) fn export_statement(&mut self, node: Node<'t>) {
        let line = node.start_position().row as u32 + 1;
        let default = has_token(node, "default");
        if let Some(declaration) = node.field("declaration") {
            self.export_declaration(node, declaration, default, line);
        } else if let Some(value) = node.field("value") {
            self.visit_default_export(node, value, line);
        } else if let Some(source) = node.field("source") {
            let module = self.intern_unquoted(source);
            self.visit_reexport(node, module, line);
        } else if has_token(node, "=") {
            let mut cursor = node.walk();
            let value = node
                .named_children(&mut cursor)
                .find(|c| c.kind_name() != "comment");
            if let Some(value) = value {
                let value = self.expr(value);
                self.add_file_export(None, Exported::Whole(value), line);
            }
        } else {
            self.export_clause(node, line);
        }
    }

    /// Adds an export of the file. Exports inside namespaces and ambient modules do not count.
    pub(super) fn add_file_export(&mut self, name: Option<NameId>, what: Exported, line: u32) {
        if self.b.current_scope() == FILE_SCOPE {
            self.b.add_export(Export { name, what, line });
        }
    }

    fn export_declaration(
        &mut self,
        node: Node<'t>,
        declaration: Node<'t>,
        default: bool,
        line: u32,
    ) {
        let mut flags = DefFlags::EXPORTED;
        if default {
            flags.set(DefFlags::DEFAULT_EXPORT);
        }
        let before = self.b.facts().bindings.len();
        let scope = self.b.current_scope();
        self.visit_declaration(declaration, node, flags);
        let declared = self.b.facts().bindings[before..].iter();
        let mut names: Vec<NameId> = declared
            .filter(|b| b.scope == scope)
            .map(|b| b.name)
            .collect();
        names.dedup();
        for name in names {
            let exported = if default {
                self.b.intern_name("default")
            } else {
                name
            };
            self.add_file_export(Some(exported), Exported::Local(name), line);
        }
    }

    /// `export default value`.
    fn visit_default_export(&mut self, node: Node<'t>, value: Node<'t>, line: u32) {
        let default = self.b.intern_name("default");
        let literal = super::defs::strip_parens_and_casts(value);
        let what = if value.kind_name() == "identifier" {
            self.add_name_mention(value);
            let name = self.b.intern_node_text(value);
            Exported::Local(name)
        } else if super::defs::is_function_literal(literal) {
            let own = literal.field("name");
            let mut flags = DefFlags::EXPORTED;
            flags.set(DefFlags::DEFAULT_EXPORT);
            let name = own.map_or(default, |n| self.b.intern_node_text(n));
            let mut named = DefName {
                name: Some(name),
                at: own.unwrap_or(literal),
                outer: node,
                kind: SymbolKind::Function,
                flags,
            };
            let (id, namespace) = self.visit_bound_literal(literal, &mut named);
            if own.is_some() {
                self.b.bind(name, namespace, Bound::Def(id));
            }
            Exported::Expr(self.b.add_expr(Expr::Function(id)))
        } else {
            Exported::Expr(self.expr(value))
        };
        self.add_file_export(Some(default), what, line);
    }

    /// `export … from "m"`.
    fn visit_reexport(&mut self, node: Node<'t>, module: NameId, line: u32) {
        let is_star_type = super::mend::star_type(self.b.text(node)).is_some();
        let type_only = is_star_type || has_token(node, "type");
        let mut cursor = node.walk();
        let children: Vec<_> = node.named_children(&mut cursor).collect();
        let clause = children.iter().find(|c| c.kind_name() == "export_clause");
        let namespace = children
            .iter()
            .find(|c| c.kind_name() == "namespace_export");
        if let Some(clause) = clause {
            let mut inner = clause.walk();
            for specifier in clause.named_children(&mut inner) {
                self.export_specifier_from(specifier, module, type_only, line);
            }
        } else if let Some(name) = namespace.and_then(|n| n.named_child(0)) {
            let name = self.intern_unquoted(name);
            let import = self.add_public_import(node, module, Imported::Module, type_only);
            self.add_file_export(Some(name), Exported::Import(import), line);
        } else {
            let import = self.add_public_import(node, module, Imported::Glob, type_only);
            self.add_file_export(None, Exported::Import(import), line);
        }
    }

    fn add_public_import(
        &mut self,
        node: Node<'t>,
        module: NameId,
        what: Imported,
        type_only: bool,
    ) -> ImportId {
        let id = self.import(node, module, what, None, type_only);
        self.b.facts_mut().imports[id.index()].visibility = Visibility::Public;
        id
    }

    fn export_specifier_from(
        &mut self,
        specifier: Node<'t>,
        module: NameId,
        type_only: bool,
        line: u32,
    ) {
        let Some(name) = specifier.field("name") else {
            return;
        };
        let imported = self.intern_unquoted(name);
        let what = match self.b.facts().name(imported) {
            "default" => Imported::Default,
            _ => Imported::Name(imported),
        };
        let import = self.add_public_import(specifier, module, what, type_only);
        let exported = match specifier.field("alias") {
            Some(alias) => self.intern_unquoted(alias),
            None => imported,
        };
        self.add_file_export(Some(exported), Exported::Import(import), line);
    }

    /// `export { a, b as c }`.
    fn export_clause(&mut self, node: Node<'t>, line: u32) {
        let mut cursor = node.walk();
        let clause = node
            .named_children(&mut cursor)
            .find(|c| c.kind_name() == "export_clause");
        let Some(clause) = clause else {
            return;
        };
        let mut inner = clause.walk();
        for specifier in clause.named_children(&mut inner) {
            let Some(name) = specifier.field("name") else {
                continue;
            };
            let local = self.b.intern_node_text(name);
            let exported = match specifier.field("alias") {
                Some(alias) => self.intern_unquoted(alias),
                None => local,
            };
            self.add_name_mention(name);
            self.add_file_export(Some(exported), Exported::Local(local), line);
        }
    }

    /// `namespace A.B { … }`, `declare module "m" { … }`.
    pub(super) fn visit_namespace(&mut self, node: Node<'t>, outer: Node<'t>, flags: DefFlags) {
        let Some(name) = node.field("name") else {
            return;
        };
        let kind = match name.kind_name() {
            "string" => SymbolKind::Module,
            _ => SymbolKind::Namespace,
        };
        let mut segments = Vec::new();
        namespace_segments(name, &mut segments);
        let mut flags = flags;
        let count = segments.len().min(MOST_SEGMENTS);
        let cut = (segments.len() - count) as u32;
        self.b.facts_mut().too_deep += cut;
        for segment in segments.into_iter().take(count) {
            self.open_namespace(segment, node, outer, kind, flags);
            flags = DefFlags::EXPORTED;
        }
        let outer_var = self.var_scope();
        let scope = self.b.current_scope();
        if let Some(frame) = self.frames.last_mut() {
            frame.var_scope = scope;
        }
        if let Some(body) = node.field("body") {
            self.visit_statements(body);
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.var_scope = outer_var;
        }
        for _ in 0..count {
            self.b.close_def();
        }
    }

    /// Opens a namespace; one of the same name in the same scope is reopened.
    fn open_namespace(
        &mut self,
        at: Node<'t>,
        node: Node<'t>,
        outer: Node<'t>,
        kind: SymbolKind,
        flags: DefFlags,
    ) {
        let name = self.intern_unquoted(at);
        let scope = self.b.current_scope();
        let id = self.add_def(&DefName {
            name: Some(name),
            at,
            outer,
            kind,
            flags,
        });
        self.set_signature(id, outer, node.field("body"));
        if kind == SymbolKind::Namespace {
            self.b.bind(name, Namespace::BOTH, Bound::Def(id));
        }
        match self.namespaces.get(&(scope, name)).copied() {
            Some(open) => {
                self.b.def_mut(id).body = Some(open);
                self.b.open_owner(id);
                self.b.reopen_scope(open);
            }
            None => {
                let open = self.b.open_def(id, ScopeKind::Module);
                self.namespaces.insert((scope, name), open);
            }
        }
    }

    /// Flags definitions of the file's scope that are exported by separate statements, and hides the others if the file
    /// is a module.
    pub(super) fn set_export_flags(&mut self) {
        self.declare_remaining_fields();
        self.assign_members();
        let facts = self.b.facts();
        let in_comment = |i: &Import| i.type_only && facts.language == Language::JavaScript;
        let is_module = !facts.exports.is_empty() || !facts.imports.iter().all(in_comment);
        let mut exported = rustc_hash::FxHashSet::default();
        let mut default = None;
        for export in &facts.exports {
            let local = match export.what {
                Exported::Local(name) => Some(name),
                Exported::Expr(e) | Exported::Whole(e) => match facts.expr(e) {
                    Expr::Name { name, .. } => Some(*name),
                    Expr::Object(members) => {
                        let names = members.iter().filter_map(|(_, e)| match facts.expr(*e) {
                            Expr::Name { name, .. } => Some(*name),
                            _ => None,
                        });
                        exported.extend(names);
                        None
                    }
                    _ => None,
                },
                Exported::Import(_) => None,
            };
            exported.extend(local);
            if export.name.is_some_and(|n| facts.name(n) == "default") {
                default = default.or(local);
            }
        }
        for def in &mut self.b.facts_mut().defs {
            if def.scope != FILE_SCOPE || def.parent.is_some() {
                continue;
            }
            if exported.contains(&def.name) {
                def.flags.set(DefFlags::EXPORTED);
            }
            if default == Some(def.name) {
                def.flags.set(DefFlags::DEFAULT_EXPORT);
            }
            if is_module && !def.flags.has(DefFlags::EXPORTED) {
                def.visibility = Visibility::Private;
            }
        }
    }

    /// Declares fields that prototype methods assign.
    fn declare_remaining_fields(&mut self) {
        let mut classes: Vec<DefId> = self.assigned.keys().copied().collect();
        classes.sort_unstable();
        for class in classes {
            self.declare_assigned_fields(class);
        }
    }
}

/// Most namespaces that one dotted name opens. Each is a definition whose name contains those of the outer ones.
const MOST_SEGMENTS: usize = 16;

fn namespace_segments<'t>(node: Node<'t>, out: &mut Vec<Node<'t>>) {
    let mut parts = Vec::new();
    let mut next = Some(node);
    while let Some(node) = next {
        let nested = matches!(node.kind_name(), "nested_identifier" | "member_expression");
        parts.extend(if nested {
            node.field("property")
        } else {
            Some(node)
        });
        next = node.field("object").filter(|_| nested);
    }
    out.extend(parts.into_iter().rev());
}
