//! What the files of a project say of it, for the earlier implementation's hook: five objects beside the context.

use guard::program::{Environment, find_program};
use serde_json::{Value, json};
use std::path::Path;

/// The most bytes of a file that is read.
const MOST: u64 = 1 << 20;
/// The most entries of a list.
const ENTRIES: usize = 20;

/// `project_profile`, `current_state`, `task_context`, `recommended_tools` and `constraints`.
pub(super) fn project_facts(root: &Path, prompt: &str) -> Vec<(&'static str, Value)> {
    let read = |path: &str| {
        let text = guard::file::read_user_text(&root.join(path), MOST);
        text.unwrap_or_default()
    };
    let config = read(".devbooks/config.yaml");
    let config_root = config
        .lines()
        .find_map(|line| line.strip_prefix("root:"))
        .map_or("dev-playbooks", |value| value.trim().trim_end_matches('/'));
    let profile = read(&format!("{config_root}/specs/_meta/project-profile.md"));
    let architecture = [
        format!("{config_root}/specs/architecture/c4.md"),
        "specs/architecture/c4.md".to_owned(),
    ];
    let architecture = architecture.iter().map(|path| read(path));
    let architecture = architecture.into_iter().find(|text| !text.is_empty());
    let package: Value = serde_json::from_str(&read("package.json")).unwrap_or_default();
    vec![
        ("project_profile", profile_of(root, &profile, &package)),
        ("current_state", state_of(root)),
        (
            "task_context",
            json!({"query": prompt, "intent": intent_of(prompt)}),
        ),
        ("recommended_tools", json!(tools_for(prompt))),
        (
            "constraints",
            json!({
                "architectural": bullets(&architecture.unwrap_or_default(), &["depend", "layer", "must", "依赖", "分层"]),
                "prohibitions": bullets(&profile, &["never", "forbid", "must not", "禁止", "不得"]),
            }),
        ),
    ]
}

fn profile_of(root: &Path, profile: &str, package: &Value) -> Value {
    let folder = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
    let folder = folder.file_name().unwrap_or_default().to_string_lossy();
    let name = package["name"].as_str().unwrap_or(&folder).to_owned();
    let mut stack = Vec::new();
    let manifests = [
        ("package.json", "Node.js"),
        ("tsconfig.json", "TypeScript"),
        ("Cargo.toml", "Rust"),
        ("go.mod", "Go"),
        ("pyproject.toml", "Python"),
        ("pom.xml", "Java"),
    ];
    for (file, word) in manifests {
        if root.join(file).is_file() {
            stack.push(word.to_owned());
        }
    }
    for group in ["dependencies", "devDependencies"] {
        let names = package[group].as_object().into_iter().flatten();
        stack.extend(names.map(|(name, _)| name.clone()));
    }
    stack.dedup();
    stack.truncate(ENTRIES);
    json!({
        "name": name,
        "tech_stack": stack,
        "key_constraints": bullets(profile, &["must", "constraint", "CON-", "必须", "约束"]),
    })
}

/// Items of lists that contain one of the words.
fn bullets(text: &str, words: &[&str]) -> Vec<String> {
    let items = text.lines().filter_map(|line| {
        let line = line.trim();
        let item = line
            .strip_prefix("- ")
            .or_else(|| line.strip_prefix("* "))?;
        let lower = item.to_lowercase();
        let is_wanted = words.iter().any(|w| lower.contains(&w.to_lowercase()));
        is_wanted.then(|| item.chars().take(300).collect())
    });
    items.take(ENTRIES).collect()
}

fn state_of(root: &Path) -> Value {
    let environment = Environment::from_variables(|name| std::env::var_os(name));
    let program = find_program("git", &environment, root);
    let git = |words: &[&str]| {
        let mut command = program.as_ref()?.foreground_command(root);
        // A repository's own configuration must start no program.
        command.args(["-c", "core.fsmonitor=", "-c", "core.hooksPath=/dev/null"]);
        let done = command.args(words).output().ok();
        let done = done.filter(|done| done.status.success())?;
        Some(String::from_utf8_lossy(&done.stdout).into_owned())
    };
    let branch = git(&["rev-parse", "--abbrev-ref", "HEAD"]).unwrap_or_default();
    let changes = git(&["status", "--porcelain", "--no-renames"]).unwrap_or_default();
    let changes: Vec<&str> = changes.lines().take(ENTRIES).collect();
    json!({"branch": branch.trim(), "changes": changes, "index_status": "checked by each question"})
}

fn intent_of(prompt: &str) -> &'static str {
    let prompt = prompt.to_lowercase();
    let kinds: [(&str, &[&str]); 5] = [
        (
            "debug",
            &["error", "bug", "fail", "fix", "crash", "报错", "修复"],
        ),
        ("refactor", &["refactor", "clean up", "rename", "重构"]),
        ("docs", &["document", "readme", "文档"]),
        ("test", &["test", "测试"]),
        ("feature", &["add", "implement", "feature", "实现", "新增"]),
    ];
    let is_of = |words: &[&str]| words.iter().any(|word| prompt.contains(word));
    let found = kinds.iter().find(|(_, words)| is_of(words));
    found.map_or("explore", |(kind, _)| kind)
}

fn tools_for(prompt: &str) -> [&'static str; 3] {
    match intent_of(prompt) {
        "debug" => ["ci_bug_locate", "ci_call_chain", "ci_search"],
        "refactor" => ["ci_impact", "ci_call_chain", "ci_arch_check"],
        "test" => ["ci_impact", "ci_search", "ci_complexity"],
        _ => ["ci_graph_rag", "ci_search", "ci_call_chain"],
    }
}
