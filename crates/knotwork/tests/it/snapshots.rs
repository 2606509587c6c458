//! Snapshots of the help of every command, and of the output of each command for a small project.
//!
//! After an intended change, `INSTA_UPDATE=always cargo test -p knotwork snapshots::` updates them.

use crate::common::client::Client;
use crate::common::{knotwork, knotwork_with};
use serde_json::json;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use testkit::{CommandOutput, Repo};

/// A service in Python and TypeScript with a cycle, an unused function, tests, a lock file and a rule.
const PROJECT: &str = r#"
//- .gitignore
.devbooks/
//- README.md
# Orders

Orders are placed and paid here.
//- shop/__init__.py
//- shop/orders.py
from shop import payments


class Order:
    """One order of a customer."""

    def __init__(self, items):
        self.items = items

    def total(self):
        return sum(item.price for item in self.items)


def place_order(items):
    """Places an order and takes the payment."""
    order = Order(items)
    if order.total() > 1000:
        raise ValueError("order exceeds the credit limit")
    payments.charge(order.total())
    return order


def never_called():
    return 1
//- shop/payments.py
from shop import orders


def charge(amount):
    """Takes money from the customer."""
    if amount <= 0:
        raise ValueError("nothing to charge")
    return retry(lambda: amount)


def retry(action):
    for attempt in range(3):
        try:
            return action()
        except OSError:
            if attempt == 2:
                raise


def kind():
    return orders.Order
//- tests/test_orders.py
from shop.orders import place_order


def test_an_order_is_placed():
    assert place_order([]) is not None
//- web/src/cart.ts
export interface Item { price: number }

export class Cart {
  private items: Item[] = [];
  add(item: Item): void { this.items.push(item); }
  total(): number { return this.items.reduce((sum, item) => sum + item.price, 0); }
}

export function checkout(cart: Cart): number { return cart.total(); }
//- web/package.json
{"name": "web", "version": "1.0.0", "dependencies": {"left-pad": "1.3.0"}}
//- web/package-lock.json
{"name": "web", "version": "1.0.0", "lockfileVersion": 3, "packages": {"": {"name": "web", "version": "1.0.0", "dependencies": {"left-pad": "1.3.0"}}, "node_modules/left-pad": {"version": "1.3.0"}}}
//- config/arch-rules.yaml
rules:
  - name: payments-know-no-orders
    from: shop/payments.py
    to: shop/orders.py
//- audit.json
{"auditReportVersion": 2, "vulnerabilities": {"left-pad": {"name": "left-pad", "severity": "high", "via": [{"source": 1, "name": "left-pad", "title": "Pads too much", "url": "https://example.org/1", "severity": "high", "range": "<1.3.1"}], "effects": [], "range": "<1.3.1", "nodes": ["node_modules/left-pad"], "fixAvailable": true}}}
//- results.json
[{"symbol_id": "shop/payments.py::charge", "file_path": "shop/payments.py", "line_range": "4-8", "content": "def charge(amount)"}]
//- tool/main.nim
proc main(): int = 0
"#;

/// Replaces the parts that differ between runs.
fn stable(text: &str, repo: &Repo) -> String {
    let root = repo.path().display().to_string();
    let real = repo.path().canonicalize().unwrap().display().to_string();
    let text = text.replace(&real, "[ROOT]").replace(&root, "[ROOT]");
    let name = repo
        .path()
        .file_name()
        .unwrap()
        .to_string_lossy()
        .into_owned();
    let text = text.replace(&name, "[NAME]");
    let mut out = String::new();
    for line in text.lines() {
        let line = without_measures(line);
        let words = line.split_inclusive(' ').map(|word| {
            let bare = word.trim_end().trim_end_matches([',', ')', ';']);
            let bare = bare.trim_matches('"');
            let is_hash = bare.len() >= 10 && bare.chars().all(|c| c.is_ascii_hexdigit());
            if is_hash {
                word.replace(bare, "[HASH]")
            } else if is_date(bare) {
                word.replace(bare, "[DATE]")
            } else {
                word.to_owned()
            }
        });
        let line: String = words.collect();
        // The width of a column depends on the sizes in it.
        let line = match line.trim_start() {
            first if first.starts_with("[N]") => first,
            _ => line.as_str(),
        };
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// A line with `[N]` in place of numbers before a unit of time or size.
fn without_measures(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let is_unit = |word: &str| {
        matches!(
            word.trim_end_matches([')', ',', ';']),
            "ms" | "s" | "kB" | "MB"
        )
    };
    let shown = words.iter().enumerate().map(|(at, word)| {
        let number = word.trim_start_matches('(');
        let is_number = number.parse::<f64>().is_ok();
        if is_number && words.get(at + 1).is_some_and(|next| is_unit(next)) {
            word.replace(number, "[N]")
        } else {
            (*word).to_owned()
        }
    });
    shown.collect::<Vec<String>>().join(" ")
}

/// Whether a word is a date such as `2026-01-31`.
fn is_date(word: &str) -> bool {
    let digits = word.chars().filter(char::is_ascii_digit).count();
    word.len() == 10 && digits == 8 && word.split('-').count() == 3
}

fn check(name: &str, text: &str) {
    insta::with_settings!({
        snapshot_path => "snapshots",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!(name, text);
    });
}

/// The names of the commands that a help text lists.
fn commands(help: &str) -> Vec<String> {
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let list = list.take_while(|line| !line.is_empty());
    let named = list.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = named.filter_map(|line| line.split_whitespace().next());
    names
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

/// The help of a command and of its subcommands.
fn help(repo: &Repo, path: &[&str], out: &mut String) -> Vec<String> {
    let mut arguments = path.to_vec();
    arguments.push("--help");
    let said = knotwork(repo, &arguments);
    assert_eq!(said.code, 0, "{said:?}");
    out.push_str(&format!(
        "$ knotwork {}\n\n{}\n",
        arguments.join(" "),
        said.stdout
    ));
    let below = commands(&said.stdout);
    if !path.is_empty() {
        for name in &below {
            let mut path = path.to_vec();
            path.push(name);
            help(repo, &path, out);
        }
    }
    below
}

#[test]
fn the_help_of_every_command() {
    let repo = Repo::new("//- .git/HEAD\nref\n");
    let mut text = String::new();
    let commands = help(&repo, &[], &mut text);
    check("help", &stable(&text, &repo));
    assert!(commands.len() > 20, "{commands:?}");
    for command in commands {
        let mut text = String::new();
        help(&repo, &[&command], &mut text);
        check(&format!("help-{command}"), &stable(&text, &repo));
    }
}

/// Commands that do not end by themselves. They have snapshots of their own.
const SERVERS: [&str; 2] = ["watch", "mcp"];

/// The commands, with the names of their snapshots. A test fails if a command is missing here.
const TEXTS: &[(&str, &[&str])] = &[
    ("search", &["search", "place an order"]),
    ("search-symbol", &["search", "--mode", "symbol", "Cart"]),
    ("search-regex", &["search", "--mode", "regex", "raise \\w+"]),
    ("search-nothing", &["search", "zygote"]),
    (
        "graph-rag",
        &["graph-rag", "how is an order paid", "--format", "md"],
    ),
    (
        "call-chain",
        &["call-chain", "charge", "--direction", "both"],
    ),
    ("call-chain-unknown", &["call-chain", "chrage"]),
    ("impact", &["impact", "retry"]),
    ("impact-file", &["impact", "file", "shop/payments.py"]),
    ("impact-text-only", &["impact", "tool/main.nim"]),
    (
        "bug-locate",
        &[
            "bug-locate",
            "--error",
            "ValueError: order exceeds the credit limit",
        ],
    ),
    ("hotspot", &["hotspot"]),
    ("arch-check", &["arch-check", "--all"]),
    ("cod", &["cod", "generate", "--level", "3"]),
    ("complexity", &["complexity", "--top", "5"]),
    ("boundary", &["boundary", "--path", "tests/test_orders.py"]),
    ("pattern", &["pattern", "learn"]),
    ("vuln-parse", &["vuln", "parse", "--input", "audit.json"]),
    ("vuln-trace", &["vuln", "trace", "left-pad"]),
    (
        "graph-store-find-symbol",
        &["graph-store", "find-symbol", "Order.total"],
    ),
    ("intent", &["intent", "query"]),
    ("index", &["index"]),
    ("index-status", &["index", "status"]),
    ("ast-delta", &["ast-delta", "shop/orders.py"]),
    ("embedding", &["embedding", "status"]),
    (
        "rerank",
        &["rerank", "--query", "who pays", "--input", "results.json"],
    ),
    (
        "solution",
        &["solution", "search", "no such table on startup"],
    ),
    ("solution-list-tags", &["solution", "list-tags"]),
    ("config", &["config", "show"]),
    ("cache", &["cache", "status"]),
    ("shims", &["shims", "list"]),
    (
        "setup",
        &[
            "setup", "--print", "--scope", "project", "--client", "codex",
        ],
    ),
    ("daemon", &["daemon", "status"]),
    ("federation", &["federation", "status"]),
    ("pattern-check", &["pattern", "check"]),
    // Without a database both commands say what they need.
    ("worker", &["worker", "--status"]),
    ("serve", &["serve", "--users"]),
    // Their default is JSON.
    ("daemon-text", &["daemon", "status", "--format", "text"]),
    (
        "rerank-text",
        &[
            "rerank",
            "--query",
            "who pays",
            "--input",
            "results.json",
            "--format",
            "text",
        ],
    ),
    (
        "hook",
        &["hook", "--prompt", "why does place_order exceed the limit"],
    ),
    ("scip", &["scip", "parse"]),
    ("completions", &["completions", "bash"]),
    ("doctor", &["doctor"]),
    ("projects", &["projects"]),
    ("purge", &["purge", "--dry-run"]),
    ("man", &["man", "--output", "pages"]),
    ("view", &["view", "--export", "page.html"]),
];

/// The lines of a longer output that a snapshot shows.
const LONGEST: usize = 60;

/// The folders of a user who has nothing yet.
struct User {
    home: Repo,
}

impl User {
    fn new() -> User {
        User {
            home: Repo::new("//- .profile\nx\n"),
        }
    }

    fn environment(&self) -> Vec<(&'static str, String)> {
        let folder = |name: &str| self.home.file_path(name).display().to_string();
        vec![
            ("HOME", self.home.path().display().to_string()),
            ("XDG_CONFIG_HOME", folder("config")),
            ("XDG_DATA_HOME", folder("data")),
            ("XDG_CACHE_HOME", folder("cache")),
            ("XDG_STATE_HOME", folder("state")),
            ("SOLUTION_MEMORY_PATH", folder("solutions")),
            ("CLAUDE_CONFIG_DIR", String::new()),
            ("CODEX_HOME", String::new()),
            // No program of the machine is found.
            ("PATH", "/nowhere".to_owned()),
        ]
    }

    fn run(&self, repo: &Repo, arguments: &[&str]) -> CommandOutput {
        let environment = self.environment();
        let environment: Vec<(&str, &str)> = environment
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        knotwork_with(repo, &environment, arguments)
    }

    /// Compares what a command says, without paths of the machine.
    fn check_output(&self, repo: &Repo, name: &str, arguments: &[&str], output: &CommandOutput) {
        let text = format!(
            "$ knotwork {}\nexit code {}\n--- stdout\n{}--- stderr\n{}",
            arguments.join(" "),
            output.code,
            beginning(&output.stdout),
            output.stderr
        );
        let home = self.home.path().display().to_string();
        let text = text
            .replace(env!("CARGO_BIN_EXE_knotwork"), "[PROGRAM]")
            .replace(env!("CARGO_PKG_VERSION"), "[VERSION]")
            .replace(&home, "[HOME]");
        check(&format!("text-{name}"), &stable(&text, repo));
    }
}

/// The first lines of a long output.
fn beginning(text: &str) -> String {
    if text.lines().count() <= LONGEST {
        return text.to_owned();
    }
    let lines = text.lines().take(LONGEST).chain(["[…]"]);
    lines.map(|line| format!("{line}\n")).collect()
}

/// A repository with an index, and the user who made it.
fn indexed() -> (Repo, User) {
    let (repo, user) = (Repo::new(PROJECT), User::new());
    repo.commit_all();
    let index = user.run(&repo, &["index"]);
    assert_eq!(index.code, 0, "{index:?}");
    (repo, user)
}

#[test]
fn the_text_of_every_command() {
    let (repo, user) = indexed();
    for (name, arguments) in TEXTS {
        user.check_output(&repo, name, arguments, &user.run(&repo, arguments));
    }
    let is_shown = |command: &str| {
        SERVERS.contains(&command) || TEXTS.iter().any(|(_, arguments)| arguments[0] == command)
    };
    let all = commands(&user.run(&repo, &["--help"]).stdout).into_iter();
    let without: Vec<String> = all.filter(|command| !is_shown(command)).collect();
    assert!(without.is_empty(), "no snapshot of {without:?}");
}

#[test]
fn the_text_of_an_import_of_scip() {
    let (repo, user) = indexed();
    repo.write("a.ts", "export function f() {}\n");
    std::fs::write(repo.file_path("index.scip"), crate::scip::index()).unwrap();
    let arguments = ["scip", "parse"];
    user.check_output(
        &repo,
        "scip-parse",
        &arguments,
        &user.run(&repo, &arguments),
    );
}

#[test]
fn the_text_of_a_watch() {
    let (repo, user) = indexed();
    let mut child = Command::new(env!("CARGO_BIN_EXE_knotwork"))
        .arg("watch")
        .current_dir(repo.path())
        .envs(user.environment())
        .env("KNOTWORK_CACHE_SHARED", "false")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = String::new();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    lines.read_line(&mut stdout).unwrap();
    child.kill().unwrap();
    let rest = child.wait_with_output().unwrap();
    let output = CommandOutput {
        code: 0,
        stdout,
        stderr: String::from_utf8_lossy(&rest.stderr).into_owned(),
    };
    user.check_output(&repo, "watch", &["watch"], &output);
}

#[test]
fn the_text_of_an_mcp_session() {
    let (repo, user) = indexed();
    let environment = user.environment();
    let environment: Vec<(&str, &str)> = environment
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    let mut client = Client::start_in(&repo, &environment);
    let hello = client.initialize();
    let tools = client.ask("tools/list", json!({}));
    let mut stdout = format!("{}\n", hello["result"]["instructions"].as_str().unwrap());
    for tool in tools["result"]["tools"].as_array().unwrap() {
        let (name, about) = (tool["name"].as_str(), tool["description"].as_str());
        stdout += &format!("\n{}: {}\n", name.unwrap(), about.unwrap());
    }
    let (answer, _) = client.call("ci_call_chain", json!({"symbol": "charge"}));
    stdout += &format!("\nci_call_chain charge\n{answer:#}\n");
    let output = CommandOutput {
        code: 0,
        stdout,
        stderr: String::new(),
    };
    user.check_output(&repo, "mcp", &["mcp"], &output);
}
