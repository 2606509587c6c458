//! What code provides and uses: read from the marks, imports and definitions of the files of a repository.
//!
//! Nothing is searched for in texts. A mark says what a call is given. This module decides what that means, by the names of
//! frameworks and by what names are bound to in all files.

mod decorators;
mod endpoints;
mod files;
mod handlers;
mod imports;
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

use crate::{Contract, Endpoint, Fuel};
use base::Cancel;
use endpoints::Endpoints;
use repo::CodeRepo;

/// The places of the files that provide or use something. `contracts` are those of all repositories: they say which names
/// are procedures. Where nobody waits any more, some are left out.
pub fn find_endpoints(
    files: &[CodeFile],
    contracts: &[&Contract],
    cancel: &Cancel,
) -> Vec<Endpoint> {
    let fuel = Fuel::for_code(files, contracts, cancel);
    find_endpoints_within(files, contracts, &fuel)
}

/// The same with the fuel that there is; [`Fuel::has_cut`] says whether some were left out.
pub fn find_endpoints_within(
    files: &[CodeFile],
    contracts: &[&Contract],
    fuel: &Fuel,
) -> Vec<Endpoint> {
    let repo = CodeRepo::new(files, fuel);
    let mut found = Endpoints::new(&repo);
    let handlers = handlers::Handlers::new(&repo);
    let routers = routers::Routers::new(&repo, &handlers);
    routes::add_routes(&routers, &handlers, &mut found);
    decorators::add_routes(&routers, &mut found);
    files::add_routes(&mut found);
    requests::add_requests(&routers, &mut found);
    rpc::add_procedures(&handlers, contracts, &mut found);
    topics::add_topics(&mut found);
    let mut found = found.all;
    found.sort_by(|a, b| {
        fn key(e: &Endpoint) -> (&str, u32, &str, crate::Role) {
            (&e.file_path, e.line, &e.place.id, e.role)
        }
        key(a).cmp(&key(b))
    });
    found.dedup();
    found
}
