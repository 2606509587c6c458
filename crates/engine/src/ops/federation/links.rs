//! The links within a project, kept until a file of its code or of its contracts changes.

use super::contracts::{
    ContractBudget, KnownFiles, MOST_CONTRACTS, contract_files, read_contracts, unshared,
};
use super::surface::read_surface;
use crate::EngineError;
use crate::session::Session;
use contract::code::LinkSigns;
use contract::link::{FoundLinks, LinkOptions, RepoSurface, link_repositories_within};
use contract::read::contract_type_of_path;
use contract::{ContractType, Endpoint, Fuel};
use guard::seal;
use guard::state::create_private_folders;
use ingest::walk::FoundText;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The version of the stored links; it grows when the same files give other links.
const VERSION: u32 = 7;
/// The purpose that the seal of the file names.
const KIND: &str = "virtual links 7";
/// The most bytes of the file; a larger one was not written by this program.
const LONGEST: u64 = 256 << 20;
/// The most bytes of a contract file that counts: not every walk sees larger ones.
const LARGEST_COUNTED: u64 = 1 << 20;

/// The file of stored links.
#[derive(Deserialize)]
struct StoredLinks {
    /// The state of the graph.
    state: String,
    /// A fingerprint of the contract files; none if these do not matter.
    contracts: Option<String>,
    found: FoundLinks,
}

/// The stored links, as they are written.
#[derive(Serialize)]
struct LinksToStore<'l> {
    state: &'l str,
    contracts: Option<String>,
    found: &'l FoundLinks,
}

/// The links whose both ends are in this project, of the state that a question is answered from.
///
/// Most projects have none. The graph alone tells this, without contract files, and the result is cached for the state
/// of the graph.
pub(crate) fn local_links(session: &Session<'_>) -> Result<Arc<FoundLinks>, EngineError> {
    let found = find_local_links(session)?;
    if found.is_cut {
        let note = "too many endpoints or pairs: some virtual edges are left out";
        session.note(note.to_owned());
    }
    Ok(found)
}

fn find_local_links(session: &Session<'_>) -> Result<Arc<FoundLinks>, EngineError> {
    let resident = session.workspace().resident();
    let texts = resident.and_then(|resident| resident.text_changes(session.state.watcher_settled));
    let shared = &session.workspace().shared().links;
    let version = session.state.version.map(|version| format!("{version:?}"));
    if let Some(links) = version.as_ref().and_then(|v| shared.get(v, texts.as_ref())) {
        return Ok(links);
    }
    let state = state_of(session)?;
    let path = kept_path(session);
    let kept = seal::read_sealed(&path, KIND, LONGEST);
    let kept = kept.and_then(|text| serde_json::from_slice::<StoredLinks>(&text).ok());
    let kept = kept.filter(|kept| kept.state == state);
    let (found, matter) = match kept {
        Some(kept) if kept.contracts.is_none() => (kept.found, false),
        kept => links_by_files(session, &state, kept)?,
    };
    let found = Arc::new(found);
    if let Some(version) = version {
        shared.put(version, (texts, matter), found.clone());
    }
    Ok(found)
}

/// The links where contract files may matter, and whether they do. `kept` are the cached links of the same graph state.
fn links_by_files(
    session: &Session<'_>,
    state: &str,
    kept: Option<StoredLinks>,
) -> Result<(FoundLinks, bool), EngineError> {
    let path = kept_path(session);
    let signs = match &kept {
        // Cached links of this state exist, so the marks were read then.
        Some(_) => None,
        None => Some(read_signs(session)?),
    };
    let has_no_ends = |s: &LinkSigns| !s.may_link_without_contract() && !s.may_link_by_contract();
    if signs.as_ref().is_some_and(has_no_ends) {
        let none = FoundLinks::default();
        save_links(&path, state, None, &none);
        return Ok((none, false));
    }
    let files = known_contract_files(session)?;
    let contracts = key_of(&files);
    if let Some(kept) = kept.filter(|kept| kept.contracts.as_ref() == Some(&contracts)) {
        return Ok((kept.found, true));
    }
    let signs = match signs {
        Some(signs) => signs,
        None => read_signs(session)?,
    };
    let is_called = |path: &str| {
        let kind = contract_type_of_path(path);
        matches!(kind, Some(ContractType::Proto | ContractType::GraphQl))
    };
    let has_contract = files.iter().any(|file| is_called(&file.path));
    let found = if signs.may_link_without_contract() || has_contract {
        let mut files = contract_files(session.project())?;
        files.retain(|file| file.size <= LARGEST_COUNTED);
        compute_links(session, &files)?
    } else {
        FoundLinks::default()
    };
    save_links(&path, state, Some(contracts), &found);
    Ok((found, true))
}

/// The kinds of links that the marks and files of the graph make possible.
fn read_signs(session: &Session<'_>) -> Result<LinkSigns, EngineError> {
    let mut signs = LinkSigns::default();
    let store = session.store();
    store.for_each_mark(&mut |mark| signs.add(mark.kind, mark.name, mark.detail))?;
    let store = session.local_store()?;
    store.for_each_file_stamp(&mut |path, _, _| signs.add_file(path))?;
    Ok(signs)
}

/// The files that may be contracts, from a walk for the same question if there was one.
fn known_contract_files(session: &Session<'_>) -> Result<Vec<FoundText>, EngineError> {
    let may_be = |path: &str| contract_type_of_path(path).is_some();
    match session.workspace().recently_walked(may_be) {
        Some(mut files) => {
            files.truncate(MOST_CONTRACTS);
            Ok(files)
        }
        None => contract_files(session.project()),
    }
}

/// The places of this project's code that provide or use something.
pub(super) fn local_endpoints(session: &Session<'_>) -> Result<Vec<Endpoint>, EngineError> {
    let mut files = contract_files(session.project())?;
    files.retain(|file| file.size <= LARGEST_COUNTED);
    let fuel = Fuel::new(session.workspace().cancel());
    Ok(local_surface(session, &files, &fuel)?.endpoints)
}

fn local_surface(
    session: &Session<'_>,
    files: &[FoundText],
    fuel: &Fuel,
) -> Result<RepoSurface, EngineError> {
    let workspace = session.workspace();
    let budget = ContractBudget::new(workspace);
    let read = read_contracts(workspace, files, &KnownFiles::default(), &budget)?;
    let contracts = read.contracts.into_iter();
    let contracts = contracts.map(|one| unshared(one.contract)).collect();
    read_surface(session, "", (contracts, &[]), fuel)
}

fn compute_links(session: &Session<'_>, files: &[FoundText]) -> Result<FoundLinks, EngineError> {
    let fuel = Fuel::new(session.workspace().cancel());
    let mut surface = local_surface(session, files, &fuel)?;
    // Names that the user gave are compared only with other repositories.
    surface.named.clear();
    let options = LinkOptions {
        cancel: session.workspace().cancel().clone(),
        ..LinkOptions::default()
    };
    let found = link_repositories_within(&[surface], &options, &fuel);
    session.check_cancelled()?;
    Ok(found)
}

/// A key for the state of the graph that the question reads. Any later write changes it.
pub(super) fn state_of(session: &Session<'_>) -> Result<String, EngineError> {
    let store = session.store();
    let indexed_at = store.metadata("indexed_at")?.unwrap_or_default();
    let mut parts = vec![indexed_at];
    for (path, file) in store.indexed_files()? {
        parts.extend([path, file.hash, file.role, file.output_hash]);
    }
    let parts: Vec<&[u8]> = parts.iter().map(|part| part.as_bytes()).collect();
    Ok(format!(
        "{VERSION} {} {:016x}",
        env!("CARGO_PKG_VERSION"),
        base::fingerprint(&parts)
    ))
}

/// A fingerprint of the contract files. Files larger than [`LARGEST_COUNTED`] do not count, since a walk for the
/// question leaves them out.
fn key_of(files: &[FoundText]) -> String {
    let mut parts = String::new();
    for file in files.iter().filter(|file| file.size <= LARGEST_COUNTED) {
        parts.push_str(&format!("\n{} {} {}", file.path, file.size, file.stat));
    }
    format!("{:016x}", base::fingerprint(&[parts.as_bytes()]))
}

fn kept_path(session: &Session<'_>) -> PathBuf {
    session.project().cache_dir.join("virtual-links.json")
}

/// Keeps the links. A cache that cannot be written is no reason to fail.
fn save_links(path: &Path, state: &str, contracts: Option<String>, found: &FoundLinks) {
    let kept = LinksToStore {
        state,
        contracts,
        found,
    };
    let Ok(text) = serde_json::to_vec(&kept) else {
        return;
    };
    // A longer file would not be read again.
    if text.len() as u64 >= LONGEST {
        return;
    }
    let made = path
        .parent()
        .is_none_or(|folder| create_private_folders(folder).is_ok());
    if made {
        let _ = seal::write_sealed(path, KIND, &text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::Inputs;
    use crate::workspace::Workspace;
    use crate::{Settings, update};
    use testkit::Repo;

    #[test]
    fn the_state_of_links_is_that_which_a_question_reads() {
        let repo = Repo::new("//- .git/HEAD\nref\n//- a.py\ndef run():\n    pass\n");
        let workspace = || {
            let inputs = Inputs::find(Settings::with_start(repo.path())).unwrap();
            Workspace::new(inputs, Arc::new(()))
        };
        let (first, second) = (workspace(), workspace());
        let session = Session::new(&first, update::open_current(&first).unwrap());
        let before = state_of(&session).unwrap();
        repo.write("a.py", "def other():\n    pass\n");
        second.ask(|_| Ok(())).unwrap();
        assert_eq!(state_of(&session).unwrap(), before);
        let (after, _) = second.ask(state_of).unwrap();
        assert_ne!(after, before);
    }
}
