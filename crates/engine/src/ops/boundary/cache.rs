//! The rules of a project, read from all files of rules and kept between questions.

use super::attributes;
use super::rules::{FileRoleRules, RULES};
use crate::project::Project;
use ingest::walk::{Stamp, stamp_of};
use std::sync::{Arc, Mutex, PoisonError};

/// Files with rules about the roles of files.
const RULE_FILES: [&str; 3] = [RULES, ".gitattributes", ".gitmodules"];

/// Sizes and times of these files, none for a missing one.
type RuleStamps = Vec<Option<Stamp>>;

/// The rules as they were last read, for a process that answers many questions.
#[derive(Default)]
pub(crate) struct FileRoleCache(Mutex<Option<(RuleStamps, Arc<FileRoleRules>)>>);

impl FileRoleCache {
    /// The rules for questions about at most `files` files; read again when the files of rules have changed. Unusable rules are
    /// noted then.
    pub(crate) fn rules(
        &self,
        project: &Project,
        files: usize,
        note: &dyn Fn(String),
    ) -> Arc<FileRoleRules> {
        let stamp = |path: &&str| stamp_of(&project.open(path).ok()?.metadata().ok()?);
        let stamps: RuleStamps = RULE_FILES.iter().map(stamp).collect();
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, rules)) = known.as_ref().filter(|(of, _)| *of == stamps) {
            return rules.clone();
        }
        let rules = Arc::new(read_rules(project, files, note));
        *known = Some((stamps, rules.clone()));
        rules
    }
}

/// The rules of the project: `boundaries.yaml`, `.gitattributes` and submodules. Where they cannot be used for so many files,
/// that is noted, and files are classified by convention alone.
pub(super) fn read_rules(project: &Project, files: usize, note: &dyn Fn(String)) -> FileRoleRules {
    let mut rules = FileRoleRules::read(project, None).unwrap_or_else(|error| {
        note(format!("{}; they are not used", error.message));
        FileRoleRules::default()
    });
    attributes::add_git_rules(&mut rules, project);
    if !rules.can_match_all(files) {
        note(format!(
            "{} patterns of boundaries and .gitattributes are too many for {files} files; they are not used",
            rules.rules.len()
        ));
        rules.rules.clear();
    }
    rules
}
