//! Namespaces, `use` declarations, included files.

use super::{LeadingComments, Walker, children_of_kind, first_child};
use base::{SymbolKind, Visibility};
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

/// The kind of thing that a `use` brings.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ImportedKind {
    Class,
    Function,
    Constant,
}

impl<'s> Walker<'_, 's> {
    pub(super) fn namespace(&mut self, node: Node<'_>, above: LeadingComments<'_, 's>) {
        self.close_namespace();
        let name = node.field("name");
        let text = name.map_or("", |name| self.b.text(name));
        self.names = super::names::Names {
            namespace: text.to_owned(),
            ..super::names::Names::default()
        };
        let def = name.map(|name| self.namespace_definition(node, name, above));
        self.b.open_scope(ScopeKind::Module, def);
        let scope = self.b.open_scope(ScopeKind::Block, None);
        let outer = self.replace_file_frame(scope);
        match node.field("body") {
            Some(body) => {
                self.block(body);
                self.b.close_scope();
                self.b.close_scope();
                self.frames[0] = outer;
                self.names = super::names::Names::default();
            }
            None => self.has_file_namespace = true,
        }
    }

    /// A namespace spans many files, like a Java package: it can be found, but is not part of names.
    fn namespace_definition(
        &mut self,
        node: Node<'_>,
        name_node: Node<'_>,
        above: LeadingComments<'_, 's>,
    ) -> DefId {
        let name = self.b.intern_node_text(name_node);
        let def = self.b.add_def(name, SymbolKind::Namespace, node, name_node);
        self.b.set_doc(def, &above.text());
        let made = self.b.def_mut(def);
        made.span.end_byte = name_node.end_byte() as u32;
        made.span.end_line = name_node.end_position().row as u32 + 1;
        made.signature.1 = name_node.end_byte() as u32;
        made.flags.set(DefFlags::EXPORTED);
        if self.b.facts().package.is_none() {
            self.b.facts_mut().package = Some(name);
        }
        def
    }

    /// Closes the namespace that holds for the rest of a file.
    pub(super) fn close_namespace(&mut self) {
        if std::mem::take(&mut self.has_file_namespace) {
            self.b.close_scope();
            self.b.close_scope();
        }
    }

    fn replace_file_frame(&mut self, scope: ScopeId) -> super::Frame {
        std::mem::replace(&mut self.frames[0], super::Frame::new(scope))
    }

    pub(super) fn use_declaration(&mut self, node: Node<'_>) {
        let kind = self.brought(node, ImportedKind::Class);
        let Some(group) = node.field("body") else {
            for clause in children_of_kind(node, "namespace_use_clause") {
                self.use_clause(clause, "", kind);
            }
            return;
        };
        let prefix = child_of_kind(node, "namespace_name");
        let prefix = prefix.map_or("", |prefix| self.b.text(prefix));
        for clause in children_of_kind(group, "namespace_use_clause") {
            self.use_clause(clause, prefix, kind);
        }
    }

    fn brought(&self, node: Node<'_>, default: ImportedKind) -> ImportedKind {
        match node.field("type").map(|word| self.b.text(word)) {
            Some("function") => ImportedKind::Function,
            Some("const") => ImportedKind::Constant,
            _ => default,
        }
    }

    fn use_clause(&mut self, clause: Node<'_>, prefix: &str, kind: ImportedKind) {
        let kind = self.brought(clause, kind);
        let alias = clause.field("alias");
        let Some(name) = first_child(clause).filter(|name| Some(*name) != alias) else {
            return;
        };
        let written = self.b.text(name).trim_start_matches('\\');
        let whole = match prefix.trim_matches('\\') {
            "" => written.to_owned(),
            prefix => format!("{prefix}\\{written}"),
        };
        let last = whole.rsplit('\\').next().unwrap_or(&whole).to_owned();
        let local = alias.map_or(&*last, |alias| self.b.text(alias)).to_owned();
        let module = whole.rsplit_once('\\').map_or("", |(module, _)| module);
        let module = self.b.intern_owned_name(module);
        let last = self.b.intern_owned_name(&last);
        let bound = self.b.intern_owned_name(&local);
        let what = match kind {
            ImportedKind::Class => Imported::Name(last),
            ImportedKind::Function | ImportedKind::Constant => Imported::Static(last),
        };
        self.add_import(clause, module, what, Some(bound));
        match kind {
            ImportedKind::Class => {
                let local = local.to_ascii_lowercase();
                self.names.classes.insert(local, whole)
            }
            ImportedKind::Function => {
                let local = local.to_ascii_lowercase();
                self.names.functions.insert(local, whole)
            }
            ImportedKind::Constant => self.names.constants.insert(local, whole),
        };
    }

    fn add_import(
        &mut self,
        node: Node<'_>,
        module: NameId,
        what: Imported,
        local: Option<NameId>,
    ) {
        self.b.add_import(Import {
            module,
            what,
            local,
            scope: FILE_SCOPE,
            owner: None,
            level: 0,
            type_only: false,
            unused: false,
            condition: None,
            visibility: Visibility::Private,
            line: node.start_position().row as u32 + 1,
        });
    }

    /// `require __DIR__ . '/x.php'`: an import of a file, if its path is written out.
    pub(super) fn include(&mut self, node: Node<'_>) -> ExprId {
        if let Some(path) = first_child(node) {
            if let Some(text) = self.literal_path(path, 0) {
                let module = self.b.intern_owned_name(&text);
                self.add_import(node, module, Imported::SideEffect, None);
            }
            self.expr(path);
        }
        self.b.add_expr(Expr::Unknown)
    }

    /// A path from the folder of the file (`./x.php`), or one that is looked for (`x.php`).
    fn literal_path(&self, node: Node<'_>, nesting: u32) -> Option<String> {
        if nesting > 8 {
            return None;
        }
        match node.kind_name() {
            "string" | "encapsed_string" => {
                let mut parts = super::children(node).into_iter();
                let text = parts.next().filter(|p| p.kind_name() == "string_content")?;
                let is_short = parts.next().is_none() && text.byte_range().len() < 500;
                is_short.then(|| self.b.text(text).to_owned())
            }
            "name" => self
                .b
                .text(node)
                .eq_ignore_ascii_case("__DIR__")
                .then(|| ".".to_owned()),
            "parenthesized_expression" => self.literal_path(first_child(node)?, nesting + 1),
            "binary_expression" => {
                let operator = node.field("operator").map(|o| self.b.text(o));
                if operator != Some(".") {
                    return None;
                }
                let left = self.literal_path(node.field("left")?, nesting + 1)?;
                let right = self.literal_path(node.field("right")?, nesting + 1)?;
                Some(format!("{left}{right}"))
            }
            "function_call_expression" => self.folder_of(node, nesting),
            _ => None,
        }
    }

    /// `dirname(__DIR__)`, `dirname(__FILE__)`, `dirname(__DIR__, 2)`.
    fn folder_of(&self, call: Node<'_>, nesting: u32) -> Option<String> {
        let name = self.b.text(call.field("function")?);
        if name.trim_start_matches('\\') != "dirname" {
            return None;
        }
        let mut arguments = super::children(call.field("arguments")?).into_iter();
        let inner = first_child(arguments.next()?)?;
        let levels = match arguments.next() {
            Some(levels) => self.b.text(levels).parse::<usize>().ok()?.min(20),
            None => 1,
        };
        if self.b.text(inner).eq_ignore_ascii_case("__FILE__") {
            return Some(format!(".{}", "/..".repeat(levels.saturating_sub(1))));
        }
        let inner = self.literal_path(inner, nesting + 1)?;
        Some(format!("{inner}{}", "/..".repeat(levels)))
    }
}
