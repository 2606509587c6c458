//! Collects endpoints. Each of them costs fuel.

use super::repo::CodeRepo;
use crate::{Endpoint, Protocol, Role};

/// Maximum number of bytes in the path of a route. Every link repeats the path.
pub(super) const LONGEST_PATH: usize = 512;

/// Maximum number of bytes in a text once names have been replaced by their values.
pub(super) const LONGEST_TEXT: usize = 1_024;

/// Endpoints found so far.
pub(super) struct Endpoints<'r, 'f> {
    pub(super) repo: &'r CodeRepo<'f>,
    pub(super) all: Vec<Endpoint>,
}

impl<'r, 'f> Endpoints<'r, 'f> {
    pub(super) fn new(repo: &'r CodeRepo<'f>) -> Endpoints<'r, 'f> {
        Endpoints {
            repo,
            all: Vec::new(),
        }
    }

    /// Adds an endpoint: the definition that answers or asks, and the file and line of the route or call. Returns false if the
    /// fuel does not suffice.
    pub(super) fn add(
        &mut self,
        (role, protocol): (Role, Protocol),
        (file, symbol): (usize, Option<usize>),
        (at_file, line): (usize, u32),
        by: &str,
    ) -> bool {
        let fuel = self.repo.fuel;
        if !fuel.spend(1) {
            return false;
        }
        let endpoint = Endpoint {
            role,
            protocol,
            place: self.repo.place(file, symbol),
            line,
            file_path: self.repo.file(at_file).path.clone(),
            by: by.to_owned(),
        };
        let is_paid = fuel.keep_endpoint(&endpoint);
        if is_paid {
            self.all.push(endpoint);
        }
        is_paid
    }
}
