//! Compares call edges with the truth of the same call sites.

use super::corpus::Corpus;
use crate::truth::{Kind, NameLocation, Site};
use base::{Language, Tier};
use linker::{FileId, GlobalDef, LinkOutcome, RelationKind};
use std::collections::{BTreeMap, HashMap, HashSet};
use syntax::facts::{CallKind, DefId};

/// The verdict on one call site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Every edge is right.
    Right,
    /// Some edge has another target than in the truth; the text names our target.
    Wrong(String),
    /// The truth has a target here, but there is no edge; the text says why.
    Missing(String),
    /// Both sides place the target outside the repository, or the truth does and there is no edge.
    Outside,
}

/// One judged site.
#[derive(Debug, Clone)]
pub struct Judged<'t> {
    /// The site in the truth.
    pub site: &'t Site,
    /// The language of its file.
    pub language: Language,
    /// The tier of the edges, if there are any.
    pub tier: Option<Tier>,
    /// Edges that are right.
    pub right: u32,
    /// Edges that are wrong.
    pub wrong: u32,
    /// The verdict.
    pub verdict: Verdict,
}

/// The judgement of a repository.
pub struct Judgement<'t> {
    /// Sites with a truth, in the truth's order.
    pub sites: Vec<Judged<'t>>,
    /// Edges at sites that the truth lacks, by language and tier.
    pub unjudged: BTreeMap<(Language, Tier), u32>,
}

/// Compares a corpus with the truth.
struct Judge<'c> {
    corpus: &'c Corpus,
    sites: HashMap<(FileId, u32, u32), usize>,
    classes: HashMap<(FileId, u32), DefId>,
    supers: HashMap<GlobalDef, Vec<GlobalDef>>,
}

/// Judges every site of the truth whose file the corpus has.
pub fn judge<'t>(corpus: &Corpus, truth: &'t [Site]) -> Judgement<'t> {
    let judge = Judge::new(corpus);
    let mut judged = Vec::new();
    let mut seen = HashSet::new();
    for site in truth {
        let Some(file) = corpus.repo.file_at(&site.file) else {
            continue;
        };
        seen.insert((file, site.line, site.column));
        judged.push(judge.site(file, site));
    }
    let mut unjudged = BTreeMap::new();
    for (at, call) in &judge.sites {
        if let LinkOutcome::Targets(targets, tier) = &corpus.linked[at.0.0 as usize].calls[*call]
            && !seen.contains(at)
        {
            let language = corpus.repo.language(at.0);
            *unjudged.entry((language, *tier)).or_default() += targets.len() as u32;
        }
    }
    Judgement {
        sites: judged,
        unjudged,
    }
}

impl<'c> Judge<'c> {
    fn new(corpus: &'c Corpus) -> Self {
        let mut judge = Judge {
            corpus,
            sites: HashMap::new(),
            classes: HashMap::new(),
            supers: HashMap::new(),
        };
        for (id, file) in corpus.repo.files() {
            for (at, call) in file.facts.calls.iter().enumerate() {
                if call.kind != CallKind::Literal {
                    judge.sites.insert((id, call.line, call.column), at);
                }
            }
            for (at, def) in file.facts.defs.iter().enumerate() {
                if def.kind.is_type() {
                    judge.classes.insert((id, def.name_line), DefId(at as u32));
                }
            }
            for relation in &corpus.linked[id.0 as usize].relations {
                if relation.kind == RelationKind::Extends {
                    judge
                        .supers
                        .entry(relation.from)
                        .or_default()
                        .push(relation.to);
                }
            }
        }
        judge
    }

    fn site<'t>(&self, file: FileId, site: &'t Site) -> Judged<'t> {
        let mut judged = Judged {
            site,
            language: self.corpus.repo.language(file),
            tier: None,
            right: 0,
            wrong: 0,
            verdict: Verdict::Outside,
        };
        let places = site.places();
        let outcome = self
            .sites
            .get(&(file, site.line, site.column))
            .map(|call| &self.corpus.linked[file.0 as usize].calls[*call]);
        let missing = |reason: &str| {
            if places.is_empty() {
                Verdict::Outside
            } else {
                Verdict::Missing(reason.to_owned())
            }
        };
        judged.verdict = match outcome {
            None => missing("no call site in the facts"),
            Some(LinkOutcome::Nothing) => missing("taken for no call"),
            Some(LinkOutcome::Unresolved(reason)) => missing(reason.as_str()),
            Some(LinkOutcome::External(external)) => {
                missing(&format!("taken for external: {}", external.package))
            }
            Some(LinkOutcome::Targets(targets, tier)) => {
                judged.tier = Some(*tier);
                let wrong: Vec<String> = targets
                    .iter()
                    .filter(|t| !self.is_right(**t, site, &places))
                    .map(|t| self.show(*t))
                    .collect();
                judged.wrong = wrong.len() as u32;
                judged.right = (targets.len() - wrong.len()) as u32;
                if wrong.is_empty() {
                    Verdict::Right
                } else {
                    Verdict::Wrong(wrong.join(", "))
                }
            }
        };
        judged
    }

    fn place(&self, def: GlobalDef) -> NameLocation {
        NameLocation {
            file: self.corpus.repo.file(def.file).path.to_string(),
            line: self.corpus.repo.def(def).name_line,
        }
    }

    fn show(&self, def: GlobalDef) -> String {
        let place = self.place(def);
        let name = self.corpus.repo.qualified_name(def);
        format!("{}:{} {name}", place.file, place.line)
    }

    fn is_right(&self, target: GlobalDef, site: &Site, places: &[NameLocation]) -> bool {
        places.contains(&self.place(target))
            || self.is_same_symbol(target, places)
            || site.kind == Some(Kind::Class) && self.is_inherited_constructor(target, places)
    }

    /// In Python, overloads, conditional definitions and setters share one symbol, and the truth has one
    /// location for it.
    fn is_same_symbol(&self, target: GlobalDef, places: &[NameLocation]) -> bool {
        let repo = &self.corpus.repo;
        let facts = repo.facts(target.file);
        let def = facts.def(target.def);
        let mergeable = def.kind.is_callable() || def.kind.is_type();
        if facts.language != Language::Python || !mergeable {
            return false;
        }
        let path = &*repo.file(target.file).path;
        let lines = places.iter().filter(|p| p.file == path).map(|p| p.line);
        lines.into_iter().any(|line| {
            facts
                .defs
                .iter()
                .any(|d| d.name_line == line && d.name == def.name && d.parent == def.parent)
        })
    }

    /// Whether a constructor is the inherited one of a class: the truth then names the class.
    fn is_inherited_constructor(&self, target: GlobalDef, places: &[NameLocation]) -> bool {
        let repo = &self.corpus.repo;
        let name = repo.def_name(target);
        if !matches!(name, "__init__" | "__new__" | "constructor") {
            return false;
        }
        let Some(owner) = repo.def(target).parent else {
            return false;
        };
        let owner = GlobalDef {
            file: target.file,
            def: owner,
        };
        let mut open: Vec<GlobalDef> = places
            .iter()
            .filter_map(|place| {
                let file = repo.file_at(&place.file)?;
                let def = *self.classes.get(&(file, place.line))?;
                Some(GlobalDef { file, def })
            })
            .collect();
        let mut seen = HashSet::new();
        while let Some(class) = open.pop() {
            if class == owner {
                return true;
            }
            if seen.insert(class) {
                open.extend(self.supers.get(&class).into_iter().flatten());
            }
        }
        false
    }
}
