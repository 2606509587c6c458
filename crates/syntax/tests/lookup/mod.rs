//! What a name means, asked as linking does: the tests read bindings by it.

use syntax::facts::{Binding, FileFacts, NameId, Namespace, ScopeId, ScopeKind};

/// The binding that a name use in `scope` at byte `at` sees, by the lexical rules that all languages share: the
/// innermost scope that binds the name in that namespace, there the last binding visible at `at`. Class scopes are
/// seen only from themselves, not from scopes inside them, unless `through_classes`.
pub(crate) fn lookup(
    facts: &FileFacts,
    name: NameId,
    scope: ScopeId,
    at: u32,
    namespace: Namespace,
    through_classes: bool,
) -> Option<&Binding> {
    let mut next = Some(scope);
    let mut at = at;
    let mut deferred = false;
    while let Some(id) = next {
        let here = facts.scope(id);
        // A function's body runs after the whole file: it sees the file's last binding.
        if deferred && here.kind == ScopeKind::File {
            at = u32::MAX;
        }
        deferred |= here.kind == ScopeKind::Function;
        let visible = here.kind != ScopeKind::Class || id == scope || through_classes;
        if visible {
            let found = facts
                .bindings_of(id)
                .iter()
                .filter(|b| b.name == name && b.from <= at && b.namespace.meets(namespace))
                .max_by_key(|b| b.from);
            if found.is_some() {
                return found;
            }
        }
        next = here.parent;
    }
    None
}
