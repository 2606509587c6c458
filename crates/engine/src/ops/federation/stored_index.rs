//! The content of the federation's index file, and its last decoded state for a process that answers many questions.

use contract::Contract;
use ingest::walk::{Stamp, file_stamp};
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The state of a file on disk. A file with the same state need not be read again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FileMark {
    /// The size in bytes.
    pub size: u64,
    /// See [`guard::list::Stamp::stat`].
    pub stat: i64,
}

/// A file with a contract's name that is no contract.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OtherFile {
    /// The path.
    pub path: String,
    /// Its state.
    pub mark: FileMark,
}

/// The index file.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(from = "StoredIndex")]
pub(crate) struct FederationIndex {
    /// Version of this shape.
    pub schema_version: String,
    /// The time of reading, in UTC (ISO 8601).
    pub indexed_at: String,
    /// The repositories, this project first.
    pub repositories: Vec<IndexedRepository>,
}

/// The shape of the file. `repositories` lists those of the configuration that were read, as other programs expect; this
/// project and those that were not read stand apart.
#[derive(Deserialize)]
struct StoredIndex {
    schema_version: String,
    indexed_at: String,
    #[serde(default)]
    project: Vec<IndexedRepository>,
    repositories: Vec<IndexedRepository>,
    #[serde(default)]
    unread: Vec<IndexedRepository>,
}

impl From<StoredIndex> for FederationIndex {
    fn from(stored: StoredIndex) -> FederationIndex {
        let mut repositories = stored.project;
        repositories.extend(stored.repositories);
        repositories.extend(stored.unread);
        FederationIndex {
            schema_version: stored.schema_version,
            indexed_at: stored.indexed_at,
            repositories,
        }
    }
}

impl Serialize for FederationIndex {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (project, others) = self.repositories.split_at(self.repositories.len().min(1));
        let was_read = |one: &&IndexedRepository| matches!(&*one.status, "indexed" | "kept");
        let (read, unread): (Vec<_>, Vec<_>) = others.iter().partition(was_read);
        let mut stored = serializer.serialize_struct("FederationIndex", 5)?;
        stored.serialize_field("schema_version", &self.schema_version)?;
        stored.serialize_field("indexed_at", &self.indexed_at)?;
        stored.serialize_field("project", project)?;
        stored.serialize_field("repositories", &read)?;
        stored.serialize_field("unread", &unread)?;
        stored.end()
    }
}

/// A repository of the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct IndexedRepository {
    /// Its name.
    pub name: String,
    /// `indexed`, `missing` or `refused`.
    pub status: String,
    /// The reason why it was not read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The root of its project.
    #[serde(default)]
    pub root: String,
    /// Its contracts.
    pub contracts: Vec<IndexedContract>,
    /// Files with a contract's name that are no contracts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<OtherFile>,
}

/// A contract of the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct IndexedContract {
    /// The path of its file in the repository.
    #[serde(default)]
    pub path: String,
    /// `proto`, `openapi`, `graphql` or `typescript`.
    #[serde(default, rename = "type")]
    pub kind: String,
    /// The contract. It is not flattened into this object, since serde decodes a flattened field through a buffer of
    /// generic values.
    #[serde(with = "shared")]
    pub contract: Arc<Contract>,
    /// Names of its services, operations and types.
    pub symbols: Vec<String>,
    /// A hash of the file's bytes.
    pub hash: String,
    /// The state of its file.
    pub mark: FileMark,
}

/// A contract that several owners share is stored as the contract itself.
mod shared {
    use contract::Contract;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::sync::Arc;

    pub(super) fn serialize<S: Serializer>(
        contract: &Arc<Contract>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        Contract::serialize(contract, serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Arc<Contract>, D::Error> {
        Contract::deserialize(deserializer).map(Arc::new)
    }
}

/// An index with the file that it was decoded from.
struct KeptIndex {
    path: PathBuf,
    stamp: Stamp,
    index: Arc<FederationIndex>,
}

/// The index as it was last decoded.
#[derive(Default)]
pub(crate) struct IndexCache(Mutex<Option<KeptIndex>>);

impl IndexCache {
    /// The index in the file at `path`: the kept one while the file is the same, else what `read` gives.
    pub(super) fn index(
        &self,
        path: &Path,
        read: impl FnOnce() -> Option<FederationIndex>,
    ) -> Option<Arc<FederationIndex>> {
        let stamp = file_stamp(path)?;
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = kept.as_ref()
            && kept.path == path
            && kept.stamp == stamp
        {
            return Some(kept.index.clone());
        }
        // The old one is released before the new one is decoded.
        *kept = None;
        let index = Arc::new(read()?);
        *kept = Some(KeptIndex {
            path: path.to_owned(),
            stamp,
            index: index.clone(),
        });
        Some(index)
    }

    /// Releases the index. It can be read again.
    pub(crate) fn clear(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::Repo;

    #[test]
    fn repositories_of_the_configuration_are_listed_apart_from_this_project() {
        let named = |name: &str, status: &str| IndexedRepository {
            name: name.to_owned(),
            status: status.to_owned(),
            reason: None,
            root: String::new(),
            contracts: Vec::new(),
            others: Vec::new(),
        };
        let index = FederationIndex {
            schema_version: "1.2".to_owned(),
            indexed_at: "now".to_owned(),
            repositories: vec![
                named("here", "indexed"),
                named("api", "indexed"),
                named("gone", "missing"),
            ],
        };
        let text = serde_json::to_value(&index).unwrap();
        assert_eq!(text["repositories"].as_array().unwrap().len(), 1, "{text}");
        assert_eq!(text["repositories"][0]["name"], "api");
        assert_eq!(
            serde_json::from_value::<FederationIndex>(text).unwrap(),
            index
        );
    }

    #[test]
    fn an_index_is_decoded_once_while_its_file_is_the_same() {
        let repo = Repo::new("//- index.json\n{}\n");
        let path = repo.file_path("index.json");
        let cache = IndexCache::default();
        let decoded = std::cell::Cell::new(0);
        let read = || {
            decoded.set(decoded.get() + 1);
            Some(FederationIndex::default())
        };
        let first = cache.index(&path, read).unwrap();
        let second = cache.index(&path, read).unwrap();
        assert!(Arc::ptr_eq(&first, &second) && decoded.get() == 1);
        repo.write("index.json", "{ }\n");
        cache.index(&path, read).unwrap();
        assert_eq!(decoded.get(), 2);
        cache.clear();
        cache.index(&path, read).unwrap();
        assert_eq!(decoded.get(), 3);
        assert!(cache.index(&repo.file_path("none.json"), read).is_none());
    }
}
