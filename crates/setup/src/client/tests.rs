//! Each agent with the example of its own documentation, in a temporary home.

use super::*;
use crate::run::tests::{PROGRAM, World};
use crate::{Part, Scope, Status};

/// The examples, by the name of the agent.
const EXAMPLES: &[(&str, &str)] = &[
    ("claude-code", include_str!("examples/claude-code.json")),
    (
        "claude-desktop",
        include_str!("examples/claude-desktop.json"),
    ),
    ("cursor", include_str!("examples/cursor.json")),
    ("windsurf", include_str!("examples/windsurf.json")),
    ("vscode", include_str!("examples/vscode.json")),
    ("copilot-cli", include_str!("examples/copilot-cli.json")),
    ("codex", include_str!("examples/codex.toml")),
    ("gemini-cli", include_str!("examples/gemini-cli.json")),
    ("qwen", include_str!("examples/qwen.json")),
    ("zed", include_str!("examples/zed.json")),
    ("opencode", include_str!("examples/opencode.json")),
    ("cline", include_str!("examples/cline.json")),
    ("roo", include_str!("examples/roo.json")),
    ("kiro", include_str!("examples/kiro.json")),
    ("junie", include_str!("examples/junie.json")),
    ("amp", include_str!("examples/amp.json")),
    ("goose", include_str!("examples/goose.yaml")),
    ("antigravity", include_str!("examples/antigravity.json")),
];

#[test]
fn every_agent_has_an_example_and_a_page() {
    let names: Vec<&str> = CLIENTS.iter().map(|client| client.name).collect();
    let examples: Vec<&str> = EXAMPLES.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, examples);
    assert_eq!(names.len(), 18);
    assert!(
        CLIENTS
            .iter()
            .all(|client| client.page.starts_with("https://") && !client.after.is_empty())
    );
}

#[test]
fn the_example_of_each_documentation_gains_an_entry_and_gets_it_back() {
    for (client, (name, example)) in CLIENTS.iter().zip(EXAMPLES) {
        for (scope, target) in [(Scope::User, client.user), (Scope::Project, client.project)] {
            let Some(target) = target else {
                continue;
            };
            let world = World::new();
            let place = world.places.choose(target.files).unwrap();
            world.write(&place.path, example);
            let before = world.snapshot();
            let request = world.request(&[name], scope, &[Part::Server]);
            let done = crate::add(&request).unwrap();
            assert_eq!(done[0].status, Status::Added, "{name}: {done:?}");
            let after = std::fs::read_to_string(&place.path).unwrap();
            let shown = after.replace(&world.project_text(), "PROJECT");
            insta::assert_snapshot!(format!("{name}-{scope:?}"), shown);
            assert_eq!(
                after.contains(PROGRAM),
                scope == Scope::User,
                "{name}: the program of others lies elsewhere"
            );
            let with = world.snapshot();
            assert_eq!(
                crate::add(&request).unwrap()[0].status,
                Status::Unchanged,
                "{name}"
            );
            assert_eq!(world.snapshot(), with, "{name}");
            assert_eq!(
                crate::remove(std::slice::from_ref(&request)).unwrap()[0].status,
                Status::Removed,
                "{name}"
            );
            assert_eq!(world.snapshot(), before, "{name}");
        }
    }
}

#[test]
fn an_agent_is_found_by_its_folder_or_its_program() {
    for client in CLIENTS {
        let world = World::new();
        assert!(!client.is_there(&world.places), "{}", client.name);
        world.mark(client);
        assert!(client.is_there(&world.places), "{}", client.name);
        let others = CLIENTS.iter().filter(|other| other.is_there(&world.places));
        let names: Vec<&str> = others.map(|client| client.name).collect();
        // VS Code's extensions are found in its folder.
        assert!(
            names == [client.name] || names == ["vscode", client.name],
            "{names:?}"
        );
    }
    let mut world = World::new();
    let program = world.home().join("bin/gemini");
    world.write(&program, "");
    world.places.search_path = vec![world.home().join("bin")];
    assert!(Client::find("gemini-cli").unwrap().is_there(&world.places));
}
