//! What the trees of C and C++ have in common. Names stand inside declarators, which say from the inside out what they are.

use crate::outline::{FoundDefinition, Walker, child_of_kind};
use base::{SymbolKind, Visibility};
use syntax::fields::Fields;
use tree_sitter::Node;

/// Declarators around a name, and parts of its path, that are read.
pub(crate) const MOST_STEPS: usize = 32;

/// A name with what its declarators say.
pub(crate) struct Declared<'t> {
    pub(crate) name: Node<'t>,
    /// The types before `::`, outermost first.
    pub(crate) scopes: Vec<Node<'t>>,
    /// The parameters, where it is a function: the declarator next to the name says so.
    pub(crate) parameters: Option<Node<'t>>,
}

/// Follows declarators to the name.
pub(crate) fn declared(declarator: Node<'_>) -> Option<Declared<'_>> {
    let mut node = declarator;
    let mut parameters = None;
    let mut scopes = Vec::new();
    for _ in 0..MOST_STEPS {
        let inner = match node.kind_name() {
            "function_declarator" => {
                parameters = node.field("parameters");
                node.field("declarator")
            }
            "pointer_declarator"
            | "array_declarator"
            | "init_declarator"
            | "pointer_type_declarator" => {
                parameters = None;
                node.field("declarator")
            }
            "reference_declarator"
            | "parenthesized_declarator"
            | "attributed_declarator"
            | "variadic_declarator" => {
                if node.kind_name() == "reference_declarator" {
                    parameters = None;
                }
                inner_declarator(node)
            }
            "qualified_identifier" => {
                scopes.extend(node.field("scope"));
                node.field("name")
            }
            "template_function" | "template_method" | "template_type" => node.field("name"),
            "operator_cast" => {
                let function = node.field("declarator");
                return Some(Declared {
                    name: node,
                    scopes,
                    parameters: function.and_then(|f| f.field("parameters")),
                });
            }
            "identifier" | "field_identifier" | "type_identifier" | "destructor_name"
            | "operator_name" | "primitive_type" => {
                return Some(Declared {
                    name: node,
                    scopes,
                    parameters,
                });
            }
            _ => None,
        };
        node = inner?;
    }
    None
}

fn inner_declarator(node: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = node.walk();
    let mut children = node.named_children(&mut cursor);
    children.find(|child| {
        let kind = child.kind_name();
        kind.ends_with("declarator") || kind.ends_with("identifier") || kind.ends_with("_name")
    })
}

/// The texts of the scopes before a name, without arguments of templates.
pub(crate) fn scope_texts<'s>(walker: &Walker<'_, 's>, declared: &Declared<'_>) -> Vec<&'s str> {
    let name = |scope: &Node<'_>| {
        let name = scope.field("name").unwrap_or(*scope);
        walker.b.text(name)
    };
    declared.scopes.iter().map(name).collect()
}

/// `START_TEST(name) { … }`, which the grammar of C takes for a function that gives a `START_TEST`. Of other macros it is not
/// known what they call it.
pub(crate) fn found_of_macro<'t>(
    walker: &Walker<'_, '_>,
    node: Node<'t>,
    declared: &Declared<'t>,
) -> Option<FoundDefinition<'t, 'static>> {
    let declarator = node.field("declarator").map(|d| d.kind_name());
    let called = node
        .field("type")
        .filter(|ty| ty.kind_name() == "type_identifier");
    let (Some("parenthesized_declarator"), Some(called)) = (declarator, called) else {
        return None;
    };
    let is_test = walker.b.text(called).contains("TEST");
    let at = if is_test { declared.name } else { called };
    let mut found = FoundDefinition::new(node, at, SymbolKind::Function);
    found.body = node.field("body");
    Some(found)
}

/// `class MACRO A { … }`, which a grammar takes for a function that gives a `class MACRO`.
pub(crate) fn type_behind_macro(
    walker: &mut Walker<'_, '_>,
    node: Node<'_>,
    declared: &Declared<'_>,
) -> bool {
    let ty = node.field("type").filter(|ty| ty.field("body").is_none());
    let (kind, inner) = match ty.map(|ty| ty.kind_name()) {
        Some("class_specifier") => (SymbolKind::Class, Some(Visibility::Private)),
        Some("struct_specifier") => (SymbolKind::Struct, None),
        Some("union_specifier") => (SymbolKind::Union, None),
        _ => return false,
    };
    let mut found = FoundDefinition::new(node, declared.name, kind);
    found.body = node.field("body");
    walker.define_in_section(found, inner);
    true
}

/// What a macro with a body defines: `TEST(Suite, name) {`, `START_TEST(name) {`. Gives the owner, if there is one, and the
/// name.
pub(crate) fn made_by_macro<'t, 's>(
    walker: &Walker<'_, 's>,
    node: Node<'t>,
    word: &str,
    parameters: Node<'t>,
) -> Option<(&'s str, Node<'t>)> {
    let is_macro = word.contains("TEST") || word.starts_with("BENCHMARK");
    if !is_macro || node.field("type").is_some() {
        return None;
    }
    let mut cursor = parameters.walk();
    let names: Vec<Node<'t>> = parameters.named_children(&mut cursor).take(3).collect();
    match names[..] {
        [name] => Some(("", name)),
        [owner, name] => Some((walker.b.text(owner), name)),
        _ => None,
    }
}

/// A name as it is shown; none where that is its text.
pub(crate) fn shown_name(walker: &Walker<'_, '_>, name: Node<'_>) -> Option<String> {
    let text = walker.b.text(name);
    match name.kind_name() {
        "operator_name" => {
            let sign = text.trim_start_matches("operator");
            let apart = sign.trim_start();
            let is_word = apart.starts_with(|c: char| c.is_alphabetic());
            let between = if is_word { " " } else { "" };
            Some(format!("operator{between}{apart}"))
        }
        "operator_cast" => {
            let text = text.split('(').next().unwrap_or_default().trim_end();
            Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
        }
        _ => None,
    }
}

pub(crate) fn callable_kind(walker: &Walker<'_, '_>, name: &str, scopes: &[&str]) -> SymbolKind {
    let owner = match scopes.last() {
        Some(scope) => Some(*scope),
        None if walker.is_member() => {
            let owner = walker.b.current_owner();
            owner.map(|owner| walker.b.facts().name(walker.b.facts().def(owner).name))
        }
        None => None,
    };
    match owner {
        Some(owner) if owner == name => SymbolKind::Constructor,
        Some(_) => SymbolKind::Method,
        None => SymbolKind::Function,
    }
}

/// Words that a parser takes for a name where a macro before them is not known.
pub(crate) fn is_keyword(word: &str) -> bool {
    const WORDS: [&str; 12] = [
        "if", "else", "for", "while", "do", "switch", "return", "sizeof", "case", "default",
        "goto", "defined",
    ];
    WORDS.contains(&word)
}

/// Whether one of its specifiers is that word.
pub(crate) fn has_word(walker: &Walker<'_, '_>, node: Node<'_>, kind: &str, word: &str) -> bool {
    let mut cursor = node.walk();
    let mut children = node.named_children(&mut cursor);
    children.any(|child| child.kind_name() == kind && walker.b.text(child) == word)
}

/// The type with a body and without a name that a declaration has.
pub(crate) fn anonymous_type(node: Node<'_>) -> Option<Node<'_>> {
    let ty = node.field("type")?;
    (ty.field("body").is_some() && ty.field("name").is_none()).then_some(ty)
}

/// `public:` holds for what follows.
pub(crate) fn set_access(walker: &mut Walker<'_, '_>, node: Node<'_>) -> bool {
    let known = ["public", "protected", "private"];
    let access = child_of_kind(node, &known);
    walker.section = match access.map(|word| word.kind_name()) {
        Some("private") => Some(Visibility::Private),
        Some("protected") => Some(Visibility::Protected),
        _ => Some(Visibility::Public),
    };
    true
}
