//! The endpoints of code: read from the marks, imports and definitions of the files of a repository.
//!
//! The text of the files is not searched. A mark contains the arguments of a call. This module decides what they mean. It uses
//! the names of frameworks, and the values that are bound to names in all files.

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

/// The endpoints in the files. `contracts` are the contracts of all repositories, and say which names are procedures. If the
/// caller cancels, some endpoints are left out.
pub fn find_endpoints(
    files: &[CodeFile],
    contracts: &[&Contract],
    cancel: &Cancel,
) -> Vec<Endpoint> {
    let fuel = Fuel::for_code(files, contracts, cancel);
    find_endpoints_within(files, contracts, &fuel)
}

/// Like [`find_endpoints`], with a given fuel. [`Fuel::has_cut`] says whether some endpoints were left out.
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
