//! The places that are found, each paid for.

use super::repo::CodeRepo;
use crate::{Endpoint, Protocol, Role};

/// Bytes of a path of a route; links repeat it.
pub(super) const LONGEST_PATH: usize = 512;

/// Bytes of a text whose names are replaced by what they stand for.
pub(super) const LONGEST_TEXT: usize = 1_024;

/// What provides or uses something.
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

    /// Adds a place of the definition that answers or asks, with the file and the line of the route or the call; false where
    /// there is no fuel left for it.
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
