//! Whether facts that came from another process hold together: nothing that reads them is to meet a row that is not there.

use crate::facts::{
    Binding, Bound, Def, DefId, FILE_SCOPE, FileFacts, Mark, NameId, Scope, ScopeId,
};

impl FileFacts {
    /// Whether these are possible facts of that source in a language of which names alone are read: every index is that of
    /// a row, parents stand first, and stretches lie within the source. What only other languages have is not there.
    pub fn are_sound_names_of(&self, source: &str) -> bool {
        let beyond_names = self.exprs.len()
            + self.types.len()
            + self.imports.len()
            + self.exports.len()
            + self.calls.len()
            + self.references.len()
            + self.writes.len();
        beyond_names == 0
            && self.package.is_none()
            && self.constraint.is_none()
            && self.unparsed.is_none()
            && self.lines as usize <= source.len() + 1
            && self
                .scopes
                .first()
                .is_some_and(|scope| scope.parent.is_none())
            && self
                .defs
                .iter()
                .enumerate()
                .all(|(at, def)| self.is_sound_def(at, def, source))
            && self
                .scopes
                .iter()
                .enumerate()
                .all(|(at, scope)| self.is_sound_scope(at, scope))
            && self
                .bindings
                .iter()
                .all(|binding| self.is_sound_binding(binding))
            && self.bindings.is_sorted_by_key(|binding| binding.scope)
            && self
                .marks
                .iter()
                .all(|mark| self.is_sound_mark(mark, source))
    }

    fn has_name(&self, id: NameId) -> bool {
        id.index() < self.names.len()
    }

    fn has_scope(&self, id: ScopeId) -> bool {
        id.index() < self.scopes.len()
    }

    fn has_def(&self, id: DefId) -> bool {
        id.index() < self.defs.len()
    }

    fn is_sound_def(&self, at: usize, def: &Def, source: &str) -> bool {
        let is_stretch = |from: u32, to: u32| source.get(from as usize..to as usize).is_some();
        let callable = def.callable.iter();
        let mut params = callable.clone().flat_map(|callable| &callable.params);
        self.has_name(def.name)
            && def.parent.is_none_or(|parent| parent.index() < at)
            && self.has_scope(def.scope)
            && def.body.is_none_or(|body| self.has_scope(body))
            && is_stretch(def.span.start_byte, def.span.end_byte)
            && is_stretch(def.signature.0, def.signature.1)
            && (1..=def.span.end_line).contains(&def.span.start_line)
            && def.span.end_line as usize <= source.len() + 1
            && def.name_line as usize <= source.len() + 1
            && def.name_column as usize <= source.len()
            && def.supers.is_empty()
            && def.type_params.is_empty()
            && def.decorators.is_empty()
            && def.ty.is_none()
            && def.value.is_none()
            && def.condition.is_none_or(|name| self.has_name(name))
            && params.all(|p| self.has_name(p.name) && p.ty.is_none() && p.default.is_none())
            && callable.clone().all(|callable| {
                callable.ret.is_none()
                    && callable.returns.is_empty()
                    && callable.yields.is_empty()
                    && callable.argument_of.is_none()
                    && callable.receiver.is_none_or(|name| self.has_name(name))
            })
    }

    fn is_sound_scope(&self, at: usize, scope: &Scope) -> bool {
        let has_place = match scope.parent {
            Some(parent) => parent.index() < at,
            None => at == FILE_SCOPE.index(),
        };
        has_place && scope.owner.is_none_or(|owner| self.has_def(owner))
    }

    /// Calls to other programs are read in every language.
    fn is_sound_mark(&self, mark: &Mark, source: &str) -> bool {
        mark.kind.is_remote()
            && mark.owner.is_none_or(|owner| self.has_def(owner))
            && mark.name.is_some_and(|name| self.has_name(name))
            && mark.detail.is_some_and(|detail| self.has_name(detail))
            && (1..=source.len() + 1).contains(&(mark.line as usize))
    }

    fn is_sound_binding(&self, binding: &Binding) -> bool {
        let is_sound = matches!(binding.to, Bound::Def(def) if self.has_def(def));
        is_sound && self.has_scope(binding.scope) && self.has_name(binding.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Language, MarkKind};

    #[test]
    fn facts_of_nothing_are_sound_and_those_of_calls_are_not() {
        let facts = FileFacts::empty(Language::Ruby);
        assert!(facts.are_sound_names_of(""));
        let mut headless = facts.clone();
        headless.scopes.clear();
        assert!(!headless.are_sound_names_of(""));
        let mut beyond = facts.clone();
        beyond.scopes.push(Scope {
            parent: Some(ScopeId(1)),
            ..facts.scopes[0].clone()
        });
        assert!(!beyond.are_sound_names_of(""));
        let mut marked = facts.clone();
        let text = marked.names.len();
        marked.names.push("get".into());
        marked.marks.push(Mark {
            kind: MarkKind::RemoteCall,
            owner: None,
            name: Some(NameId(text as u32)),
            detail: Some(NameId(text as u32)),
            line: 1,
        });
        assert!(marked.are_sound_names_of(""));
        marked.marks[0].kind = MarkKind::Decorator;
        assert!(!marked.are_sound_names_of(""));
        marked.marks[0].kind = MarkKind::RemoteCall;
        marked.marks[0].owner = Some(DefId(7));
        assert!(!marked.are_sound_names_of(""));
        let mut named = facts;
        named.package = Some(NameId(0));
        assert!(!named.are_sound_names_of(""));
    }
}
