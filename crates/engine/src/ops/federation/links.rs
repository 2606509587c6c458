//! The links within a project, kept until a file of its code or of its contracts changes.

use super::surface::{contract_files, read_contracts, read_surface};
use crate::EngineError;
use crate::session::Session;
use contract::link::{Link, LinkOptions, link_repositories};
use guard::seal;
use guard::state::create_private_folders;
use ingest::walk::FoundText;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;

/// Of what is kept; goes up when links of the same files change.
const VERSION: u32 = 2;
/// What a seal of the file is for.
const KIND: &str = "virtual links 1";
/// A larger file was not written by us.
const LONGEST: u64 = 256 << 20;

/// The file that keeps them.
#[derive(Serialize, Deserialize)]
struct StoredLinks {
    key: String,
    links: Vec<Link>,
}

/// The links whose both ends are in this project, of the state that a question is answered from.
pub(crate) fn local_links(session: &Session<'_>) -> Result<Arc<Vec<Link>>, EngineError> {
    if !speaks_of_others(session)? {
        return Ok(Arc::default());
    }
    let files = contract_files(session.project())?;
    let key = key_of(session, &files);
    let shared = &session.workspace().shared().links;
    if let Some(links) = shared.get(&key) {
        return Ok(links);
    }
    let path = kept_path(session);
    let kept = seal::read_sealed(&path, KIND, LONGEST);
    let kept = kept.and_then(|text| serde_json::from_slice::<StoredLinks>(&text).ok());
    let links = match kept.filter(|kept| kept.key == key) {
        Some(kept) => kept.links,
        None => {
            let links = compute(session, &files)?;
            keep(&path, &key, &links);
            links
        }
    };
    let links = Arc::new(links);
    shared.put(key, links.clone());
    Ok(links)
}

fn compute(session: &Session<'_>, files: &[FoundText]) -> Result<Vec<Link>, EngineError> {
    let contracts = read_contracts(session, files)?;
    let contracts = contracts
        .into_iter()
        .map(|(contract, _)| contract)
        .collect();
    let mut surface = read_surface(session, "", contracts, &[])?;
    // Names put in by hand are compared with other repositories alone.
    surface.named.clear();
    let links = link_repositories(&[surface], &LinkOptions::default());
    Ok(links)
}

/// Whether any code of the graph may ask others: without that there is nothing to link.
fn speaks_of_others(session: &Session<'_>) -> Result<bool, EngineError> {
    Ok(session.store().has_remote_calls()?)
}

/// Of the state of the graph and of the files of contracts.
fn key_of(session: &Session<'_>, files: &[FoundText]) -> String {
    let database = session.workspace().database();
    let mut journal = database.as_os_str().to_owned();
    journal.push("-wal");
    let mut parts = format!(
        "{VERSION} {} {:?} {:?}",
        env!("CARGO_PKG_VERSION"),
        stamp(database),
        stamp(Path::new(&journal))
    );
    for file in files {
        parts.push_str(&format!("\n{} {} {}", file.path, file.size, file.stat));
    }
    format!("{:016x}", base::fingerprint(&[parts.as_bytes()]))
}

/// Size and time of a file, 0 where there is none.
fn stamp(path: &Path) -> (u64, u128) {
    let Ok(found) = path.metadata() else {
        return (0, 0);
    };
    let modified = found.modified().ok();
    let since = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    (found.len(), since.map_or(0, |s| s.as_nanos()))
}

fn kept_path(session: &Session<'_>) -> PathBuf {
    session.project().cache_dir.join("virtual-links.json")
}

/// Keeps the links. A cache that cannot be written is no reason to fail.
fn keep(path: &Path, key: &str, links: &[Link]) {
    let kept = StoredLinks {
        key: key.to_owned(),
        links: links.to_vec(),
    };
    let Ok(text) = serde_json::to_vec(&kept) else {
        return;
    };
    let made = path
        .parent()
        .is_none_or(|folder| create_private_folders(folder).is_ok());
    if made {
        let _ = seal::write_sealed(path, KIND, &text);
    }
}
