//! Collects endpoints. Each takes fuel.

use super::repo::CodeRepo;
use crate::{Endpoint, Protocol, Role};

/// The most bytes of a route's path; links repeat it.
pub(super) const LONGEST_PATH: usize = 512;

/// The most bytes of a text after its names have been replaced by their values.
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

    /// Adds an endpoint of the definition that answers or asks, with the file and line of the route or call. False if there
    /// is no fuel left for it.
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
