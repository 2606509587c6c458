//! `federation search`: services, operations and types of contracts.

use super::config::FederationConfig;
use super::stored_index::FederationIndex;
use super::{
    ContractMatch, FederationAnswer, FederationFound, FederationRequest, ReadRepositories,
    edges_of, symbol_of,
};
use crate::EngineError;
use crate::session::Session;
use crate::workspace::Workspace;
use contract::Contract;

/// The most types of a signature and fields of a type that are shown.
const MOST_SHOWN: usize = 12;

pub(super) fn search(
    workspace: &Workspace,
    request: &FederationRequest,
    config: &FederationConfig,
) -> Result<FederationAnswer, EngineError> {
    let symbol = symbol_of(request)?;
    let query = Query::new(symbol);
    let before = FederationIndex::of_project(workspace);
    let ((index, mut scored, edges), info) = workspace.ask(|session| {
        let index = match &before {
            Some(before) => ReadRepositories::refreshed(session, config, before)?,
            // The first search reads the contracts.
            None => ReadRepositories::read(session, config, None, false)?.to_index(),
        };
        let scored = matches(session, &index, &query)?;
        let edges = if request.virtual_edges {
            Some(edges_of(session, symbol, request.confidence)?)
        } else {
            None
        };
        Ok((index, scored, edges))
    })?;
    scored.sort_by(|(a, x), (b, y)| {
        fn key(found: &ContractMatch) -> (&str, &str, u32) {
            (&found.repo, &found.file_path, found.line)
        }
        b.cmp(a).then_with(|| key(x).cmp(&key(y)))
    });
    let total = scored.len();
    let results: Vec<ContractMatch> = scored
        .into_iter()
        .take(request.limit)
        .map(|(_, found)| found)
        .collect();
    let found = FederationFound::Matches {
        query: symbol.to_owned(),
        total,
        results,
        virtual_edges: edges.map(|edges| edges.into_iter().take(request.limit).collect()),
    };
    let mut answer = FederationAnswer::new(found, info);
    for one in index
        .repositories
        .iter()
        .filter(|one| one.status != "indexed")
    {
        let reason = one.reason.as_deref().unwrap_or_default();
        let line = match one.status.as_str() {
            "kept" => format!("{} is not read again: {reason}", one.name),
            status => format!("{} is not read: {status}: {reason}", one.name),
        };
        answer.warnings.push(line);
    }
    Ok(answer)
}

/// All matches, with how well each fits.
fn matches(
    session: &Session<'_>,
    index: &FederationIndex,
    query: &Query<'_>,
) -> Result<Vec<(u32, ContractMatch)>, EngineError> {
    let mut found = Vec::new();
    for repository in &index.repositories {
        for indexed in &repository.contracts {
            session.check_cancelled()?;
            collect_matches(&repository.name, &indexed.contract, query, &mut found);
        }
    }
    Ok(found)
}

/// A query, prepared once for all names.
struct Query<'q> {
    text: &'q str,
    lower: String,
}

impl Query<'_> {
    fn new(text: &str) -> Query<'_> {
        Query {
            text,
            lower: text.to_lowercase(),
        }
    }

    /// How well a name fits: 4 for an equal one, 3 if only the case differs, 2 for a beginning, 1
    /// for a part. None if it does not fit.
    fn fit(&self, name: &str) -> Option<u32> {
        let last = |name| str::rsplit(name, '.').next().unwrap_or(name).len();
        if name == self.text || name[name.len() - last(name)..] == *self.text {
            return Some(4);
        }
        let name = name.to_lowercase();
        let (query, last) = (self.lower.as_str(), &name[name.len() - last(&name)..]);
        if name == query || last == query {
            Some(3)
        } else if name.starts_with(query) || last.starts_with(query) {
            Some(2)
        } else {
            name.contains(query).then_some(1)
        }
    }
}

fn collect_matches(
    repo: &str,
    contract: &Contract,
    query: &Query<'_>,
    found: &mut Vec<(u32, ContractMatch)>,
) {
    let of_repo = u32::from(repo.eq_ignore_ascii_case(query.text));
    let mut add = |score: u32, symbol: String, kind, line, signature| {
        found.push((
            score,
            ContractMatch {
                repo: repo.to_owned(),
                symbol,
                kind,
                contract_type: contract.contract_type.as_str().to_owned(),
                file_path: contract.path.clone(),
                line,
                signature,
            },
        ));
    };
    for op in &contract.operations {
        let of_route =
            query.text.contains('/') && op.http.iter().any(|route| route.path.contains(query.text));
        let name = op.qualified_name();
        let score = query.fit(&name).unwrap_or(0);
        let score = score.max(u32::from(of_route)).max(of_repo);
        if score > 0 {
            let routes: Vec<String> = op
                .http
                .iter()
                .take(MOST_SHOWN)
                .map(|r| format!("{} {}", r.method, r.path))
                .collect();
            let output = op.output.as_deref().unwrap_or("-");
            let inputs = first_words(&op.inputs);
            let signature = format!("({inputs}) -> {output} {}", routes.join(", "));
            add(
                score,
                name,
                "operation",
                op.line,
                signature.trim().to_owned(),
            );
        }
    }
    for ty in &contract.types {
        if let Some(score) = query.fit(&ty.name) {
            add(
                score,
                ty.name.clone(),
                "type",
                ty.line,
                first_words(&ty.fields),
            );
        }
    }
}

fn first_words(words: &[String]) -> String {
    words[..words.len().min(MOST_SHOWN)].join(", ")
}
