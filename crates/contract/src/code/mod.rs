//! What code provides and uses: read from the marks, imports and definitions of the files of a repository.
//!
//! Nothing is searched for in texts. A mark says what a call is given. This module decides what that means, by the names of
//! frameworks and by what names are bound to in all files.

mod decorators;
mod files;
mod handlers;
mod repo;
mod requests;
mod routers;
mod routes;
mod rpc;
mod signature;
mod signs;
mod topics;

pub use repo::{CodeFile, CodeImport, CodeMark, CodeSymbol};
pub use signs::LinkSigns;

use crate::{Contract, Endpoint};
use base::Cancel;
use repo::CodeRepo;

/// The places of the files that provide or use something. `contracts` are those of all repositories: they say which names
/// are procedures. Where nobody waits any more, some are left out.
pub fn find_endpoints(
    files: &[CodeFile],
    contracts: &[&Contract],
    cancel: &Cancel,
) -> Vec<Endpoint> {
    let repo = CodeRepo::new(files, cancel);
    let mut found = Vec::new();
    let routers = routers::Routers::new(&repo);
    routes::find(&repo, &routers, &mut found);
    decorators::find(&repo, &routers, &mut found);
    files::find(&repo, &mut found);
    requests::find(&repo, &routers, &mut found);
    rpc::find(&repo, contracts, &mut found);
    topics::find(&repo, &mut found);
    found.sort_by(|a, b| {
        fn key(e: &Endpoint) -> (&str, u32, &str, crate::Role) {
            (&e.file_path, e.line, &e.place.id, e.role)
        }
        key(a).cmp(&key(b))
    });
    found.dedup();
    found
}
