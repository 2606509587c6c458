//! What the trees of C and C++ have in common. Names stand inside declarators, which say from the inside out what they are.

use crate::outline::{FoundDefinition, Walker, child_of_kind};
use base::{SymbolKind, Visibility};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Declarators around a name, and parts of its path, that are read.
pub(crate) const MOST_STEPS: usize = 32;

/// Parentheses and stars around a name that are looked through.
const MOST_WRAPPERS: usize = 16;

/// Reads a node with all its contents; gives its value where it is an expression of which something is known.
pub(crate) type Visit = for<'t> fn(&mut Walker<'_, '_>, Node<'t>) -> Option<ExprId>;

/// The named children of a node, comments left out.
pub(crate) fn children<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    let children = node.named_children(&mut cursor);
    children.filter(|n| n.kind_name() != "comment").collect()
}

/// The declarators of a declaration.
pub(crate) fn declarators<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.fields("declarator", &mut cursor).collect()
}

/// The declarator in a declarator.
fn declarator_within(node: Node<'_>) -> Option<Node<'_>> {
    let inner = node.field("declarator");
    inner.or_else(|| {
        let mut cursor = node.walk();
        let mut children = node.named_children(&mut cursor);
        children.find(|child| child.kind_name().ends_with("declarator"))
    })
}

/// A declarator and those in it, from the outside in.
pub(crate) fn nested_declarators(declarator: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    std::iter::successors(Some(declarator), |node| declarator_within(*node)).take(MOST_STEPS)
}

/// A name with what its declarators say.
pub(crate) struct Declared<'t> {
    pub(crate) name: Node<'t>,
    /// The types before `::`, outermost first.
    pub(crate) scopes: Vec<Node<'t>>,
    /// The parameters, where it is a function: the declarator next to the name says so.
    pub(crate) parameters: Option<Node<'t>>,
    /// The arguments of a template behind the name.
    pub(crate) arguments: Option<Node<'t>>,
}

/// Follows declarators to the name.
pub(crate) fn declared(declarator: Node<'_>) -> Option<Declared<'_>> {
    let mut node = declarator;
    let mut parameters = None;
    let mut scopes = Vec::new();
    let mut arguments = None;
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
            "template_function" | "template_method" | "template_type" => {
                arguments = node.field("arguments");
                node.field("name")
            }
            "operator_cast" => {
                let function = node.field("declarator");
                return Some(Declared {
                    name: node,
                    scopes,
                    parameters: function.and_then(|f| f.field("parameters")),
                    arguments,
                });
            }
            "identifier" | "field_identifier" | "type_identifier" | "destructor_name"
            | "operator_name" | "primitive_type" => {
                return Some(Declared {
                    name: node,
                    scopes,
                    parameters,
                    arguments,
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

/// The type in a declaration if it has a body.
pub(crate) fn type_with_body(node: Node<'_>) -> Option<Node<'_>> {
    node.field("type").filter(|ty| ty.field("body").is_some())
}

/// Whether a declaration says that its names are defined elsewhere.
pub(crate) fn is_extern(walker: &Walker<'_, '_>, node: Node<'_>) -> bool {
    has_word(walker, node, "storage_class_specifier", "extern")
}

/// What a struct, class, union or enum is.
pub(crate) fn kind_of_type(node: Node<'_>) -> SymbolKind {
    match node.kind_name() {
        "class_specifier" => SymbolKind::Class,
        "union_specifier" => SymbolKind::Union,
        "enum_specifier" => SymbolKind::Enum,
        _ => SymbolKind::Struct,
    }
}

/// `extern int a;`: others who read this file see the name.
pub(crate) fn declared_elsewhere(walker: &mut Walker<'_, '_>, at: Node<'_>) {
    let name = walker.b.intern_node_text(at);
    walker.b.add_export(Export {
        name: Some(name),
        what: Exported::Local(name),
        line: at.start_position().row as u32 + 1,
    });
}

/// A type that is defined in a function is seen there alone.
pub(crate) fn bind_local_type(walker: &mut Walker<'_, '_>, def: DefId, namespace: Namespace) {
    if walker.is_local() {
        let name = walker.b.facts().def(def).name;
        walker.b.bind(name, namespace, Bound::Def(def));
    }
}

/// Adds a type without a name that a declaration in a function has.
pub(crate) fn define_anonymous(walker: &mut Walker<'_, '_>, node: Node<'_>) -> DefId {
    let name = walker.b.intern_owned_name("<anonymous>");
    let def = walker.b.add_def(name, kind_of_type(node), node, node);
    let made = walker.b.def_mut(def);
    made.flags.set(DefFlags::ANONYMOUS);
    made.flags.set(DefFlags::LOCAL);
    def
}

/// A constant of an enum.
pub(crate) fn enumerator(walker: &mut Walker<'_, '_>, node: Node<'_>, visit: Visit) -> bool {
    let Some(name) = node.field("name") else {
        return false;
    };
    if walker.b.text(name).is_empty() {
        return false;
    }
    walker.declare(&FoundDefinition::new(node, name, SymbolKind::EnumMember));
    if let Some(value) = node.field("value") {
        visit(walker, value);
    }
    true
}

/// A function type with that result.
pub(crate) fn function_type(walker: &mut Walker<'_, '_>, ret: TypeId) -> TypeId {
    walker.b.add_type(TypeExpr::Function {
        params: Box::default(),
        ret: Some(ret),
    })
}

/// Takes parentheses and stars off.
pub(crate) fn without_wrappers(node: Node<'_>) -> Node<'_> {
    let mut node = node;
    for _ in 0..MOST_WRAPPERS {
        let inner = match node.kind_name() {
            "parenthesized_expression" => node.named_child(0),
            "pointer_expression" => node.field("argument"),
            _ => None,
        };
        match inner {
            Some(inner) => node = inner,
            None => break,
        }
    }
    node
}

/// The mention of a name.
pub(crate) fn name_reference(walker: &mut Walker<'_, '_>, node: Node<'_>) -> ExprId {
    let expr = walker.b.add_name_expr(node);
    walker.b.add_reference(RefTarget::Expr(expr), node);
    expr
}

/// Reads a field of a node, if it has it.
pub(crate) fn visit_field(
    walker: &mut Walker<'_, '_>,
    node: Node<'_>,
    name: &'static str,
    visit: Visit,
) -> Option<ExprId> {
    let inner = node.field(name)?;
    visit(walker, inner)
}

/// Reads each child of a node; gives the value of the last.
pub(crate) fn visit_children(
    walker: &mut Walker<'_, '_>,
    node: Node<'_>,
    visit: Visit,
) -> Option<ExprId> {
    let mut value = None;
    for child in children(node) {
        value = visit(walker, child);
    }
    value
}

/// What `a ? b : c` gives. The condition is not read.
pub(crate) fn alternatives(
    walker: &mut Walker<'_, '_>,
    node: Node<'_>,
    visit: Visit,
) -> Option<ExprId> {
    let first = visit_field(walker, node, "consequence", visit);
    let second = visit_field(walker, node, "alternative", visit);
    let both: Vec<ExprId> = first.into_iter().chain(second).collect();
    Some(walker.b.add_expr(Expr::Either(both.into())))
}

/// Texts beside each other, among which names of macros may stand.
pub(crate) fn visit_concatenated(walker: &mut Walker<'_, '_>, node: Node<'_>) {
    for part in children(node) {
        if part.kind_name() == "identifier" {
            name_reference(walker, part);
        }
    }
}

/// Reads the expressions in the brackets of arrays.
pub(crate) fn visit_array_sizes(walker: &mut Walker<'_, '_>, declarator: Node<'_>, visit: Visit) {
    for node in nested_declarators(declarator) {
        visit_field(walker, node, "size", visit);
    }
}
