//! Tests of the plugins, the skill and the package manifests: copies are equal, and all have the version of the
//! workspace.

use crate::tidy::root;
use serde_json::Value;

fn text(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

fn json(path: &str) -> Value {
    serde_json::from_str(&text(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

#[test]
fn the_skill_is_short_and_its_copies_are_the_same() {
    for path in [
        ".agents/skills/knotwork/SKILL.md",
        "plugins/knotwork/skills/knotwork/SKILL.md",
    ] {
        assert_eq!(text(path), setup::SKILL, "{path}");
    }
    for counter in [
        search::prune::Tokenizer::Estimate,
        search::prune::Tokenizer::O200k,
    ] {
        let tokens = counter.count(setup::SKILL);
        assert!(tokens < 400, "{counter:?}: {tokens}");
    }
    assert!(setup::SKILL.starts_with("---\nname: knotwork\ndescription: "));
}

#[test]
fn manifests_have_the_version_of_the_workspace() {
    let version = env!("CARGO_PKG_VERSION");
    for (path, places) in [
        (
            "plugins/knotwork/.claude-plugin/plugin.json",
            &["/version"][..],
        ),
        ("plugins/knotwork/.codex-plugin/plugin.json", &["/version"]),
        ("packaging/mcpb/manifest.json", &["/version"]),
        (
            "server.json",
            &["/version", "/packages/0/version", "/packages/1/version"],
        ),
    ] {
        let value = json(path);
        for place in places {
            assert_eq!(
                value.pointer(place).and_then(Value::as_str),
                Some(version),
                "{path}{place}"
            );
        }
    }
}

/// The hooks of the plugins are those that `setup` would write into a project.
#[test]
fn the_hooks_of_the_plugins_are_those_of_setup() {
    for (client, path) in [
        ("claude-code", "plugins/knotwork/hooks/hooks.json"),
        ("codex", "plugins/knotwork/hooks/codex-hooks.json"),
    ] {
        let places = setup::Places {
            project: Some("/shop".into()),
            home: "/home".into(),
            ..setup::Places::default()
        };
        let request = setup::Request {
            places: &places,
            clients: setup::Client::find(client).into_iter().collect(),
            scope: setup::Scope::Project,
            parts: vec![setup::Part::Hook],
            program: String::new(),
            dry_run: true,
            only_recorded: false,
        };
        let (_, wanted) = setup::print(&request).remove(0);
        let wanted: Value = serde_json::from_str(&wanted).unwrap();
        assert_eq!(json(path), wanted, "{path}");
    }
}

#[test]
fn what_manifests_name_is_there() {
    let plugin = root().join("plugins/knotwork");
    let codex = json("plugins/knotwork/.codex-plugin/plugin.json");
    for key in ["skills", "mcpServers", "hooks"] {
        let path = codex[key].as_str().unwrap();
        assert!(plugin.join(path).exists(), "{path}");
    }
    for (path, place) in [
        (".claude-plugin/marketplace.json", "/plugins/0/source"),
        (".agents/plugins/marketplace.json", "/plugins/0/source/path"),
    ] {
        let value = json(path);
        let source = value.pointer(place).and_then(Value::as_str).unwrap();
        assert!(
            root().join(source).join(".mcp.json").is_file(),
            "{path}: {source}"
        );
    }
    let server = json("plugins/knotwork/.mcp.json");
    assert_eq!(server["mcpServers"]["knotwork"]["command"], "knotwork");
}
