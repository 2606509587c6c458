//! Tests in temporary homes: all additions can be removed again, byte by byte.

use super::*;
use crate::CLIENTS;
use std::collections::BTreeMap;
use std::path::Path;

pub(crate) const PROGRAM: &str = "/opt/my tools/knotwork";

/// A home with a project.
pub(crate) struct World {
    folder: tempfile::TempDir,
    pub(crate) places: Places,
}

impl World {
    pub(crate) fn new() -> World {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let (home, project) = (root.join("home"), root.join("shop"));
        std::fs::create_dir(&home).unwrap();
        std::fs::create_dir(&project).unwrap();
        let places = Places {
            data: home.join(".local/share/knotwork"),
            home,
            project: Some(project),
            ..Places::default()
        };
        World { folder, places }
    }

    pub(crate) fn home(&self) -> &Path {
        &self.places.home
    }

    pub(crate) fn project_text(&self) -> String {
        self.places.project.as_ref().unwrap().display().to_string()
    }

    pub(crate) fn write(&self, path: &Path, text: &str) {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Makes the first mark of an agent.
    pub(crate) fn mark(&self, client: &Client) {
        let place = self.places.place(client.marks[0]).unwrap();
        if place
            .path
            .extension()
            .is_some_and(|ending| ending == "json")
        {
            self.write(&place.path, "{}");
        } else {
            std::fs::create_dir_all(&place.path).unwrap();
        }
    }

    /// Every file and folder with its bytes and rights.
    pub(crate) fn snapshot(&self) -> BTreeMap<PathBuf, String> {
        fn walk(folder: &Path, all: &mut BTreeMap<PathBuf, String>) {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let found = path.symlink_metadata().unwrap();
                let what = if found.is_dir() {
                    walk(&path, all);
                    String::new()
                } else if found.is_file() {
                    String::from_utf8_lossy(&std::fs::read(&path).unwrap_or_default()).into_owned()
                } else {
                    format!("{:?}", std::fs::read_link(&path).ok())
                };
                all.insert(path, format!("{:?} {what}", found.permissions()));
            }
        }
        let mut all = BTreeMap::new();
        walk(self.folder.path(), &mut all);
        all
    }

    pub(crate) fn request(&self, names: &[&str], scope: Scope, parts: &[Part]) -> Request<'_> {
        Request {
            places: &self.places,
            clients: names
                .iter()
                .map(|name| Client::find(name).unwrap())
                .collect(),
            scope,
            parts: parts.to_vec(),
            program: PROGRAM.to_owned(),
            dry_run: false,
            only_recorded: false,
        }
    }

    fn all(&self, scope: Scope) -> Request<'_> {
        let names: Vec<&str> = CLIENTS.iter().map(|client| client.name).collect();
        self.request(&names, scope, &Part::ALL)
    }
}

fn statuses(done: &[Outcome], status: Status) -> usize {
    done.iter().filter(|done| done.status == status).count()
}

/// Adds for all agents in all scopes, twice, and removes everything.
fn there_and_back(world: &World) {
    let before = world.snapshot();
    for scope in [Scope::User, Scope::Project, Scope::Local] {
        let request = world.all(scope);
        let dry = add(&Request {
            dry_run: true,
            ..world.all(scope)
        })
        .unwrap();
        let done = add(&request).unwrap();
        assert_eq!(statuses(&done, Status::Failed), 0, "{done:#?}");
        assert_eq!(statuses(&done, Status::Kept), 0, "{done:#?}");
        assert_eq!(
            statuses(&dry, Status::Added),
            statuses(&done, Status::Added)
        );
        let with = world.snapshot();
        let again = add(&request).unwrap();
        assert_eq!(
            statuses(&again, Status::Added) + statuses(&again, Status::Updated),
            0,
            "{again:#?}"
        );
        assert_eq!(world.snapshot(), with);
    }
    {
        let scopes = [Scope::User, Scope::Local, Scope::Project];
        let done = remove(&scopes.map(|scope| world.all(scope))).unwrap();
        assert_eq!(
            statuses(&done, Status::Failed) + statuses(&done, Status::Kept),
            0,
            "{done:#?}"
        );
    }
    let after = world.snapshot();
    for (path, what) in &before {
        assert_eq!(after.get(path), Some(what), "{}", path.display());
    }
    let left: Vec<&PathBuf> = after
        .keys()
        .filter(|path| !before.contains_key(*path))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn an_empty_home_is_empty_again() {
    there_and_back(&World::new());
}

#[test]
fn a_home_with_all_agents_and_no_settings_is_as_before() {
    let world = World::new();
    for client in CLIENTS {
        world.mark(client);
    }
    there_and_back(&world);
}

/// Files in the odd forms in which people and programs write them.
fn odd(path: &Path, number: usize) -> String {
    let key = match path.to_string_lossy() {
        name if name.contains("Code/User/mcp.json") || name.contains(".vscode") => "servers",
        name if name.contains("zed") => "context_servers",
        name if name.contains("opencode") => "mcp",
        name if name.contains("amp") => "amp.mcpServers",
        _ => "mcpServers",
    };
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("toml") => ["", "# mine\r\na = 1\r\n", "[a]\nb = \"\"\"\n[mcp_servers.knotwork]\n\"\"\"\n# end"][number % 3].to_owned(),
        Some("yaml") => ["", "a: 1 # one", "extensions:\r\n    x:\r\n        type: builtin\r\n\r\n# end\r\n"][number % 3].to_owned(),
        Some("md") => ["# Rules", "# Rules\r\n\r\nBe kind.\r\n", ""][number % 3].to_owned(),
        _ => match number % 7 {
            0 => "{}".to_owned(),
            1 => format!("\u{feff}{{\r\n   \"a\" : 1 ,\r\n   \"{key}\":{{}} // none\r\n}}"),
            2 => format!("// mine\n{{ \"{key}\": {{ \"x\": {{ \"command\": \"x\" }}, }}, }}\n/* end */"),
            3 => format!("{{\"b\":[1,2],\"{key}\":{{\"x\":{{\"command\":\"x\",\"args\":[]}}}}}}"),
            4 => format!("{{\n\t\t\"{key}\":\n\t\t{{\n\t\t\t\"x\": {{}} // the x\n\t\t\t// more\n\t\t}}\n}}\n\n\n"),
            5 => String::new(),
            _ => "\n{\n      \"z\": 1.50, \"hooks\": {}, \"big\": 123456789012345678901234567890\n}\n".to_owned(),
        },
    }
}

#[test]
fn settings_in_odd_forms_are_as_before() {
    for number in 0..7 {
        let world = World::new();
        for scope in [Scope::User, Scope::Project] {
            let (jobs, _) = plan_jobs(&world.all(scope), false);
            for job in jobs.iter().filter(|job| job.part != Part::Skill) {
                world.write(&job.place.path, &odd(&job.place.path, number));
            }
        }
        there_and_back(&world);
    }
}

#[cfg(unix)]
#[test]
fn a_new_file_of_the_user_is_for_the_user_alone() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::new();
    for (scope, base, is_private) in [
        (Scope::User, world.home(), true),
        (Scope::Project, Path::new(&world.project_text()), false),
    ] {
        add(&world.request(&["cursor"], scope, &[Part::Server])).unwrap();
        let file = base.join(".cursor/mcp.json");
        let mode = file.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o077 == 0, is_private, "{mode:o}");
    }
}

#[test]
fn what_was_added_around_ours_stays() {
    let world = World::new();
    let file = world.home().join(".cursor/mcp.json");
    let request = world.request(&["cursor"], Scope::User, &[Part::Server]);
    add(&request).unwrap();
    let text = std::fs::read_to_string(&file).unwrap();
    let text = text.replace(
        "\"mcpServers\": {",
        "\"mcpServers\": {\n    // mine\n    \"x\": {\"command\": \"x\"},",
    );
    world.write(&file, &text);
    assert_eq!(add(&request).unwrap()[0].status, Status::Unchanged);
    assert_eq!(
        remove(std::slice::from_ref(&request)).unwrap()[0].status,
        Status::Removed
    );
    let expected = "{\n  \"mcpServers\": {\n    // mine\n    \"x\": {\"command\": \"x\"}\n  }\n}\n";
    assert_eq!(std::fs::read_to_string(&file).unwrap(), expected);
    assert!(!world.places.data.exists());
    // A note of the agent in our entry is no reason to keep the entry.
    add(&request).unwrap();
    let text = std::fs::read_to_string(&file).unwrap().replace(
        "\"type\": \"stdio\"",
        "\"disabled\": true, \"type\": \"stdio\"",
    );
    world.write(&file, &text);
    assert_eq!(add(&request).unwrap()[0].status, Status::Unchanged);
    remove(std::slice::from_ref(&request)).unwrap();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), expected);
}

#[test]
fn a_file_that_others_emptied_but_for_ours_goes() {
    let world = World::new();
    let file = world.home().join(".kiro/settings/mcp.json");
    let request = world.request(&["kiro"], Scope::User, &[Part::Server]);
    let before = world.snapshot();
    add(&request).unwrap();
    let text = std::fs::read_to_string(&file).unwrap();
    world.write(&file, &text.replace("\n", "\n "));
    remove(std::slice::from_ref(&request)).unwrap();
    assert_eq!(world.snapshot(), before);
}

#[test]
fn a_server_of_the_users_own_is_kept() {
    let world = World::new();
    for (name, text) in [
        (
            "cursor",
            r#"{"mcpServers": {"knotwork": {"command": "docker", "args": ["run", "knotwork"]}}}"#,
        ),
        (
            "kiro",
            r#"{"mcpServers": {"knotwork": {"command": "/else/knotwork", "args": ["mcp", "--preset", "core"]}}}"#,
        ),
        (
            "codex",
            "[mcp_servers.knotwork]\nurl = \"http://127.0.0.1:1/mcp\"\n",
        ),
        ("goose", "extensions:\n  knotwork:\n    type: sse\n"),
    ] {
        let client = Client::find(name).unwrap();
        world.write(
            &world
                .places
                .choose(client.user.unwrap().files)
                .unwrap()
                .path,
            text,
        );
        let before = world.snapshot();
        let request = world.request(&[name], Scope::User, &[Part::Server]);
        let done = add(&request).unwrap();
        assert_eq!(done[0].status, Status::Kept, "{name}");
        assert!(
            done[0].note.contains("not added by this command"),
            "{}",
            done[0].note
        );
        assert_eq!(
            remove(std::slice::from_ref(&request)).unwrap()[0].status,
            Status::Kept,
            "{name}"
        );
        assert_eq!(world.snapshot(), before, "{name}");
    }
    // An entry that a colleague's set-up wrote is removed if that is asked for.
    let file = world
        .places
        .project
        .clone()
        .unwrap()
        .join(".cursor/mcp.json");
    world.write(&file, r#"{"mcpServers": {"knotwork": {"type":"stdio","command": "knotwork", "args": ["mcp", "-C", "${workspaceFolder}"]}}}"#);
    let request = world.request(&["cursor"], Scope::Project, &[Part::Server]);
    assert_eq!(
        remove(std::slice::from_ref(&request)).unwrap()[0].status,
        Status::Removed
    );
    assert!(!file.exists());
}

#[test]
fn an_entry_follows_the_program_and_the_project() {
    let mut world = World::new();
    let file = world.home().join(".codeium/windsurf/mcp_config.json");
    world.write(&file, "{} // mine\n");
    let before = world.snapshot();
    let parts = [Part::Server];
    add(&world.request(&["windsurf"], Scope::User, &parts)).unwrap();
    let moved = Request {
        program: "/new/knotwork".to_owned(),
        ..world.request(&["windsurf"], Scope::User, &parts)
    };
    assert_eq!(add(&moved).unwrap()[0].status, Status::Updated);
    let other = world.home().join("other");
    world.places.project = Some(other.clone());
    assert_eq!(
        add(&world.request(&["windsurf"], Scope::User, &parts)).unwrap()[0].status,
        Status::Updated
    );
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(
        text.contains(&other.display().to_string()) && text.matches("knotwork").count() == 2,
        "{text}"
    );
    world.places.project = None;
    remove(&[world.request(&["windsurf"], Scope::User, &parts)]).unwrap();
    assert_eq!(world.snapshot(), before);
}

#[test]
fn damaged_files_are_named_and_left_alone() {
    let world = World::new();
    let damaged = [
        (".cursor/mcp.json", "cursor", "{\"mcpServers\": {"),
        (".kiro/settings/mcp.json", "kiro", "{\"mcpServers\": []}"),
        (".codex/config.toml", "codex", "a = \n"),
        (".config/goose/config.yaml", "goose", "a: [\n"),
        (
            ".qwen/settings.json",
            "qwen",
            "{\"mcpServers\": {}, \"mcpServers\": {}}",
        ),
    ];
    for (path, _, text) in damaged {
        world.write(&world.home().join(path), text);
    }
    world.write(&world.home().join(".junie/mcp/mcp.json"), "{}");
    let before = world.snapshot();
    let names: Vec<&str> = damaged
        .iter()
        .map(|(_, name, _)| *name)
        .chain(["junie"])
        .collect();
    let request = world.request(&names, Scope::User, &[Part::Server]);
    let done = add(&request).unwrap();
    assert_eq!(statuses(&done, Status::Failed), 5, "{done:#?}");
    assert_eq!(done[5].status, Status::Added);
    assert!(
        done[0].note.contains("mcp.json is damaged"),
        "{}",
        done[0].note
    );
    // A list has no server that could be removed.
    assert_eq!(
        statuses(
            &remove(std::slice::from_ref(&request)).unwrap(),
            Status::Failed
        ),
        4
    );
    assert_eq!(world.snapshot(), before);
}

#[cfg(unix)]
#[test]
fn links_that_lead_out_and_files_that_may_not_be_written_are_left_alone() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let world = World::new();
    let theirs = world.home().parent().unwrap().join("theirs.json");
    world.write(&theirs, "{}");
    std::fs::create_dir_all(world.home().join(".cursor")).unwrap();
    symlink(&theirs, world.home().join(".cursor/mcp.json")).unwrap();
    symlink(theirs.parent().unwrap(), world.home().join(".kiro")).unwrap();
    symlink("/nowhere/at/all", world.home().join(".claude.json")).unwrap();
    let closed = world.home().join(".junie/mcp/mcp.json");
    world.write(&closed, "{}");
    std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o444)).unwrap();
    let project = world.places.project.clone().unwrap();
    symlink(world.home().join(".junie"), project.join(".roo")).unwrap();
    let pipe = world.home().join(".qwen/settings.json");
    std::fs::create_dir_all(pipe.parent().unwrap()).unwrap();
    testkit::make_fifo(&pipe);
    let before = world.snapshot();
    let names = ["cursor", "kiro", "claude-code", "junie", "qwen"];
    let done = add(&world.request(&names, Scope::User, &[Part::Server])).unwrap();
    assert_eq!(statuses(&done, Status::Failed), 5, "{done:#?}");
    assert!(done[0].note.contains("leads out of"), "{}", done[0].note);
    assert!(done[3].note.contains("read-only"), "{}", done[3].note);
    let done = add(&world.request(&["roo"], Scope::Project, &[Part::Server])).unwrap();
    assert_eq!(done[0].status, Status::Failed, "{done:?}");
    assert_eq!(world.snapshot(), before);
}

#[cfg(unix)]
#[test]
fn a_link_that_stays_in_the_home_is_followed_and_stays_a_link() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let world = World::new();
    let real = world.home().join("dotfiles/claude.json");
    world.write(&real, "{\"a\": 1}");
    std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o600)).unwrap();
    symlink("dotfiles/claude.json", world.home().join(".claude.json")).unwrap();
    let before = world.snapshot();
    let request = world.request(&["claude-code"], Scope::User, &[Part::Server]);
    assert_eq!(add(&request).unwrap()[0].status, Status::Added);
    assert!(
        world
            .home()
            .join(".claude.json")
            .symlink_metadata()
            .unwrap()
            .is_symlink()
    );
    assert!(std::fs::read_to_string(&real).unwrap().contains("knotwork"));
    assert_eq!(real.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    remove(std::slice::from_ref(&request)).unwrap();
    assert_eq!(world.snapshot(), before);
}

#[test]
fn a_skill_that_several_agents_read_stays_until_the_last_is_removed() {
    let world = World::new();
    let before = world.snapshot();
    let skill = [Part::Skill];
    let done = add(&world.request(&["codex", "cursor"], Scope::User, &skill)).unwrap();
    assert_eq!(done.len(), 1, "one file for both");
    assert_eq!(
        add(&world.request(&["zed"], Scope::User, &skill)).unwrap()[0].status,
        Status::Unchanged
    );
    let done = remove(&[world.request(&["codex"], Scope::User, &skill)]).unwrap();
    assert_eq!(
        (done[0].status, done[0].note.as_str()),
        (Status::Kept, "used by cursor, zed as well")
    );
    let file = world.home().join(".agents/skills/knotwork/SKILL.md");
    assert!(file.exists());
    assert_eq!(
        remove(&[world.request(&["cursor", "zed"], Scope::User, &skill)]).unwrap()[0].status,
        Status::Removed
    );
    assert_eq!(world.snapshot(), before);
    // An entry that the user changed belongs to the user.
    add(&world.request(&["codex"], Scope::User, &skill)).unwrap();
    world.write(&file, "mine");
    assert_eq!(
        add(&world.request(&["codex"], Scope::User, &skill)).unwrap()[0].status,
        Status::Kept
    );
    assert_eq!(
        remove(&[world.request(&["codex"], Scope::User, &skill)]).unwrap()[0].status,
        Status::Kept
    );
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
}

#[test]
fn what_others_committed_stays_unless_it_is_asked_for() {
    let world = World::new();
    let project = world.places.project.clone().unwrap();
    world.write(
        &project.join(".agents/skills/knotwork/SKILL.md"),
        crate::SKILL,
    );
    let before = world.snapshot();
    let request = Request {
        only_recorded: true,
        ..world.all(Scope::Project)
    };
    assert!(remove(&[request]).unwrap().is_empty());
    assert_eq!(world.snapshot(), before);
    let done = remove(&[world.all(Scope::Project)]).unwrap();
    assert_eq!(statuses(&done, Status::Removed), 1);
    assert!(!project.join(".agents/skills/knotwork").exists());
}

#[test]
fn instructions_are_written_only_where_they_are_asked_for() {
    let world = World::new();
    let names: Vec<&str> = CLIENTS.iter().map(|client| client.name).collect();
    for scope in [Scope::User, Scope::Project, Scope::Local] {
        add(&world.request(&names, scope, &[Part::Server, Part::Hook, Part::Skill])).unwrap();
    }
    let is_theirs = |path: &&PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        name.ends_with(".md") && name != "SKILL.md"
    };
    let all = world.snapshot();
    assert_eq!(all.keys().find(is_theirs), None);
}

#[test]
fn hooks_of_an_earlier_version_are_replaced_and_taken_out() {
    let world = World::new();
    let file = world.home().join(".claude/settings.json");
    world.write(&file, r#"{"model": "opus", "hooks": {"Stop": [], "UserPromptSubmit": [{"hooks": [{"type": "command", "command": "/old/knotwork hook"}]}]}}"#);
    let request = world.request(&["claude-code"], Scope::User, &[Part::Hook]);
    assert_eq!(add(&request).unwrap()[0].status, Status::Updated);
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(
        !text.contains("/old/") && text.contains("'/opt/my tools/knotwork' hook"),
        "{text}"
    );
    assert_eq!(
        remove(std::slice::from_ref(&request)).unwrap()[0].status,
        Status::Removed
    );
    assert_eq!(
        std::fs::read_to_string(&file).unwrap(),
        r#"{"model": "opus", "hooks": {"Stop": []}}"#
    );
}

#[test]
fn the_copy_that_an_earlier_version_left_goes_and_gives_back_the_bytes() {
    let world = World::new();
    let file = world.home().join(".claude/settings.json");
    let theirs = "{ \"model\":\"opus\" }";
    world.write(&file, theirs);
    let before = world.snapshot();
    world.write(&file.with_extension("json.knotwork-backup"), theirs);
    let hooks = r#"{"UserPromptSubmit": [{"hooks": [{"type": "command", "command": "/old/knotwork hook"}]}]}"#;
    world.write(
        &file,
        &format!("{{\n  \"model\": \"opus\",\n  \"hooks\": {hooks}\n}}\n"),
    );
    let request = world.request(&["claude-code"], Scope::User, &[Part::Hook]);
    assert_eq!(remove(&[request]).unwrap()[0].status, Status::Removed);
    assert_eq!(world.snapshot(), before);
}

#[test]
fn an_agent_without_the_scope_or_a_project_is_told() {
    let mut world = World::new();
    let done = add(&world.request(&["windsurf"], Scope::Project, &[Part::Server])).unwrap();
    assert_eq!(
        (done[0].status, done[0].note.as_str()),
        (Status::Unsupported, "Windsurf has no servers in this scope")
    );
    world.places.project = None;
    let done = add(&world.request(&["claude-desktop"], Scope::User, &[Part::Server])).unwrap();
    assert!(done[0].note.contains("-C"), "{done:?}");
}

#[test]
fn what_is_printed_is_what_is_written() {
    let world = World::new();
    let request = world.all(Scope::User);
    let printed = print(&request);
    let before = world.snapshot();
    assert!(before.len() == 2 && printed.len() > 20, "{before:?}");
    add(&request).unwrap();
    for (outcome, text) in printed {
        let path = outcome.path.unwrap();
        assert_eq!(
            std::fs::read_to_string(&path).unwrap(),
            text,
            "{}",
            path.display()
        );
    }
}
