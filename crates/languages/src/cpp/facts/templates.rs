//! Parameters of templates.

use super::{constraints, types};
use crate::c::walk::{Declared, children, declared};
use crate::outline::Walker;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Maximum number of template parameters that are kept.
const MOST_PARAMETERS: usize = 64;

/// Reads `<typename T, int N = 1>` and keeps it for the next declaration. The parameters of an outer list follow the inner
/// ones.
pub(super) fn parameters(walker: &mut Walker<'_, '_>, list: Node<'_>) -> bool {
    let mut own = Vec::new();
    for node in children(list).into_iter().take(MOST_PARAMETERS) {
        own.extend(parameter(walker, node));
    }
    let left = MOST_PARAMETERS.saturating_sub(own.len());
    own.extend(walker.type_params.drain(..).take(left));
    walker.type_params = own;
    true
}

fn parameter(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Option<TypeParam> {
    let name = match node.kind_name() {
        "type_parameter_declaration" | "variadic_type_parameter_declaration" => node.named_child(0),
        "optional_type_parameter_declaration" => node.field("name"),
        "template_template_parameter_declaration" => {
            children(node).last().and_then(|inner| inner.named_child(0))
        }
        // A parameter that is a value takes a place among the arguments, so it is kept without a name.
        _ => None,
    };
    let name = match name {
        Some(name) => walker.b.intern_node_text(name),
        None => walker.b.intern_name("_"),
    };
    let is_condition = is_condition(walker, node);
    let default = node.field("default_type");
    let default = default.and_then(|ty| types::specifier(walker, ty));
    let bounds = if is_condition {
        [constraints::of_parameter(walker, node)].into()
    } else {
        Box::default()
    };
    Some(TypeParam {
        name,
        bounds,
        default,
    })
}

/// Whether a parameter is there to say when a template counts: it has no name that anybody could use, or says `enable_if`.
fn is_condition(walker: &Walker<'_, '_>, node: Node<'_>) -> bool {
    match node.kind_name() {
        "optional_type_parameter_declaration" => {
            let is_said = |ty| walker.b.text(ty).contains("enable_if");
            node.field("name").is_none() || node.field("default_type").is_some_and(is_said)
        }
        "parameter_declaration" | "optional_parameter_declaration" => {
            node.field("declarator").and_then(declared).is_none()
        }
        _ => false,
    }
}

/// `requires C<T>`: the template counts where that holds.
pub(super) fn constrain(walker: &mut Walker<'_, '_>, clause: Node<'_>) {
    let text = walker.b.text(clause);
    let condition = text.trim_start_matches("requires").to_owned();
    let bound = constraints::of_text(walker, &condition, clause);
    if let Some(last) = walker.type_params.last_mut() {
        last.bounds = last.bounds.iter().copied().chain([bound]).collect();
    }
}

/// Whether a function is defined for some arguments of a template: `template <> void f<int>()`, `void A<int>::f()`. Those that are
/// the parameters themselves say nothing.
pub(super) fn is_specialised(walker: &Walker<'_, '_>, found: &Declared<'_>) -> bool {
    if found
        .arguments
        .is_some_and(|list| list.named_child_count() > 0)
    {
        return true;
    }
    let facts = walker.b.facts();
    let own: Vec<&str> = walker
        .type_params
        .iter()
        .map(|param| facts.name(param.name))
        .collect();
    let is_word = |text: &str| text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let is_own = |argument: &Node<'_>| {
        let text = walker.b.text(*argument).trim_end_matches("...").trim_end();
        let is_type = argument
            .field("type")
            .is_some_and(|ty| ty.kind_name() != "type_identifier");
        own.contains(&text) || own.contains(&"_") && is_word(text) && !is_type
    };
    let lists = found
        .scopes
        .iter()
        .filter_map(|scope| scope.field("arguments"));
    let mut given = lists.flat_map(|list| children(list).into_iter().take(MOST_PARAMETERS));
    given.any(|argument| !is_own(&argument))
}

/// Takes the parameters that were read before a declaration.
pub(super) fn take(walker: &mut Walker<'_, '_>) -> Vec<TypeParam> {
    std::mem::take(&mut walker.type_params)
}

/// Gives a definition its parameters, and binds them in the current scope.
pub(super) fn bind(walker: &mut Walker<'_, '_>, def: DefId, params: Vec<TypeParam>) {
    for (at, param) in params.iter().enumerate() {
        if walker.b.facts().name(param.name) != "_" {
            let to = Bound::TypeParam(def, at as u32);
            walker.b.bind(param.name, Namespace::BOTH, to);
        }
    }
    walker.b.def_mut(def).type_params = params.into();
}
