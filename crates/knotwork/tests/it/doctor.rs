//! `doctor`, `projects` and `purge` in temporary homes.

use crate::common::knotwork_with;
use serde_json::Value;
use std::path::PathBuf;
use testkit::{CommandOutput, Repo};

const CODE: &str = "//- home/.profile\nx\n//- shop/.hg/x\n\n//- shop/a.py\ndef add_tax(price):\n    return price\n";

struct World {
    repo: Repo,
}

impl World {
    fn new() -> World {
        World {
            repo: Repo::new(CODE),
        }
    }

    fn path(&self, path: &str) -> PathBuf {
        self.repo.file_path(path)
    }

    fn run(&self, arguments: &[&str]) -> CommandOutput {
        let home = self.path("home");
        let text = |path: &str| home.join(path).display().to_string();
        let (config, data, cache) = (text(".config"), text(".local/share"), text(".cache"));
        let solutions = text(".solution-memory");
        let environment = [
            ("HOME", home.to_str().unwrap()),
            ("XDG_CONFIG_HOME", &config),
            ("XDG_DATA_HOME", &data),
            ("XDG_CACHE_HOME", &cache),
            ("SOLUTION_MEMORY_PATH", &solutions),
            ("KNOTWORK_CACHE_SHARED", "true"),
            ("CLAUDE_CONFIG_DIR", ""),
            ("CODEX_HOME", ""),
            ("PATH", "/nowhere"),
        ];
        let shop = self.path("shop");
        let mut all = vec!["-C", shop.to_str().unwrap()];
        all.extend(arguments);
        knotwork_with(&self.repo, &environment, &all)
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let said = self.run(&[arguments, &["--format", "json"]].concat());
        serde_json::from_str(&said.stdout).unwrap_or_else(|e| panic!("{e}: {said:?}"))
    }
}

fn finding<'v>(answer: &'v Value, what: &str) -> &'v Value {
    let all = answer["findings"].as_array().unwrap();
    all.iter()
        .find(|finding| finding["what"] == what)
        .unwrap_or_else(|| panic!("no {what}: {answer}"))
}

#[test]
fn the_doctor_says_what_is_missing_and_how_to_mend_it() {
    let world = World::new();
    world.repo.write("home/.cursor/mcp.json", "{}");
    world
        .repo
        .write("home/.kiro/settings/mcp.json", "{\"mcpServers\": ");
    let answer = world.json(&["doctor"]);
    assert_eq!(answer["healthy"], false, "{answer}");
    assert_eq!(finding(&answer, "program")["health"], "note");
    assert!(
        finding(&answer, "index")["mend"]
            .as_str()
            .unwrap()
            .contains("knotwork index")
    );
    assert_eq!(
        finding(&answer, "Cursor")["mend"],
        "knotwork setup --client cursor"
    );
    assert_eq!(finding(&answer, "Kiro")["health"], "broken");
    assert!(!world.path("shop/.devbooks").exists(), "it builds nothing");
    let said = world.run(&["doctor"]);
    assert_eq!(said.code, 3, "{said:?}");
    assert!(
        said.stdout.contains("BROKEN") && said.stdout.contains("-> "),
        "{said:?}"
    );

    assert_eq!(world.run(&["index"]).code, 0);
    assert_eq!(world.run(&["setup", "--client", "cursor"]).code, 0);
    world.repo.write("home/.kiro/settings/mcp.json", "{}");
    let answer = world.json(&["doctor"]);
    assert_eq!(answer["healthy"], true, "{answer}");
    assert_eq!(finding(&answer, "Cursor")["health"], "ok");
    assert!(
        finding(&answer, "index")["found"]
            .as_str()
            .unwrap()
            .contains("1 file"),
        "{answer}"
    );
    assert!(
        finding(&answer, "provider")["found"]
            .as_str()
            .unwrap()
            .contains("builtin")
    );
    let said = world.run(&["doctor", "--set", "embedding.provider=openai"]);
    assert_eq!(said.code, 3, "{said:?}");
    assert!(
        said.stdout.contains("OPENAI_API_KEY is not set"),
        "{said:?}"
    );
}

#[test]
fn what_is_indexed_is_listed_and_removed() {
    let world = World::new();
    assert_eq!(world.json(&["projects"])["projects"], serde_json::json!([]));
    assert_eq!(world.run(&["index"]).code, 0);
    let answer = world.json(&["projects"]);
    let root = world.path("shop").canonicalize().unwrap();
    assert_eq!(answer["projects"][0]["root"], root.to_str().unwrap());
    assert!(answer["projects"][0]["bytes"].as_u64().unwrap() > 1_000);
    let said = world.run(&["purge"]);
    assert_eq!(said.code, 1, "it asks: {said:?}");
    assert!(said.stderr.contains("--yes"), "{said:?}");
    let said = world.run(&["purge", "--dry-run"]);
    assert!(
        said.stdout.contains("This would be removed") && said.stdout.contains(".devbooks"),
        "{said:?}"
    );
    assert!(world.path("shop/.devbooks/graph.db").exists());
    assert_eq!(world.run(&["purge", "--yes"]).code, 0);
    assert!(!world.path("shop/.devbooks").exists() && world.path("shop/a.py").exists());
    assert_eq!(world.json(&["projects"])["projects"], serde_json::json!([]));
    assert!(
        world
            .run(&["purge", "--yes"])
            .stdout
            .contains("nothing to remove")
    );
}

#[test]
fn everything_goes_but_solutions_and_files_of_others() {
    let world = World::new();
    assert_eq!(world.run(&["index"]).code, 0);
    world.repo.write(
        "home/.config/knotwork/config.yaml",
        "limits:\n  memory: 1GB\n",
    );
    world.repo.write("home/.config/knotwork/notes.txt", "mine");
    world.repo.write("home/.cursor/mcp.json", "{}");
    assert_eq!(world.run(&["setup", "--client", "cursor"]).code, 0);
    let save = [
        "solution",
        "save",
        "--title",
        "t",
        "--problem",
        "p is broken",
        "--solution",
        "mend p",
    ];
    assert_eq!(world.run(&save).code, 0);
    let said = world.run(&["purge", "--all", "--yes"]);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(said.stderr.contains("knotwork setup --remove"), "{said:?}");
    assert!(said.stderr.contains("notes.txt is kept"), "{said:?}");
    assert!(!world.path("shop/.devbooks").exists() && !world.path("home/.cache/knotwork").exists());
    assert!(!world.path("home/.config/knotwork/config.yaml").exists());
    assert!(world.path("home/.local/share/knotwork/setup.json").exists());
    assert!(!world.path("home/.local/share/knotwork/key").exists());
    assert!(world.path("home/.solution-memory/solutions.db").exists());
    assert_eq!(world.run(&["setup", "--remove"]).code, 0);
    assert_eq!(
        std::fs::read_to_string(world.path("home/.cursor/mcp.json")).unwrap(),
        "{}"
    );
    world.repo.write("home/.solution-memory/thesis.tex", "mine");
    world
        .repo
        .write("home/.solution-memory/solutions.docx", "mine");
    assert_eq!(
        world.run(&["purge", "--all", "--solutions", "--yes"]).code,
        0
    );
    assert!(!world.path("home/.solution-memory/solutions.db").exists());
    assert!(world.path("home/.solution-memory/thesis.tex").exists());
    assert!(world.path("home/.solution-memory/solutions.docx").exists());
}

#[test]
fn what_is_no_index_is_not_removed() {
    let world = World::new();
    world.repo.write("shop/.devbooks/thesis.tex", "mine");
    let said = world.run(&["purge", "--yes"]);
    assert_eq!(said.code, 1, "{said:?}");
    assert!(said.stderr.contains("no index"), "{said:?}");
    assert_eq!(world.run(&["index"]).code, 0);
    let said = world.run(&["purge", "--yes"]);
    assert!(
        said.code == 1 && said.stderr.contains("thesis.tex"),
        "{said:?}"
    );
    assert!(world.path("shop/.devbooks/graph.db").exists());
    let said = world.run(&["purge", "--all", "--yes"]);
    assert!(
        said.code == 0 && said.stderr.contains("thesis.tex"),
        "{said:?}"
    );
    assert!(world.path("shop/.devbooks/graph.db").exists());
    assert!(!world.path("home/.cache/knotwork").exists());
}
