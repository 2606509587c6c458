//! The contract files of a project: read now, or taken from an earlier reading.

use super::stored_index::{FederationIndex, FileMark, OtherFile};
use crate::EngineError;
use crate::project::Project;
use crate::workspace::Workspace;
use base::secret::{TextKind, mask_secrets};
use contract::read::{contract_type_of_path, read_contract};
use contract::{Contract, ContractType};
use ingest::walk::{self, FoundText};
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::sync::Arc;

/// The most bytes of a contract file; larger ones are not read.
const LARGEST: u64 = 8 << 20;
/// The approximate memory, in bytes, that the contracts of one project may take: a short text may decode to many
/// times its length.
const MOST_READ: usize = 32 << 20;
/// The most contract files of one project.
pub(super) const MOST_CONTRACTS: usize = 20_000;

/// A contract with the state of its file.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ReadContract {
    /// The contract.
    pub contract: Arc<Contract>,
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
    contracts: FxHashMap<&'i str, (&'i Arc<Contract>, &'i str, FileMark)>,
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

/// The memory that the contracts of all repositories of one question may take: a share of the memory ceiling. Surfaces, the index
/// and its text take several times as much again.
pub(super) struct ContractBudget(Cell<usize>);

impl ContractBudget {
    /// The budget of a question to a workspace.
    pub(super) fn new(workspace: &Workspace) -> ContractBudget {
        ContractBudget::below(workspace.inputs().memory_ceiling())
    }

    fn below(ceiling: Option<u64>) -> ContractBudget {
        // With more the index would be larger than what is read.
        const MOST: u64 = 160 << 20;
        const LEAST: u64 = 4 << 20;
        let share = ceiling.map_or(MOST, |ceiling| (ceiling / 16).clamp(LEAST, MOST));
        ContractBudget(Cell::new(share as usize))
    }

    fn is_spent(&self) -> bool {
        self.0.get() == 0
    }

    /// Takes that many bytes, and gives them back as a number.
    fn spend(&self, bytes: usize) -> usize {
        self.0.set(self.0.get().saturating_sub(bytes));
        bytes
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

/// The contract itself; it is copied only where others share it.
pub(super) fn unshared(contract: Arc<Contract>) -> Contract {
    Arc::try_unwrap(contract).unwrap_or_else(|shared| Contract::clone(&shared))
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
    budget: &ContractBudget,
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
        if size > MOST_READ || budget.is_spent() {
            let mut unread = Contract::new(&file.path, kind);
            unread.problems.push(contract::Problem {
                file_path: file.path.clone(),
                line: 1,
                reason: "not read: the contracts before it say too much".to_owned(),
            });
            read.contracts.push(ReadContract {
                contract: Arc::new(unread),
                hash: String::new(),
                mark: FileMark::default(),
            });
            continue;
        }
        if let Some((contract, hash, before)) = known.contracts.get(&*file.path)
            && *before == mark
        {
            size += budget.spend(weight(contract));
            read.contracts.push(ReadContract {
                contract: Arc::clone(contract),
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
                        contract: Arc::new(unread),
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
                size += budget.spend(weight(&contract));
                read.contracts.push(ReadContract {
                    contract: Arc::new(contract),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Settings;
    use crate::inputs::Inputs;
    use testkit::Repo;

    #[test]
    fn all_contracts_of_a_question_share_one_budget() {
        let service = "syntax = \"proto3\";\nservice S {\n  rpc Run (A) returns (B);\n}\n";
        let repo = Repo::new("");
        repo.write("a.proto", service);
        repo.write("b.proto", service);
        let inputs = Inputs::find(Settings::with_start(repo.path())).unwrap();
        let workspace = Workspace::new(inputs, Arc::new(()));
        let files = contract_files(workspace.project()).unwrap();
        let unread = |budget: &ContractBudget| {
            let read = read_contracts(&workspace, &files, &KnownFiles::default(), budget);
            let contracts = read.unwrap().contracts;
            let problems = contracts.iter().map(|one| one.contract.problems.len());
            problems.collect::<Vec<_>>()
        };
        let budget = ContractBudget(Cell::new(1));
        assert_eq!(unread(&budget), [0, 1]);
        // The next repository of the question finds it spent.
        assert_eq!(unread(&budget), [1, 1]);
        assert_eq!(unread(&ContractBudget::new(&workspace)), [0, 0]);
        let share = |ceiling| ContractBudget::below(ceiling).0.get() >> 20;
        assert_eq!(
            [share(Some(512 << 20)), share(Some(1 << 40)), share(None)],
            [32, 160, 160]
        );
    }
}
