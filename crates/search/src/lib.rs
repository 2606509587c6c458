//! Finding code: names (exact, prefix, sub-word, fuzzy) and chunks (words and vectors, ranked).
//!
//! Never knows: how files are read or parsed, SQL, HTTP, who asks.
//!
//! **Names**: [`search_symbols`] runs over the store's names in one pass.
//!
//! **Chunks**, from files to answers:
//!
//! 1. A file as plain structs: [`doc::FileDoc`] from definitions that a parser found, or [`plain::file_doc`] for
//!    languages without a grammar (none for data files).
//! 2. [`prepare::prepare`] reads it. It is pure, and called in parallel from the parse stage with
//!    [`embed::CodeModel::get`] as embedder. Embedders that are called separately, in batches, take
//!    [`prepare::embed_inputs`] and give [`prepare::Prepared::set_vectors`].
//! 3. [`index::build`] writes everything anew, [`index::commit`] adds, replaces and removes files.
//!    Both take the folder and an [`index::Model`]. One writer at a time; readers are never blocked.
//! 4. [`index::Index::open`] reads the index; [`index::IndexError::Missing`] and
//!    [`index::IndexError::Unusable`] mean: build.
//! 5. [`rank::search`] answers a [`rank::Request`]; [`rank::build_snippet`] picks the lines to show.
//!    [`pattern::find_matching_lines`] answers regular expressions, on texts that the caller reads. A prior from the
//!    graph improves the ranking: [`rank::centrality`], from the number of files that use a file.
//!
//! **On a server**: [`publish`] turns files into the form that a database searches, and [`rank::search_texts`] ranks the
//! results.
//!
//! **Context**: [`prune`] chooses which fragments an answer shows within a budget of tokens.

mod comments;
mod cut;
pub mod doc;
pub mod embed;
mod filter;
mod fuzzy;
pub mod index;
mod outline;
pub mod pattern;
pub mod plain;
pub mod portable;
pub mod prepare;
pub mod prune;
pub mod publish;
pub mod rank;
mod score;

pub use filter::Filter;
pub use score::NameTuning;

use base::SymbolKind;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use store::{NameRow, NameVisitor, Names, NodeFlags, StoreError};

/// The way in which a query is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// As one name, or the end of a dotted one: `getUser`, `UserService.get`, `gUBI`.
    #[default]
    Symbol,
    /// As words. Each may be in the name, in the name around it, or in the path.
    Keyword,
}

/// A symbol found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// Node id.
    pub id: String,
    /// The name.
    pub symbol: String,
    /// Dotted within its file, where that differs from the name.
    pub qualified_name: Option<String>,
    /// The kind of symbol.
    pub kind: String,
    /// The file of the definition.
    pub file_path: String,
    /// First line, 0 if not known.
    pub line_start: u32,
    /// Last line, 0 if not known.
    pub line_end: u32,
    /// The score, 0–1.
    pub score: f64,
}

/// The result of a search for symbols.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SymbolHits {
    /// The best hits, best first.
    pub hits: Vec<Hit>,
    /// The number of names that match.
    pub total: usize,
}

/// Searches every name of the graph. Locals and parameters are left out.
pub fn search_symbols(
    names: &dyn Names,
    query: &str,
    mode: Mode,
    filter: &Filter,
    limit: usize,
) -> Result<SymbolHits, StoreError> {
    let scorer = score::Scorer::new(query, mode, NameTuning::default());
    find_best(names, scorer, filter, limit)
}

/// The best hits with other numbers than the product's: for an evaluation.
pub fn search_symbols_with(
    names: &dyn Names,
    (query, mode): (&str, Mode),
    limit: usize,
    tuning: &NameTuning,
) -> Result<SymbolHits, StoreError> {
    let scorer = score::Scorer::new(query, mode, tuning.clone());
    find_best(names, scorer, &Filter::default(), limit)
}

fn find_best(
    names: &dyn Names,
    scorer: score::Scorer,
    filter: &Filter,
    limit: usize,
) -> Result<SymbolHits, StoreError> {
    let mut finder = Finder {
        scorer,
        best: Best::new(limit),
        filter,
    };
    names.visit_wanted_names(&mut finder)?;
    Ok(finder.best.finish())
}

/// Whether a search can find a symbol. A function inside a function can be searched for like any other; a variable there
/// cannot.
pub fn can_be_found(row: &NameRow<'_>) -> bool {
    let is_callable = SymbolKind::parse(row.kind).is_some_and(SymbolKind::is_callable);
    let is_local = row.flags.contains(NodeFlags::LOCAL) && !is_callable;
    !is_local && !matches!(row.kind, "local" | "parameter")
}

struct Finder<'f> {
    scorer: score::Scorer,
    best: Best,
    filter: &'f Filter,
}

impl NameVisitor for Finder<'_> {
    fn wants(&mut self, symbol: &str) -> bool {
        self.scorer.may_match(symbol)
    }

    fn visit(&mut self, row: NameRow<'_>) {
        if !can_be_found(&row) || !self.filter.allows(&row) {
            return;
        }
        if let Some(score) = self.scorer.score(&row) {
            self.best.push_if_better(&row, score);
        }
    }
}

/// The best hits so far. They are pruned now and then, not kept in order.
struct Best {
    hits: Vec<Hit>,
    limit: usize,
    total: usize,
    /// A hit with a lower score is not among the best.
    floor: f64,
}

impl Best {
    fn new(limit: usize) -> Best {
        Best {
            hits: Vec::new(),
            limit,
            total: 0,
            floor: 0.0,
        }
    }

    fn push_if_better(&mut self, row: &NameRow<'_>, score: f64) {
        self.total += 1;
        if score < self.floor {
            return;
        }
        self.hits.push(Hit {
            id: row.id.to_owned(),
            symbol: row.symbol.to_owned(),
            qualified_name: row.qualified_name.map(str::to_owned),
            kind: row.kind.to_owned(),
            file_path: row.file_path.to_owned(),
            line_start: row.line_start.unwrap_or(0),
            line_end: row.line_end.unwrap_or(0),
            score,
        });
        if self.hits.len() >= self.limit.saturating_mul(4).max(64) {
            self.prune();
        }
    }

    fn prune(&mut self) {
        self.hits.sort_by(compare_hits);
        self.hits.truncate(self.limit);
        if self.hits.len() == self.limit {
            self.floor = self.hits.last().map_or(0.0, |hit| hit.score);
        }
    }

    fn finish(mut self) -> SymbolHits {
        self.prune();
        SymbolHits {
            hits: self.hits,
            total: self.total,
        }
    }
}

/// Best first; equal scores by shorter name, then by place.
fn compare_hits(a: &Hit, b: &Hit) -> Ordering {
    let key = |hit: &'_ Hit| {
        (
            hit.symbol.len(),
            hit.qualified_name.as_ref().map_or(0, String::len),
        )
    };
    b.score
        .total_cmp(&a.score)
        .then_with(|| key(a).cmp(&key(b)))
        .then_with(|| a.file_path.cmp(&b.file_path))
        .then_with(|| a.line_start.cmp(&b.line_start))
        .then_with(|| a.id.cmp(&b.id))
}
