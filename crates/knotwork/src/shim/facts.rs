//! Facts about a project from its files, for the hook of the earlier implementation: five objects beside the context, and a note
//! that their text is data. Only files beneath the folder are opened, and secrets in them are blanked.

use base::secret::{TextKind, mask_secrets};
use guard::Folder;
use platform::RealPath;
use serde_json::{Value, json};
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

/// The most bytes of a file that is read.
const MOST: u64 = 1 << 20;
/// The most bytes of memory that a manifest may take once it is decoded.
const MOST_DECODED: usize = 16 << 20;
/// The most entries of a list.
const ENTRIES: usize = 20;
/// The most characters of an entry.
const LONGEST: usize = 300;
/// The most time for comparing files with git's index.
const PATIENCE: Duration = Duration::from_secs(2);

/// `project_profile`, `current_state`, `task_context`, `recommended_tools`, `constraints` and `note`.
pub(super) fn project_facts(root: &Path, prompt: &str) -> Vec<(&'static str, Value)> {
    let root = root.real_path().unwrap_or_else(|_| root.to_path_buf());
    let folder = Folder::open(&root).ok();
    let read = |path: &str| folder.as_ref().map_or_else(String::new, |f| read(f, path));
    let config = read(".devbooks/config.yaml");
    let config_root = documents_root(&config);
    let inside = |path: &str| config_root.join(path).to_string_lossy().into_owned();
    let profile = read(&inside("specs/_meta/project-profile.md"));
    let architecture = [
        inside("specs/architecture/c4.md"),
        "specs/architecture/c4.md".to_owned(),
    ];
    let architecture = architecture.iter().map(|path| read(path));
    let architecture = architecture.into_iter().find(|text| !text.is_empty());
    let package = decode(&read("package.json"));
    let name = root.file_name().unwrap_or_default().to_string_lossy();
    let has = |path: &str| folder.as_ref().is_some_and(|f| f.has_file(path));
    vec![
        (
            "project_profile",
            profile_of(&name, &profile, &package, &has),
        ),
        ("current_state", state_of(&root)),
        (
            "task_context",
            json!({"query": prompt, "intent": intent_of(prompt)}),
        ),
        ("recommended_tools", json!(tools_for(prompt))),
        (
            "constraints",
            json!({
                "architectural": layer_rules(&architecture.unwrap_or_default()),
                "prohibitions": bullets(&profile, &["never", "forbid", "must not", "禁止", "不得"]),
            }),
        ),
        ("note", guard::text::IS_DATA.into()),
    ]
}

/// The text of a file beneath the folder, without likely secrets; empty where it cannot be read.
fn read(folder: &Folder, path: &str) -> String {
    let text = folder.read_text(path, MOST).unwrap_or_default();
    mask_secrets(text, TextKind::from_path(path))
}

/// The folder of documents that a configuration names, if it lies beneath the project.
fn documents_root(config: &str) -> PathBuf {
    let named = config.lines().find_map(|line| line.strip_prefix("root:"));
    let named = named.map(|value| PathBuf::from(value.trim()));
    let is_beneath = |path: &PathBuf| {
        let mut parts = path.components();
        parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
    };
    let named = named.filter(is_beneath);
    named.unwrap_or_else(|| PathBuf::from("dev-playbooks"))
}

/// A manifest as JSON; null where it is none, or would take too much memory.
fn decode(text: &str) -> Value {
    if base::json::decoded_size(text.as_bytes()) > MOST_DECODED {
        return Value::Null;
    }
    serde_json::from_str(text).unwrap_or_default()
}

fn shorten(text: &str) -> String {
    text.chars().take(LONGEST).collect()
}

fn profile_of(folder: &str, profile: &str, package: &Value, has: &dyn Fn(&str) -> bool) -> Value {
    let name = shorten(package["name"].as_str().unwrap_or(folder));
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
        if has(file) {
            stack.push(word.to_owned());
        }
    }
    for group in ["dependencies", "devDependencies"] {
        let names = package[group].as_object().into_iter().flatten();
        stack.extend(names.map(|(name, _)| shorten(name)));
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
        is_wanted.then(|| shorten(item))
    });
    items.take(ENTRIES).collect()
}

/// Rules of an architecture without the words before them: `shared ← core` of `Layers: shared ← core`.
fn layer_rules(text: &str) -> Vec<String> {
    let items = bullets(text, &["depend", "layer", "must", "依赖", "分层"]);
    let rule = |item: String| {
        let rest = item.split_once('：').or_else(|| item.split_once(": "));
        let is_rule =
            |rest: &&str| rest.contains(['←', '→']) || rest.contains("->") || rest.contains("<-");
        rest.map(|(_, rest)| rest.trim())
            .filter(is_rule)
            .map_or_else(|| item.clone(), str::to_owned)
    };
    items.into_iter().map(rule).collect()
}

/// The branch, and the files that differ from its commit. Git is not run: the configuration of a repository must start no
/// program.
fn state_of(root: &Path) -> Value {
    let cancel = engine::Cancel::default();
    let late = cancel.clone();
    std::thread::spawn(move || {
        std::thread::sleep(PATIENCE);
        late.set();
    });
    let found = engine::read_working_tree(root, &cancel);
    let changes = found.changes.iter().take(ENTRIES);
    let changes: Vec<String> = changes.map(|line| shorten(line)).collect();
    json!({
        "branch": shorten(&found.branch.unwrap_or_default()), "changes": changes,
        "index_status": "checked by each question",
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_lie_beneath_the_project() {
        let of = |config: &str| documents_root(config).to_string_lossy().into_owned();
        assert_eq!(of("a: b\nroot: docs/books/\n"), "docs/books/");
        assert_eq!(of("root: ./docs"), "./docs");
        for elsewhere in ["", "root: ../private", "root: /etc", "root: a/../../b"] {
            assert_eq!(of(elsewhere), "dev-playbooks", "{elsewhere}");
        }
    }

    #[test]
    fn a_manifest_that_would_take_much_memory_is_not_decoded() {
        assert_eq!(decode(r#"{"name": "shop"}"#)["name"], "shop");
        let dense = format!("[{}0]", r#"{"":0},"#.repeat(50_000));
        assert!(dense.len() < 1 << 20 && decode(&dense).is_null());
    }
}
