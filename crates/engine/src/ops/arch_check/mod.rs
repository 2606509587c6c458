//! `arch-check`: cycles, layer rules and symbols without a user.

mod build;
mod orphans;
mod render;
pub(super) mod rules;
mod sarif;
mod sources;
mod staged;

use crate::config::Origin;
use crate::memory::WorkingSet;
use crate::operation::{Access, Tool, operation};
use crate::ops::boundary::FileRoleRules;
use crate::project::{Project, no_match_error};
use crate::session::Session;
use crate::workspace::Workspace;
use crate::{EngineError, IndexInfo, unread};
use analysis::{
    Cycle, CycleLevel, FileUses, Glob, GlobBudget, Loading, Orphan, OrphanTuning, Violation,
    find_cycles, find_violations, suggest_rules, uses_inside_cycles,
};
use rules::ArchRules;
pub use rules::OnViolation;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sources::Sources;
use std::collections::BTreeMap;
use std::path::Path;

/// The usual files of rules.
const RULES: [&str; 2] = ["config/arch-rules.yaml", ".devbooks/arch-rules.yaml"];

/// At which level cycles count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum CycleLevelArg {
    /// Files for TypeScript, JavaScript and Python; packages for Go and Java; none inside a Rust
    /// crate
    #[default]
    Auto,
    /// Files
    File,
    /// Folders
    Package,
}

/// What to check. With nothing chosen: cycles, the rules where there are any, and orphans.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(default, deny_unknown_fields)]
pub struct ArchCheckRequest {
    /// Check for import cycles
    #[schemars(description = "Import cycles")]
    #[cfg_attr(feature = "cli", arg(long, visible_alias = "cycles"))]
    pub cycle_check: bool,
    /// Check for unused symbols and files
    #[schemars(description = "Unused symbols and files")]
    #[cfg_attr(feature = "cli", arg(long, visible_alias = "orphans"))]
    pub orphan_check: bool,
    /// Also list symbols that may be in use, with the reason
    #[cfg_attr(feature = "cli", arg(long))]
    #[schemars(skip)]
    pub possible: bool,
    /// Check the layer rules in this YAML file
    #[schemars(description = "A YAML file of layer rules")]
    #[cfg_attr(feature = "cli", arg(long, value_name = "FILE"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// Check cycles, layer rules and orphans
    #[cfg_attr(feature = "cli", arg(long))]
    #[schemars(skip)]
    pub all: bool,
    /// Only files that match this glob (*, **, {a,b})
    #[cfg_attr(feature = "cli", arg(long, value_name = "GLOB"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// Skip files that match this glob
    #[cfg_attr(feature = "cli", arg(long, value_name = "GLOB"))]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<String>,
    /// Cycles between files or packages
    #[schemars(description = "")]
    #[cfg_attr(feature = "cli", arg(long, value_enum, default_value_t = CycleLevelArg::Auto))]
    pub level: CycleLevelArg,
    /// Count calls as dependencies too
    #[cfg_attr(feature = "cli", arg(long))]
    #[schemars(skip)]
    pub calls: bool,
    /// Also count type-only imports and imports inside functions
    #[cfg_attr(feature = "cli", arg(long))]
    #[schemars(skip)]
    pub all_imports: bool,
    /// Only findings in staged files
    #[cfg_attr(feature = "cli", arg(long))]
    #[schemars(skip)]
    pub pre_commit: bool,
    /// With --pre-commit: also the direct dependencies and dependents of staged files
    #[cfg_attr(feature = "cli", arg(long, requires = "pre_commit"))]
    #[schemars(skip)]
    pub with_deps: bool,
    /// Only give rules to start from
    #[cfg_attr(feature = "cli", arg(skip))]
    #[schemars(skip)]
    pub starter: bool,
}

/// Counts of the findings.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ArchSummary {
    /// The checks that ran: `cycles`, `rules`, `orphans`. The counts of the others are zero.
    pub checked: Vec<&'static str>,
    /// The number of places that break a rule.
    pub total_violations: usize,
    /// The number of cycles.
    pub total_cycles: usize,
    /// The number of cycles among tests alone; they are listed last.
    pub cycles_in_tests: usize,
    /// Whether a strict check fails: because of a cycle, a violation that is an error, or an orphan where only orphans were asked
    /// for.
    pub blocked: bool,
    /// What the rules say of findings that would block: with `warn` nothing does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_violation: Option<OnViolation>,
    /// The number of nodes in the graph.
    pub total_nodes: usize,
    /// The number of symbols and files without a user.
    pub orphan_count: usize,
    /// The share of orphans among all nodes.
    pub orphan_ratio: f64,
    /// The number of imports in cycles that serve only types or documentation.
    pub type_only_imports: usize,
    /// The number of imports in cycles that run only when a function is called.
    pub deferred_imports: usize,
}

/// The findings.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ArchCheckAnswer {
    /// The version of this shape.
    pub schema_version: &'static str,
    /// Cycles, the smallest first.
    pub cycles: Vec<Cycle>,
    /// The places that break a rule.
    pub violations: Vec<Violation>,
    /// The symbols and files without a user, the surest first.
    pub orphans: Vec<Orphan>,
    /// Counts.
    pub summary: ArchSummary,
    /// The number of files looked at.
    pub files_checked: usize,
    /// These files, if only those of the next commit were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// A file of rules to start from, where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub starter: Option<String>,
    /// The parts that could not be checked, with the reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The state of the index.
    pub index: IndexInfo,
}

impl ArchCheckAnswer {
    /// The answer as SARIF 2.1.0.
    pub fn to_sarif(&self) -> serde_json::Value {
        sarif::to_sarif(self)
    }

    /// The answer as Markdown.
    pub fn to_markdown(&self) -> String {
        render::markdown(self)
    }
}

/// The checks to run.
struct EnabledChecks {
    cycles: bool,
    orphans: bool,
    rules: Option<ArchRules>,
    /// The numbers that order the orphans.
    orphan_tuning: OrphanTuning,
}

operation! {
    /// Cycles, layer rules and orphans.
    ArchCheckOperation {
        name: "arch-check",
        request: ArchCheckRequest => ArchCheckAnswer,
        access: |_| Access::Read,
        tool: Some(Tool {
            title: "Check architecture",
            about: "Check for import cycles, broken layer rules and unused symbols",
            pages: true,
            core: false,
            writes: false,
        }),
        answer: check_architecture,
    }
}

pub(crate) fn check_architecture(
    workspace: &Workspace,
    request: &ArchCheckRequest,
) -> Result<ArchCheckAnswer, EngineError> {
    check_with(workspace, request, &OrphanTuning::default())
}

/// Checks with other parameters than the product's.
pub(crate) fn check_with(
    workspace: &Workspace,
    request: &ArchCheckRequest,
    tuning: &OrphanTuning,
) -> Result<ArchCheckAnswer, EngineError> {
    // Bad rules are reported before anything is indexed.
    let wanted = enabled_checks(workspace, request, tuning)?;
    let (answer, index) = workspace.ask(|session| check(session, request, &wanted))?;
    Ok(ArchCheckAnswer { index, ..answer })
}

/// Uses of files, candidates for orphans with their mentions, and marks of each node.
const WORK: WorkingSet = WorkingSet {
    node: 220,
    edge: 16,
};

/// The answer besides the state of the index.
fn check(
    session: &Session<'_>,
    request: &ArchCheckRequest,
    wanted: &EnabledChecks,
) -> Result<ArchCheckAnswer, EngineError> {
    let graph = session.graph_for(WORK)?;
    unread::note_gaps(session)?;
    unread::note_languages_without_calls(session)?;
    let mut answer = ArchCheckAnswer {
        schema_version: "1.0",
        ..ArchCheckAnswer::default()
    };
    answer.summary.total_nodes = graph.node_count();
    if graph.node_count() == 0 {
        answer
            .warnings
            .push("the graph is empty: there is nothing to check".to_owned());
    }
    let within = PathFilter::new(request, session.project())?;
    let mut uses = FileUses::read(session.store(), &graph, request.calls)?;
    answer.files_checked = uses.paths.iter().filter(|p| within.contains(p)).count();
    if answer.files_checked == 0 && within.scope.is_some() && !uses.paths.is_empty() {
        // Nothing was checked. Without an error, a misspelt path would always pass.
        return Err(no_match_error(request.scope.as_deref()));
    }
    uses.retain(|path| within.contains(path));
    let staged = if request.pre_commit {
        Some(staged::staged_files(session, &uses, request.with_deps)?)
    } else {
        None
    };
    let kinds = FileKinds::read(session)?;
    if request.starter {
        answer.starter = Some(suggest_rules(&uses));
    } else {
        if let Some(rules) = &wanted.rules {
            answer.summary.checked.push("rules");
            let is_staged = |path: &str| staged.as_ref().is_none_or(|s| s.contains(path));
            answer.warnings.extend(rules.notes.iter().cloned());
            check_rules(&mut answer, &uses, rules, &is_staged);
        }
        if wanted.cycles {
            answer.summary.checked.push("cycles");
            let mut own = uses.clone();
            own.retain(|path| !kinds.is_others(path));
            build::retain_built(session.project(), &mut own, level_of(request));
            report_cycles(&mut answer, &own, request);
            retain_forbidden(&mut answer.cycles, wanted);
        }
        session.check_cancelled()?;
        if wanted.orphans {
            let enabled = session.config().features().orphan_detection;
            if enabled {
                answer.summary.checked.push("orphans");
                let sources = Sources::new(session.project());
                let own = |path: &str| kinds.is_own(path) && within.contains(path);
                let is_staged = |path: &str| staged.as_ref().is_none_or(|s| s.contains(path));
                let files = (
                    &own as &dyn Fn(&str) -> bool,
                    &is_staged as &dyn Fn(&str) -> bool,
                );
                let asked = (request, &wanted.orphan_tuning);
                orphans::find_orphans(&mut answer, session, &graph, asked, files, sources)?
            } else {
                answer
                    .warnings
                    .push("Orphan detection is disabled".to_owned())
            }
        }
    }
    if let Some(staged) = &staged {
        staged.retain_findings(&mut answer, &uses);
    }
    if wanted.cycles || wanted.orphans {
        answer.warnings.extend(kinds.left_out_line());
    }
    put_tests_last(&mut answer);
    answer.summary.total_cycles = answer.cycles.len();
    let only_orphans = wanted.orphans && !wanted.cycles && wanted.rules.is_none();
    let orphans = only_orphans && answer.summary.orphan_count > 0;
    answer.summary.blocked |= !answer.cycles.is_empty() || orphans;
    answer.summary.on_violation = wanted.rules.as_ref().and_then(|rules| rules.on_violation);
    answer.summary.blocked &= answer.summary.on_violation != Some(OnViolation::Warn);
    Ok(answer)
}

/// Drops cycles that no rule forbids, if only rules ask for cycles.
fn retain_forbidden(cycles: &mut Vec<Cycle>, wanted: &EnabledChecks) {
    if let Some(rules) = wanted.rules.as_ref().filter(|r| !r.cycles.is_empty()) {
        cycles.retain(|cycle| rules.cycles.iter().any(|rule| rule.forbids(&cycle.members)));
    }
}

fn enabled_checks(
    workspace: &Workspace,
    request: &ArchCheckRequest,
    orphan_tuning: &OrphanTuning,
) -> Result<EnabledChecks, EngineError> {
    let chosen = request.cycle_check || request.orphan_check || request.rules.is_some();
    let everything = request.all || !chosen;
    let rules = match &request.rules {
        Some(path) => Some(read_rules(workspace, path)?),
        None if everything => {
            let there = |path: &&&str| workspace.project().root.join(path).is_file();
            let path = workspace.config().text("arch.rules");
            let path = path.or_else(|| RULES.iter().find(there).copied());
            path.map(|path| read_rules(workspace, path)).transpose()?
        }
        None => None,
    };
    Ok(EnabledChecks {
        cycles: request.cycle_check
            || everything
            || rules.as_ref().is_some_and(|r| !r.cycles.is_empty()),
        orphans: request.orphan_check || everything,
        rules,
        orphan_tuning: orphan_tuning.clone(),
    })
}

/// Checks the rules, and notes findings that are not listed. For a commit, keeps only findings that concern it.
fn check_rules(
    answer: &mut ArchCheckAnswer,
    uses: &FileUses,
    rules: &ArchRules,
    is_staged: &dyn Fn(&str) -> bool,
) {
    let files = uses.paths.len();
    if !GlobBudget::for_paths(files).try_spend(&rules.ignored, files) {
        answer
            .warnings
            .push("no rule was checked: ignore has too many patterns for so many files".to_owned());
        return;
    }
    let is_reported =
        |path: &str| is_staged(path) && !rules.ignored.iter().any(|ignored| ignored.matches(path));
    let found = find_violations(uses, &rules.layers, &is_reported);
    answer.violations = found.found;
    answer.summary.total_violations = answer.violations.len() + found.left_out_count;
    answer.summary.blocked = found.errors;
    let idle = found.unmatched_patterns.iter();
    let idle = idle.map(|idle| {
        let (rule, key, glob) = (&idle.rule, idle.key, &idle.glob);
        format!("rule {rule}: no file matches {key} {glob}")
    });
    answer.warnings.extend(idle);
    if found.left_out_count > 0 {
        answer.warnings.push(format!(
            "{} more violations are counted and not listed",
            found.left_out_count
        ));
    }
    if found.unchecked > 0 {
        answer.warnings.push(format!(
            "{} rules were not checked: they have too many patterns for so many files",
            found.unchecked
        ));
    }
}

/// The most bytes of a file of rules.
const MOST_RULES: u64 = 4 << 20;

fn read_rules(workspace: &Workspace, path: &str) -> Result<ArchRules, EngineError> {
    let unreadable = |e: guard::OpenError| {
        EngineError::bad_arguments(format!("cannot read rules {path}: {}", e.reason()))
            .with_hint("`knotwork arch-check init` writes rules to start from")
    };
    if is_named_by_environment(workspace, path) {
        let text = guard::file::read_user_text(Path::new(path), MOST_RULES).map_err(unreadable)?;
        return rules::parse_rules(&text, path);
    }
    let relative = workspace.project().relative_path(path)?;
    let text = workspace.project().read_text(&relative, MOST_RULES);
    rules::parse_rules(&text.map_err(unreadable)?, &relative)
}

/// Whether it is a file outside the project that the user's environment names. No other path may lead out of the project.
fn is_named_by_environment(workspace: &Workspace, path: &str) -> bool {
    let named = workspace.config().get("arch.rules");
    let is_named = named.is_some_and(|(value, origin)| {
        matches!(origin, Origin::Environment(_)) && value.to_string() == path
    });
    is_named && Path::new(path).is_absolute() && workspace.project().relative_path(path).is_err()
}

/// The most patterns of a request: each is compared with every path.
const MOST_EXCLUDES: usize = 1_000;

/// The files that are checked.
struct PathFilter {
    scope: Option<Glob>,
    exclude: Vec<Glob>,
}

impl PathFilter {
    fn new(request: &ArchCheckRequest, project: &Project) -> Result<PathFilter, EngineError> {
        let patterns = request.exclude.len();
        if patterns > MOST_EXCLUDES {
            return Err(EngineError::bad_arguments(format!(
                "{patterns} patterns to exclude; at most {MOST_EXCLUDES}"
            ))
            .with_hint(
                "a pattern may name a folder (`vendor/**`) or several names (`**/*.{gen,pb}.go`)",
            ));
        }
        Ok(PathFilter {
            scope: project.filter_glob(request.scope.as_deref())?,
            exclude: request.exclude.iter().map(|g| Glob::new(g)).collect(),
        })
    }

    fn contains(&self, path: &str) -> bool {
        let inside = self.scope.as_ref().is_none_or(|scope| scope.matches(path));
        inside && !self.exclude.iter().any(|glob| glob.matches(path))
    }
}

/// The roles of the indexed files.
struct FileKinds(BTreeMap<String, &'static str>);

impl FileKinds {
    fn read(session: &Session<'_>) -> Result<FileKinds, EngineError> {
        let files = session.store().indexed_files()?;
        let rules = FileRoleRules::for_project(session.workspace(), files.len());
        let kinds = files.into_values().map(|record| {
            let kind = rules.of_record(&record);
            (record.path, kind)
        });
        Ok(FileKinds(kinds.collect()))
    }

    fn is_own(&self, path: &str) -> bool {
        self.0.get(path).is_none_or(|kind| *kind == "user")
    }

    /// Whether a file is not maintained here: vendored, generated, an example, test data. Tests are maintained.
    fn is_others(&self, path: &str) -> bool {
        self.kind_of_others(path).is_some()
    }

    fn kind_of_others(&self, path: &str) -> Option<&'static str> {
        match *self.0.get(path)? {
            "user" => None,
            "test" => base::is_fixture_path(path).then_some("fixture"),
            kind => Some(kind),
        }
    }

    /// A line with the number of files that are left out of cycles and orphans for that reason, by kind, if there are any.
    fn left_out_line(&self) -> Option<String> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for kind in self.0.keys().filter_map(|path| self.kind_of_others(path)) {
            *counts.entry(kind).or_default() += 1;
        }
        let counts: Vec<String> = counts
            .iter()
            .map(|(kind, n)| format!("{kind} {n}"))
            .collect();
        (!counts.is_empty()).then(|| {
            format!(
                "files that are left out of cycles and orphans: {} (`knotwork boundary --path . --batch` lists them)",
                counts.join(", ")
            )
        })
    }
}

/// The level at which cycles count: imports at load time, unless all are asked for.
fn level_of(request: &ArchCheckRequest) -> CycleLevel {
    match request.level {
        CycleLevelArg::Auto => CycleLevel::Auto,
        CycleLevelArg::File => CycleLevel::File,
        CycleLevelArg::Package => CycleLevel::Package,
    }
}

fn report_cycles(answer: &mut ArchCheckAnswer, uses: &FileUses, request: &ArchCheckRequest) {
    let level = level_of(request);
    if request.all_imports {
        answer.cycles = find_cycles(uses, level, &|_| true);
        return;
    }
    for one in uses_inside_cycles(uses, level) {
        match one.loading {
            Loading::AtOnce => {}
            Loading::TypeOnly => answer.summary.type_only_imports += one.names as usize,
            Loading::Later => answer.summary.deferred_imports += one.names as usize,
        }
    }
    let is_loaded = |loading| loading == Loading::AtOnce;
    answer.cycles = find_cycles(uses, level, &|u| !u.type_only && is_loaded(u.loading));
}

/// Puts cycles among tests after those of the product, and counts them.
fn put_tests_last(answer: &mut ArchCheckAnswer) {
    // A member is a file or a folder.
    let is_test =
        |member: &String| base::is_test_path(member) || base::is_test_path(&format!("{member}/x"));
    let is_in_tests = |cycle: &Cycle| cycle.members.iter().all(is_test);
    answer.cycles.sort_by_cached_key(is_in_tests);
    answer.summary.cycles_in_tests = answer.cycles.iter().filter(|c| is_in_tests(c)).count();
}
