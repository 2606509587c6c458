//! The implicit conversions that types define.

use super::parts::Parts;
use base::Language;
use base::facts::*;
use linker::repo::{GlobalDef, Repo};
use rustc_hash::FxHashMap;

/// More conversions than this are not compared one by one: whether one of them is meant is not known.
const MAX_CONVERSIONS: usize = 64;

/// The implicit conversions of each type, by the part that stands for it.
#[derive(Default)]
pub(super) struct Conversions {
    of: FxHashMap<GlobalDef, Vec<GlobalDef>>,
}

impl Conversions {
    /// Finds the conversions of all types.
    pub(super) fn new(repo: &Repo, parts: &Parts) -> Conversions {
        let mut out = Conversions::default();
        for (file, source) in repo.files() {
            if source.facts.language != Language::CSharp {
                continue;
            }
            for (def, at) in source.facts.defs.iter().zip(0..) {
                let Some(parent) = def.parent else {
                    continue;
                };
                if is_implicit(source.facts.name(def.name), def) {
                    let class = parts.whole(GlobalDef { file, def: parent });
                    let def = DefId(at);
                    let known = out.of.entry(class).or_default();
                    known.push(GlobalDef { file, def });
                }
            }
        }
        out
    }

    /// The conversions of a type; `None` if there are too many to compare.
    pub(super) fn of_class(&self, class: GlobalDef) -> Option<&[GlobalDef]> {
        let known = self.of.get(&class).map_or(&[][..], Vec::as_slice);
        (known.len() <= MAX_CONVERSIONS).then_some(known)
    }
}

fn is_implicit(name: &str, def: &Def) -> bool {
    let target = name.strip_prefix("operator ");
    target.is_some_and(|rest| rest.starts_with(|c: char| c.is_alphabetic() || c == '('))
        && def.signature_text.contains(" implicit ")
}
