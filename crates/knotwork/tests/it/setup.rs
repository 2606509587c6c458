//! `knotwork setup` in temporary homes.

use crate::common::knotwork_with;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use testkit::{CommandOutput, Repo};

/// For each agent: a folder by which it is found, and a file with realistic settings.
const AGENTS: [(&str, &str, &str); 18] = [
    (
        "claude-code",
        ".claude.json",
        "{\n  \"numStartups\": 7,\n  \"projects\": {}\n}",
    ),
    (
        "claude-desktop",
        ".config/Claude/claude_desktop_config.json",
        "{}",
    ),
    (
        "cursor",
        ".cursor/mcp.json",
        "{\r\n  // mine\r\n  \"mcpServers\": {}\r\n}\r\n",
    ),
    ("windsurf", ".codeium/windsurf/mcp_config.json", ""),
    (
        "vscode",
        ".config/Code/User/mcp.json",
        "{\n\t\"inputs\": [],\n\t\"servers\": {\n\t\t\"a\": {\"command\": \"a\"}, // a\n\t},\n}\n",
    ),
    (
        "copilot-cli",
        ".copilot/mcp-config.json",
        "{\"mcpServers\":{\"x\":{\"command\":\"x\"}}}",
    ),
    (
        "codex",
        ".codex/config.toml",
        "model = \"gpt-5\" # mine\n\n[mcp_servers.a]\ncommand = \"a\"",
    ),
    (
        "gemini-cli",
        ".gemini/settings.json",
        "{\n    \"ui\": { \"theme\": \"x\" }\n}\n",
    ),
    ("qwen", ".qwen/settings.json", "{}\n"),
    (
        "zed",
        ".config/zed/settings.json",
        "// Zed settings\n//\n{\n  \"theme\": \"One Dark\", /* dark */\n}\n",
    ),
    (
        "opencode",
        ".config/opencode/opencode.jsonc",
        "{\n  \"$schema\": \"https://opencode.ai/config.json\",\n  // none\n}\n",
    ),
    (
        "cline",
        ".cline/data/settings/cline_mcp_settings.json",
        "{\"mcpServers\": {}}",
    ),
    (
        "roo",
        ".config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json",
        "{ \"mcpServers\": { } }",
    ),
    ("kiro", ".kiro/settings/mcp.json", "\u{feff}{}"),
    (
        "junie",
        ".junie/mcp/mcp.json",
        "{\n  \"mcpServers\": {\n  }\n}",
    ),
    (
        "amp",
        ".config/amp/settings.json",
        "{\n  \"amp.showCosts\": true,\n}",
    ),
    (
        "goose",
        ".config/goose/config.yaml",
        "# mine\nGOOSE_MODE: auto\nextensions:\n  memory:\n    type: builtin # odd\n",
    ),
    ("antigravity", ".gemini/config/mcp_config.json", "\n\n"),
];

fn run(repo: &Repo, arguments: &[&str]) -> CommandOutput {
    let home = repo.file_path("home");
    let config = home.join(".config");
    let data = home.join(".local/share");
    let environment = [
        ("HOME", home.to_str().unwrap()),
        ("XDG_CONFIG_HOME", config.to_str().unwrap()),
        ("XDG_DATA_HOME", data.to_str().unwrap()),
        ("CLAUDE_CONFIG_DIR", ""),
        ("CODEX_HOME", ""),
        ("PATH", "/nowhere"),
    ];
    let mut all = vec!["setup"];
    all.extend(arguments);
    knotwork_with(repo, &environment, &all)
}

/// All files and folders with their content.
fn snapshot(folder: &Path) -> BTreeMap<PathBuf, Option<String>> {
    let mut all = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(snapshot(&path));
            all.insert(path, None);
        } else {
            let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
            all.insert(path, Some(text));
        }
    }
    all
}

fn entries(said: &CommandOutput) -> Vec<Value> {
    let value: Value =
        serde_json::from_str(&said.stdout).unwrap_or_else(|e| panic!("{e}: {said:?}"));
    value["entries"].as_array().unwrap().clone()
}

#[test]
fn eighteen_agents_are_set_up_twice_and_are_as_before_when_it_is_removed() {
    let repo = Repo::new("//- home/.profile\nx\n");
    for (_, path, text) in AGENTS {
        repo.write(&format!("home/{path}"), text);
    }
    let before = snapshot(repo.path());
    let said = run(&repo, &["--hook", "--skill", "--format", "json"]);
    assert_eq!(said.code, 0, "{said:?}");
    let servers = entries(&said);
    let added: Vec<&Value> = servers
        .iter()
        .filter(|e| e["part"] == "server" && e["status"] == "added")
        .collect();
    assert_eq!(added.len(), 18, "{servers:#?}");
    for (name, path, _) in AGENTS {
        let text = std::fs::read_to_string(repo.file_path(&format!("home/{path}"))).unwrap();
        assert!(
            text.contains("knotwork") && text.contains("mcp"),
            "{name}: {text}"
        );
    }
    let with = snapshot(repo.path());
    assert!(with.len() > before.len());
    assert!(
        with.keys()
            .all(|path| !path.ends_with("CLAUDE.md") && !path.ends_with("AGENTS.md"))
    );
    let again = run(&repo, &["--hook", "--skill"]);
    assert_eq!(again.code, 0, "{again:?}");
    assert!(
        !again.stdout.contains("added") && again.stdout.contains("unchanged"),
        "{again:?}"
    );
    assert_eq!(snapshot(repo.path()), with);
    let dry = run(&repo, &["--remove", "--dry-run"]);
    assert!(dry.stdout.starts_with("Nothing was written."), "{dry:?}");
    assert_eq!(snapshot(repo.path()), with);
    let said = run(&repo, &["--remove"]);
    assert_eq!(said.code, 0, "{said:?}");
    assert_eq!(snapshot(repo.path()), before);
    assert!(
        run(&repo, &["--remove"])
            .stdout
            .contains("nothing to remove")
    );
}

#[test]
fn files_of_the_project_name_the_program_without_a_path() {
    let repo = Repo::new("//- home/.profile\nx\n//- src/a.py\nx = 1\n");
    let before = snapshot(repo.path());
    for scope in ["project", "local"] {
        let said = run(
            &repo,
            &[
                "--client",
                "claude-code,vscode,codex",
                "--scope",
                scope,
                "--hook",
                "--skill",
                "--instructions",
            ],
        );
        assert_eq!(said.code, 0, "{said:?}");
    }
    let text = |path: &str| std::fs::read_to_string(repo.file_path(path)).unwrap();
    let shared: Value = serde_json::from_str(&text(".mcp.json")).unwrap();
    assert_eq!(shared["mcpServers"]["knotwork"]["command"], "knotwork");
    assert!(text(".vscode/mcp.json").contains("${workspaceFolder}"));
    assert!(text(".codex/config.toml").contains("[mcp_servers.knotwork]"));
    assert!(text("AGENTS.md").contains("ci_search") && text("CLAUDE.md").contains("ci_search"));
    let own: Value = serde_json::from_str(&text("home/.claude.json")).unwrap();
    let root = repo.path().canonicalize().unwrap();
    let server = &own["projects"][root.to_str().unwrap()]["mcpServers"]["knotwork"];
    assert!(
        server["command"].as_str().unwrap().starts_with('/'),
        "{own}"
    );
    let said = run(&repo, &["--remove"]);
    assert_eq!(said.code, 0, "{said:?}");
    assert_eq!(snapshot(repo.path()), before);
}

#[test]
fn it_says_what_it_would_write_and_what_it_cannot() {
    let repo = Repo::new(
        "//- home/.cursor/mcp.json\n{\"mcpServers\": {\n//- home/.kiro/settings/mcp.json\n{}\n",
    );
    let before = snapshot(repo.path());
    let said = run(&repo, &["--print", "--client", "codex,goose"]);
    assert!(
        said.stdout.contains("[mcp_servers.knotwork]") && said.stdout.contains("extensions:"),
        "{said:?}"
    );
    let dry = run(&repo, &["--dry-run"]);
    assert_eq!(dry.code, 3, "{dry:?}");
    assert!(
        dry.stdout.contains("is damaged") && dry.stdout.contains("Kiro"),
        "{dry:?}"
    );
    assert_eq!(snapshot(repo.path()), before);
    let said = run(&repo, &[]);
    assert_eq!(said.code, 3, "{said:?}");
    assert!(
        std::fs::read_to_string(repo.file_path("home/.kiro/settings/mcp.json"))
            .unwrap()
            .contains("knotwork")
    );
    assert_eq!(
        std::fs::read_to_string(repo.file_path("home/.cursor/mcp.json")).unwrap(),
        "{\"mcpServers\": {\n"
    );
    assert_eq!(run(&repo, &["--client", "emacs"]).code, 1);
    let empty = Repo::new("//- home/.profile\nx\n");
    let said = run(&empty, &[]);
    assert!(
        said.code == 0 && said.stdout.contains("No agent was found"),
        "{said:?}"
    );
}
