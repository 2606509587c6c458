//! The contract files of a project: read now, or taken from an earlier reading.

use super::index_file::FederationIndex;
use crate::EngineError;
use crate::project::Project;
use crate::workspace::Workspace;
use base::secret::{TextKind, mask_secrets};
use contract::read::{contract_type_of_path, read_contract};
use contract::{Contract, ContractType};
use ingest::walk::{self, FoundText};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// The most bytes of a contract file; larger ones are not read.
const LARGEST: u64 = 8 << 20;
/// The approximate memory, in bytes, that the contracts of one project may take: a short text may decode to many
/// times its length.
const MOST_READ: usize = 32 << 20;
/// The most contract files of one project.
pub(super) const MOST_CONTRACTS: usize = 20_000;

/// The state of a file on disk. A file with the same state need not be read again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FileMark {
    /// The size in bytes.
    pub size: u64,
    /// See [`guard::list::Stamp::stat`].
    pub stat: i64,
}

/// A file with a contract's name that is no contract.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct OtherFile {
    /// The path.
    pub path: String,
    /// Its state.
    pub mark: FileMark,
}

/// A contract with the state of its file.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ReadContract {
    /// The contract.
    pub contract: Contract,
    /// A hash of the file's bytes.
    pub hash: String,
    /// The state of the file.
    pub mark: FileMark,
}

/// The contract files of a project, as they were read.
#[derive(Debug, Default)]
pub(super) struct ContractFiles {
    /// The contracts, in order of their paths.
    pub contracts: Vec<ReadContract>,
    /// The files that are no contracts.
    pub others: Vec<OtherFile>,
}

/// The files of a project as they were read before. A file that is gone or has changed is not used.
#[derive(Default)]
pub(super) struct KnownFiles<'i> {
    contracts: FxHashMap<&'i str, (&'i Contract, &'i str, FileMark)>,
    others: FxHashMap<&'i str, FileMark>,
}

impl<'i> KnownFiles<'i> {
    /// The files of the project at `root`, from an index.
    pub(super) fn of_index(index: Option<&'i FederationIndex>, root: &str) -> KnownFiles<'i> {
        let mut known = KnownFiles::default();
        let all = index.iter().flat_map(|index| &index.repositories);
        for repository in all.filter(|repository| repository.root == root) {
            known.contracts.extend(
                repository
                    .contracts
                    .iter()
                    .map(|one| (&*one.contract.path, (&one.contract, &*one.hash, one.mark))),
            );
            let others = repository.others.iter();
            known
                .others
                .extend(others.map(|one| (&*one.path, one.mark)));
        }
        known
    }
}

/// The approximate memory that a contract takes, in bytes.
fn weight(contract: &Contract) -> usize {
    const ENTRY: usize = 128;
    const TEXT: usize = 32;
    let texts = |all: &[String]| all.iter().map(|one| TEXT + one.len()).sum::<usize>();
    let operations = contract.operations.iter().map(|op| {
        let routes = op.http.iter().map(|route| 2 * TEXT + route.path.len());
        let names = op.name.len() + op.service.as_ref().map_or(0, String::len);
        ENTRY + names + texts(&op.inputs) + routes.sum::<usize>()
    });
    let types = contract
        .types
        .iter()
        .map(|ty| ENTRY + ty.name.len() + texts(&ty.fields));
    let uses = contract
        .uses
        .iter()
        .map(|one| ENTRY + one.name.len() + texts(&one.fields));
    operations.chain(types).chain(uses).sum()
}

/// The files of a project that may be contracts.
pub(super) fn contract_files(project: &Project) -> Result<Vec<FoundText>, EngineError> {
    let wanted = |path: &str| contract_type_of_path(path).is_some();
    let mut found = walk::large_texts(&project.root, LARGEST, &wanted)?;
    found.truncate(MOST_CONTRACTS);
    Ok(found)
}

/// Reads the contracts of a project. A file that has not changed is taken from `known`.
pub(super) fn read_contracts(
    workspace: &Workspace,
    files: &[FoundText],
    known: &KnownFiles<'_>,
) -> Result<ContractFiles, EngineError> {
    let project = workspace.project();
    let cancel = workspace.cancel();
    let stop = || cancel.is_set();
    let mut read = ContractFiles::default();
    let mut size = 0;
    for file in files {
        workspace.check_cancelled()?;
        let Some(kind) = contract_type_of_path(&file.path) else {
            continue;
        };
        let mark = FileMark {
            size: file.size,
            stat: file.stat,
        };
        if size > MOST_READ {
            let mut unread = Contract::new(&file.path, kind);
            unread.problems.push(contract::Problem {
                file_path: file.path.clone(),
                line: 1,
                reason: "not read: the contracts before it say too much".to_owned(),
            });
            read.contracts.push(ReadContract {
                contract: unread,
                hash: String::new(),
                mark: FileMark::default(),
            });
            continue;
        }
        if let Some((contract, hash, before)) = known.contracts.get(&*file.path)
            && *before == mark
        {
            size += weight(contract);
            read.contracts.push(ReadContract {
                contract: (*contract).clone(),
                hash: (*hash).to_owned(),
                mark,
            });
            continue;
        }
        let other = OtherFile {
            path: file.path.clone(),
            mark,
        };
        if known.others.get(&*file.path) == Some(&mark) {
            read.others.push(other);
            continue;
        }
        let text = match project.read_text(&file.path, LARGEST) {
            Ok(text) => text,
            Err(error) if error.is_missing() => continue,
            Err(error) => {
                // A JSON file that is not text is no contract either.
                if kind != ContractType::OpenApi {
                    let mut unread = Contract::new(&file.path, kind);
                    unread.problems.push(contract::Problem {
                        file_path: file.path.clone(),
                        line: 1,
                        reason: error.reason(),
                    });
                    // The empty mark has the file read again next time.
                    read.contracts.push(ReadContract {
                        contract: unread,
                        hash: String::new(),
                        mark: FileMark::default(),
                    });
                }
                continue;
            }
        };
        let hash = format!("{:016x}", base::fingerprint(&[text.as_bytes()]));
        let text = mask_secrets(text, TextKind::from_path(&file.path));
        match read_contract(&file.path, &text, kind, &stop) {
            Some(contract) => {
                size += weight(&contract);
                read.contracts.push(ReadContract {
                    contract,
                    hash,
                    mark,
                });
            }
            None => read.others.push(other),
        }
    }
    // A cancelled reading may have left a contract half read.
    workspace.check_cancelled()?;
    Ok(read)
}
