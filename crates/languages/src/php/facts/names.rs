//! What a name means by the namespace and the imports of its file.

use super::Walker;
use rustc_hash::FxHashMap;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Most bytes of a name that is resolved. Longer ones are no names of real sources.
const LONGEST: usize = 1_000;

/// The namespace and the imports that hold at the current place.
#[derive(Default)]
pub(super) struct Names {
    /// The namespace, without a leading separator.
    pub(super) namespace: String,
    /// Imported classes and namespaces: whole names by their short ones in lower case.
    pub(super) classes: FxHashMap<String, String>,
    /// Imported functions, in the same way.
    pub(super) functions: FxHashMap<String, String>,
    /// Imported constants; case counts.
    pub(super) constants: FxHashMap<String, String>,
}

impl Names {
    /// A name in the current namespace.
    pub(super) fn in_namespace(&self, name: &str) -> String {
        if self.namespace.is_empty() {
            name.to_owned()
        } else {
            format!("{}\\{name}", self.namespace)
        }
    }

    /// A name that begins at the root or with the word `namespace`.
    fn explicit(&self, name: &str) -> Option<String> {
        if let Some(rest) = name.strip_prefix('\\') {
            return Some(rest.to_owned());
        }
        let (first, rest) = name.split_once('\\')?;
        first
            .eq_ignore_ascii_case("namespace")
            .then(|| self.in_namespace(rest))
    }

    /// The whole name of a class.
    pub(super) fn class(&self, name: &str) -> String {
        if let Some(explicit) = self.explicit(name) {
            return explicit;
        }
        let (first, rest) = match name.split_once('\\') {
            Some((first, rest)) => (first, Some(rest)),
            None => (name, None),
        };
        let imported = self.classes.get(&first.to_ascii_lowercase());
        match (imported, rest) {
            (Some(whole), None) => whole.clone(),
            (Some(whole), Some(rest)) => format!("{whole}\\{rest}"),
            (None, _) => self.in_namespace(name),
        }
    }

    /// The whole name of a function or constant if the name says it; `None` if it may also be a global one.
    pub(super) fn member(&self, name: &str, imported: Option<&String>) -> Option<String> {
        if let Some(explicit) = self.explicit(name) {
            return Some(explicit);
        }
        if name.contains('\\') {
            return Some(self.class(name));
        }
        imported.cloned()
    }
}

impl Walker<'_, '_> {
    /// The segments of a whole name.
    pub(super) fn path(&mut self, whole: &str) -> Box<[NameId]> {
        if whole.len() > LONGEST {
            return Box::default();
        }
        let segments = whole.split('\\').map(str::trim);
        segments
            .filter(|segment| !segment.is_empty())
            .map(|segment| self.b.intern_owned_name(segment))
            .collect()
    }

    /// The written type with a whole name.
    pub(super) fn type_of_path(&mut self, whole: &str, args: Box<[TypeId]>) -> TypeId {
        let path = self.path(whole);
        if path.is_empty() {
            return self.b.add_type(TypeExpr::Unknown);
        }
        self.b.add_type(TypeExpr::Named {
            path,
            args,
            scope: FILE_SCOPE,
            at: 0,
        })
    }

    /// The class that a node names.
    pub(super) fn class_type(&mut self, node: Node<'_>) -> TypeId {
        let text = self.b.text(node);
        self.class_type_of(text, Box::default())
    }

    /// The class that a text names: one by its name, or by its relation to the class around.
    pub(super) fn class_type_of(&mut self, text: &str, args: Box<[TypeId]>) -> TypeId {
        let special = match &*text.to_ascii_lowercase() {
            // In a trait, it is the class that uses the trait.
            "self" => self.types.last().map(|t| {
                if t.is_trait {
                    TypeExpr::SelfType(t.def)
                } else {
                    TypeExpr::Anonymous(t.def)
                }
            }),
            "static" => self.types.last().map(|t| TypeExpr::SelfType(t.def)),
            "parent" => {
                let parent = self.types.last().and_then(|t| t.parent);
                return parent.unwrap_or_else(|| self.b.add_type(TypeExpr::Unknown));
            }
            _ => {
                let whole = self.names.class(text);
                return self.type_of_path(&whole, args);
            }
        };
        self.b.add_type(special.unwrap_or(TypeExpr::Unknown))
    }

    /// The last segment of a name, as the place of a call or mention.
    pub(super) fn last_segment<'t>(&self, node: Node<'t>) -> Node<'t> {
        let mut cursor = node.walk();
        match node.kind_name() {
            "qualified_name" | "relative_name" => node
                .named_children(&mut cursor)
                .filter(|c| c.kind_name() == "name")
                .last()
                .unwrap_or(node),
            _ => node,
        }
    }
}
