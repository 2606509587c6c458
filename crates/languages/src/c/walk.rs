//! The definitions in trees of C and C++. A name is inside declarators, which describe it from the inside out.

use crate::outline::{FoundDefinition, Walker, child_of_kind};
use base::{SymbolKind, Visibility};
use syntax::facts::DefFlags;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Most declarators around a name, and most parts of its path, that are read.
const MOST_STEPS: usize = 32;

/// Whether the node was a definition, which was then read with all its contents.
pub(super) fn special(walker: &mut Walker<'_, '_>, node: Node<'_>) -> bool {
    match node.kind_name() {
        "function_definition" => function(walker, node),
        "declaration" | "field_declaration" => declaration(walker, node),
        "type_definition" => type_definition(walker, node),
        "struct_specifier" => type_specifier(walker, node, SymbolKind::Struct),
        "class_specifier" => type_specifier(walker, node, SymbolKind::Class),
        "union_specifier" => type_specifier(walker, node, SymbolKind::Union),
        "enum_specifier" => type_specifier(walker, node, SymbolKind::Enum),
        "enumerator" => define_named(walker, node, SymbolKind::EnumMember),
        "alias_declaration" => define_named(walker, node, SymbolKind::TypeAlias),
        "concept_definition" => define_named(walker, node, SymbolKind::Interface),
        "namespace_definition" => namespace(walker, node),
        "preproc_def" => macro_definition(walker, node, SymbolKind::Constant),
        "preproc_function_def" => macro_definition(walker, node, SymbolKind::Macro),
        "access_specifier" => set_access(walker, node),
        "parameter_list" | "template_parameter_list" | "argument_list" => {
            // Types in parameters matter to nobody else, but lambdas have bodies.
            node.kind_name() == "template_parameter_list"
        }
        _ => false,
    }
}

/// A name with the information from its declarators.
pub(super) struct Declared<'t> {
    pub(super) name: Node<'t>,
    /// The types before `::`, outermost first.
    scopes: Vec<Node<'t>>,
    /// The parameters of a function: those of the declarator next to the name.
    pub(super) parameters: Option<Node<'t>>,
}

/// Follows declarators to the name.
pub(super) fn declared(declarator: Node<'_>) -> Option<Declared<'_>> {
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

/// The text of a scope without template arguments.
fn scope_text<'s>(walker: &Walker<'_, 's>, scope: Node<'_>) -> &'s str {
    let name = scope.field("name").unwrap_or(scope);
    walker.b.text(name)
}

fn function(walker: &mut Walker<'_, '_>, node: Node<'_>) -> bool {
    let Some(declared) = node.field("declarator").and_then(declared) else {
        return false;
    };
    // `namespace X {` and the like after an unknown macro.
    let word = walker.b.text(declared.name);
    if walker.is_local() || is_keyword(word) {
        return false;
    }
    let Some(parameters) = declared.parameters else {
        return function_of_macro(walker, node, &declared)
            || type_behind_macro(walker, node, &declared);
    };
    let scopes: Vec<&str> = declared
        .scopes
        .iter()
        .map(|s| scope_text(walker, *s))
        .collect();
    let mut receiver = scopes.join(".");
    let mut found = FoundDefinition::new(node, declared.name, callable_kind(walker, word, &scopes));
    let name = shown_name(walker, declared.name);
    found.name = name.as_deref();
    let test = made_by_macro(walker, node, word, parameters);
    if let Some((owner, name)) = test {
        found.at = name;
        found.name = None;
        receiver = owner.to_owned();
    } else {
        found.parameters = vec![parameters];
    }
    found.receiver = Some(&*receiver).filter(|text| !text.is_empty());
    found.body = node.field("body");
    if !scopes.is_empty() {
        // The visibility that a header declares is unknown here.
        found.visibility = Some(Visibility::Public);
    }
    walker.define(found);
    true
}

/// `START_TEST(name) { … }`, which the C grammar reads as a function with result type `START_TEST`. For other macros,
/// the defined name is unknown.
pub(super) fn found_of_macro<'t>(
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

fn function_of_macro(walker: &mut Walker<'_, '_>, node: Node<'_>, declared: &Declared<'_>) -> bool {
    let found = found_of_macro(walker, node, declared);
    found.map(|found| walker.define(found)).is_some()
}

/// `class MACRO A { … }`, which a grammar reads as a function with result type `class MACRO`.
pub(super) fn type_behind_macro(
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

/// A definition by a macro with a body: `TEST(Suite, name) {`, `START_TEST(name) {`. Returns the owner, if there is
/// one, and the name.
pub(super) fn made_by_macro<'t, 's>(
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

/// The name as shown; `None` if it equals the text.
fn shown_name(walker: &Walker<'_, '_>, name: Node<'_>) -> Option<String> {
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

fn callable_kind(walker: &Walker<'_, '_>, name: &str, scopes: &[&str]) -> SymbolKind {
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

/// Keywords that a parser reads as a name after an unknown macro.
pub(super) fn is_keyword(word: &str) -> bool {
    const WORDS: [&str; 12] = [
        "if", "else", "for", "while", "do", "switch", "return", "sizeof", "case", "default",
        "goto", "defined",
    ];
    WORDS.contains(&word)
}

/// Variables, fields, prototypes.
fn declaration(walker: &mut Walker<'_, '_>, node: Node<'_>) -> bool {
    if walker.is_local() {
        return false;
    }
    let mut cursor = node.walk();
    let declarators: Vec<Node<'_>> = node.fields("declarator", &mut cursor).collect();
    let is_extern = has_word(walker, node, "storage_class_specifier", "extern");
    let is_const = has_word(walker, node, "type_qualifier", "const")
        || has_word(walker, node, "type_qualifier", "constexpr");
    // An inner definition, such as a struct, has its own documentation, or that of the whole.
    let anonymous = declarators.first().copied().and_then(declared);
    let inside = anonymous_type(node).filter(|_| anonymous.is_some());
    for (at, declarator) in declarators.iter().enumerate() {
        let Some(declared) = declared(*declarator) else {
            continue;
        };
        let word = walker.b.text(declared.name);
        if word.is_empty() || is_keyword(word) {
            continue;
        }
        let name = shown_name(walker, declared.name);
        if let Some(parameters) = declared.parameters {
            prototype(walker, node, &declared, name.as_deref(), parameters);
            continue;
        }
        let is_declared_elsewhere = is_extern && declarator.kind_name() != "init_declarator";
        if is_declared_elsewhere || !declared.scopes.is_empty() {
            continue;
        }
        let kind = match (walker.is_member(), is_const) {
            (true, _) => SymbolKind::Field,
            (false, true) => SymbolKind::Constant,
            (false, false) => SymbolKind::Variable,
        };
        let found = FoundDefinition::new(node, declared.name, kind);
        if at == 0 && inside.is_some() {
            walker.define(found);
        } else {
            walker.declare(&found);
        }
    }
    if inside.is_none() {
        walker.children(node);
    }
    true
}

/// A function without a body. In a type it is a member; outside, the body is elsewhere.
fn prototype(
    walker: &mut Walker<'_, '_>,
    node: Node<'_>,
    declared: &Declared<'_>,
    name: Option<&str>,
    parameters: Node<'_>,
) {
    if !declared.scopes.is_empty() {
        return;
    }
    // `MACRO(a, b);` is a call of a macro.
    let has_type = node.field("type").is_some();
    let is_member = walker.is_member();
    let word = walker.b.text(declared.name);
    let kind = callable_kind(walker, word, &[]);
    let needs_none = kind == SymbolKind::Constructor
        || declared.name.kind_name() != "identifier"
            && declared.name.kind_name() != "field_identifier";
    if !has_type && !needs_none {
        return;
    }
    let mut found = FoundDefinition::new(node, declared.name, kind);
    found.name = name;
    found.flags.set(if is_member {
        DefFlags::ABSTRACT
    } else {
        DefFlags::DECLARATION_ONLY
    });
    found.parameters = vec![parameters];
    walker.declare(&found);
}

/// Whether one of its specifiers is that keyword.
pub(super) fn has_word(walker: &Walker<'_, '_>, node: Node<'_>, kind: &str, word: &str) -> bool {
    let mut cursor = node.walk();
    let mut children = node.named_children(&mut cursor);
    children.any(|child| child.kind_name() == kind && walker.b.text(child) == word)
}

/// The type with a body and without a name in a declaration.
pub(super) fn anonymous_type(node: Node<'_>) -> Option<Node<'_>> {
    let ty = node.field("type")?;
    (ty.field("body").is_some() && ty.field("name").is_none()).then_some(ty)
}

/// `typedef struct { … } a;` defines the struct `a`. Any other defines names for types.
fn type_definition(walker: &mut Walker<'_, '_>, node: Node<'_>) -> bool {
    let mut cursor = node.walk();
    let declarators: Vec<Node<'_>> = node.fields("declarator", &mut cursor).collect();
    let names: Vec<Node<'_>> = declarators
        .iter()
        .filter_map(|declarator| Some(declared(*declarator)?.name))
        .filter(|name| !walker.b.text(*name).is_empty())
        .collect();
    let Some((first, others)) = names.split_first() else {
        return false;
    };
    let anonymous = anonymous_type(node);
    let kind = match anonymous.map(|ty| ty.kind_name()) {
        Some("struct_specifier") => SymbolKind::Struct,
        Some("class_specifier") => SymbolKind::Class,
        Some("union_specifier") => SymbolKind::Union,
        Some("enum_specifier") => SymbolKind::Enum,
        _ => SymbolKind::TypeAlias,
    };
    let found = FoundDefinition::new(node, *first, kind);
    if anonymous.is_some() {
        walker.define(found);
    } else {
        walker.declare(&found);
        walker.children(node);
    }
    for name in others {
        walker.declare(&FoundDefinition::new(*name, *name, SymbolKind::TypeAlias));
    }
    true
}

/// A struct, class, union or enum with its members.
fn type_specifier(walker: &mut Walker<'_, '_>, node: Node<'_>, kind: SymbolKind) -> bool {
    let (Some(name), Some(body)) = (node.field("name"), node.field("body")) else {
        return false;
    };
    let Some(declared) = declared(name) else {
        return false;
    };
    let mut found = FoundDefinition::new(node, declared.name, kind);
    found.body = Some(body);
    if walker.is_local() {
        found.flags.set(DefFlags::LOCAL);
    }
    let outer = walker.section;
    let inner = (kind == SymbolKind::Class).then_some(Visibility::Private);
    walker.define_in_section(found, inner);
    walker.section = outer;
    true
}

fn define_named(walker: &mut Walker<'_, '_>, node: Node<'_>, kind: SymbolKind) -> bool {
    let Some(name) = node.field("name") else {
        return false;
    };
    if walker.b.text(name).is_empty() {
        return false;
    }
    walker.declare(&FoundDefinition::new(node, name, kind));
    walker.children(node);
    true
}

/// `namespace a::b {` defines two names, one inside the other.
fn namespace(walker: &mut Walker<'_, '_>, node: Node<'_>) -> bool {
    let (Some(name), Some(body)) = (node.field("name"), node.field("body")) else {
        return false;
    };
    let mut names = Vec::new();
    let mut rest = Some(name);
    for _ in 0..MOST_STEPS {
        let Some(part) = rest else { break };
        if part.kind_name() != "nested_namespace_specifier" {
            names.push(part);
            break;
        }
        names.extend(part.named_child(0));
        rest = part.named_child(1);
    }
    names.retain(|name| !walker.b.text(*name).is_empty());
    for name in &names {
        let def = walker.declare(&FoundDefinition::new(node, *name, SymbolKind::Namespace));
        walker.b.open_def(def, syntax::facts::ScopeKind::Class);
    }
    walker.children(body);
    for _ in &names {
        walker.b.close_def();
    }
    true
}

/// A macro belongs to the file, wherever it is defined.
fn macro_definition(walker: &mut Walker<'_, '_>, node: Node<'_>, kind: SymbolKind) -> bool {
    let Some(name) = node.field("name") else {
        return false;
    };
    if walker.b.text(name).is_empty() {
        return false;
    }
    let mut found = FoundDefinition::new(node, name, kind);
    found.parameters = node.field("parameters").into_iter().collect();
    found.visibility = Some(Visibility::Public);
    let def = walker.declare(&found);
    walker.b.def_mut(def).parent = None;
    true
}

/// `public:` applies to the following members.
fn set_access(walker: &mut Walker<'_, '_>, node: Node<'_>) -> bool {
    let known = ["public", "protected", "private"];
    let access = child_of_kind(node, &known);
    walker.section = match access.map(|word| word.kind_name()) {
        Some("private") => Some(Visibility::Private),
        Some("protected") => Some(Visibility::Protected),
        _ => Some(Visibility::Public),
    };
    true
}
