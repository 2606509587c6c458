//! `boundary`: the role of a file: the project's own, a library's, vendored, generated, a test and so on.

mod attributes;
pub(crate) mod cache;
pub(crate) mod rules;

pub(in crate::ops) use rules::FileRoleRules;

use super::arguments::is_in;
use crate::operation::{Access, Tool, operation};
use crate::project::Project;
use crate::session::Session;
use crate::workspace::Workspace;
use crate::{EngineError, IndexInfo};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use store::FileRecord;

/// Whose a file is.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct BoundaryRequest {
    /// A file or folder
    #[cfg_attr(feature = "cli", arg(skip))]
    pub path: String,
    /// Show every file in the folder
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    #[schemars(description = "")]
    pub batch: bool,
    /// A file with rules that take precedence [default: config/boundaries.yaml]
    #[cfg_attr(feature = "cli", arg(long, value_name = "YAML"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub config: Option<String>,
}

/// A file and its role.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BoundaryFile {
    /// The path.
    pub path: String,
    /// The role: user, library, vendor, generated, test, example, docs or config.
    #[serde(rename = "type")]
    pub kind: String,
    /// The confidence, 0–1.
    pub confidence: f64,
    /// The rule or convention that decided.
    pub reason: String,
}

/// The roles of files.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BoundaryAnswer {
    /// The version of this shape.
    pub schema_version: &'static str,
    /// The file or folder itself.
    #[serde(flatten)]
    pub file: BoundaryFile,
    /// Whether the file or folder exists.
    pub exists: bool,
    /// The number of files by role, where all files below were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<BTreeMap<String, usize>>,
    /// The files below, in order of path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<Vec<BoundaryFile>>,
    /// The state of the index.
    pub index: IndexInfo,
}

/// The most bytes of a file that is classified: more than any real file has.
const LARGEST: u64 = 1 << 40;

operation! {
    /// The roles of files.
    BoundaryOperation {
        name: "boundary",
        request: BoundaryRequest => BoundaryAnswer,
        access: |_| Access::Read,
        tool: Some(Tool {
            title: "Role of a file",
            about: "Role of a file: own, library, vendor, generated, test",
            pages: true,
            core: false,
            writes: false,
        }),
        answer: classify_path,
    }
}

pub(crate) fn classify_path(
    workspace: &Workspace,
    request: &BoundaryRequest,
) -> Result<BoundaryAnswer, EngineError> {
    if request.path.trim().is_empty() {
        return Err(
            EngineError::bad_arguments("no path given").with_hint("--path takes a file or folder")
        );
    }
    let path = workspace.project().relative_path(&request.path)?;
    let mut file_roles = FileRoleRules::read(workspace.project(), request.config.as_deref())?;
    attributes::add_git_rules(&mut file_roles, workspace.project());
    let (answer, index) =
        workspace.ask(|session| classify(session, request, &path, &file_roles))?;
    Ok(BoundaryAnswer { index, ..answer })
}

/// The roles of many files and folders, by one reading of the rules and of the index.
pub(crate) fn classify_paths(
    workspace: &Workspace,
    paths: &[String],
) -> Result<Vec<BoundaryAnswer>, EngineError> {
    if paths.len() > MOST_PATHS {
        let message = format!("{} paths; at most {MOST_PATHS}", paths.len());
        return Err(EngineError::bad_arguments(message).with_hint("ask for a folder with --path"));
    }
    let project = workspace.project();
    let mut file_roles = FileRoleRules::read(project, None)?;
    attributes::add_git_rules(&mut file_roles, project);
    if !file_roles.can_match_all(paths.len()) {
        return Err(too_many_patterns(&file_roles, paths.len()).with_hint("ask for fewer paths"));
    }
    let relative = paths.iter().map(|path| project.relative_path(path));
    let relative: Vec<String> = relative.collect::<Result<_, _>>()?;
    let (mut answers, index) = workspace.ask(|session| {
        let records = session.store().indexed_files()?;
        let mut answers = Vec::with_capacity(relative.len());
        for path in &relative {
            session.check_cancelled()?;
            answers.push(classify_one(session.project(), path, &records, &file_roles));
        }
        Ok(answers)
    })?;
    for answer in &mut answers {
        answer.index = index.clone();
    }
    Ok(answers)
}

/// The most paths of one question: each has an answer of its own.
const MOST_PATHS: usize = 100_000;

fn too_many_patterns(file_roles: &FileRoleRules, files: usize) -> EngineError {
    let rules = file_roles.rules.len();
    let reason = format!("{rules} patterns in boundaries are too many for {files} files");
    EngineError::bad_arguments(reason)
}

/// The role of a file or folder, without the files below.
fn classify_one(
    project: &Project,
    path: &str,
    records: &BTreeMap<String, FileRecord>,
    file_roles: &FileRoleRules,
) -> BoundaryAnswer {
    let on_disk = project.resolve_on_disk(path);
    let is_folder = on_disk.as_ref().is_some_and(|file| file.is_dir());
    let shown = if path.is_empty() { "." } else { path };
    let file = if is_folder {
        file_roles.classify_folder(shown)
    } else {
        file_roles.classify_file(path, records.get(path))
    };
    BoundaryAnswer {
        schema_version: "1.0",
        file,
        exists: on_disk.is_some(),
        summary: None,
        files: None,
        index: IndexInfo::default(),
    }
}

/// The answer besides the state of the index.
fn classify(
    session: &Session<'_>,
    request: &BoundaryRequest,
    path: &str,
    file_roles: &FileRoleRules,
) -> Result<BoundaryAnswer, EngineError> {
    let records = session.store().indexed_files()?;
    let mut answer = classify_one(session.project(), path, &records, file_roles);
    if request.batch {
        let wanted = |candidate: &str| is_in(path, candidate);
        let found = ingest::walk::texts(&session.project().root, LARGEST, &wanted)?;
        if !file_roles.can_match_all(found.len()) {
            return Err(too_many_patterns(file_roles, found.len())
                .with_hint("ask for a smaller folder with --path"));
        }
        let files: Vec<BoundaryFile> = found
            .iter()
            .map(|f| file_roles.classify_file(&f.path, records.get(&f.path)))
            .collect();
        let mut summary = BTreeMap::new();
        for file in &files {
            *summary.entry(file.kind.clone()).or_default() += 1;
        }
        answer.summary = Some(summary);
        answer.files = Some(files);
    }
    Ok(answer)
}

impl FileRoleRules {
    /// The rules of the project. Where they cannot be used for so many files, the answer says so and classifies by convention
    /// alone.
    pub(in crate::ops) fn for_project(workspace: &Workspace, files: usize) -> FileRoleRules {
        cache::read_rules(workspace.project(), files, &|note| {
            workspace.record_repair(note)
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::{BoundaryRequest, Engine, IndexRequest, Settings};
    use testkit::Repo;

    #[test]
    fn many_paths_are_answered_by_one_reading_of_the_rules() {
        let repo = Repo::new("//- src/a.py\nx = 1\n//- legacy/b.py\nx = 1\n");
        repo.write("config/boundaries.yaml", "vendor:\n  - legacy/**\n");
        let engine = Engine::open(Settings::with_start(repo.path()), Box::new(())).unwrap();
        engine.index(&IndexRequest::default()).unwrap();
        let paths = ["src/a.py", "legacy/b.py", "legacy", "none.py"].map(str::to_owned);
        let answers = engine.boundaries(&paths).unwrap();
        for (path, answer) in paths.iter().zip(&answers) {
            let request: BoundaryRequest =
                serde_json::from_value(serde_json::json!({ "path": path })).unwrap();
            assert_eq!(*answer, engine.boundary(&request).unwrap(), "{path}");
        }
        let kinds: Vec<&str> = answers.iter().map(|a| a.file.kind.as_str()).collect();
        assert_eq!(kinds[..3], ["user", "vendor", "vendor"]);
        // Rules and paths are counted together, as for all files of a folder.
        let rules: String = (0..2_000)
            .map(|n| format!("  - legacy/**/x{n}/**/*.py\n"))
            .collect();
        repo.write("config/boundaries.yaml", &format!("vendor:\n{rules}"));
        let many = vec!["src/a.py".to_owned(); 60_000];
        let error = engine.boundaries(&many).unwrap_err();
        assert!(error.message.contains("too many"), "{error:?}");
        assert!(engine.boundaries(&vec![String::new(); 100_001]).is_err());
    }
}
