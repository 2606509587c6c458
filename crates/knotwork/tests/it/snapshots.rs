//! Snapshots of the help of every command, and of the output of each command for a small project.
//!
//! After an intended change, `INSTA_UPDATE=always cargo test -p knotwork snapshots::` updates them.

use crate::common::{knotwork, knotwork_with};
use testkit::Repo;

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

/// Commands without a snapshot: they run until they are stopped, speak a protocol, or read a file of a compiler. The last
/// three describe the machine and have tests of their own.
const WITHOUT_TEXT: [&str; 10] = [
    "watch",
    "mcp",
    "hook",
    "scip",
    "doctor",
    "projects",
    "purge",
    "completions",
    "man",
    "view",
];

/// The commands, with the names of their snapshots. For other commands, the first example of their help is used.
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
];

/// The arguments of the first example in the help of a command; quotes keep words together.
fn first_example(repo: &Repo, command: &str) -> Vec<String> {
    let help = knotwork(repo, &[command, "--help"]).stdout;
    let mut lines = help
        .lines()
        .skip_while(|line| !matches!(*line, "Example:" | "Examples:"));
    let example = lines.find_map(|line| line.strip_prefix("  knotwork "));
    let example = example.unwrap_or_else(|| panic!("no example of {command}"));
    let example = example.split("  ").next().unwrap_or_default();
    let mut arguments = Vec::new();
    for (at, part) in example.split('"').enumerate() {
        if at % 2 == 1 {
            arguments.push(part.to_owned());
        } else {
            arguments.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    arguments
}

/// Runs a command in a project and compares what it says.
fn check_text(repo: &Repo, name: &str, arguments: &[&str]) {
    // Files of the user who runs the tests must not be read.
    let own = |name: &str| repo.file_path(name).display().to_string();
    let (configuration, solutions) = (own("no-configuration"), own("no-solutions"));
    let environment = [
        ("XDG_CONFIG_HOME", configuration.as_str()),
        ("SOLUTION_MEMORY_PATH", &solutions),
    ];
    let said = knotwork_with(repo, &environment, arguments);
    let text = format!(
        "$ knotwork {}\nexit code {}\n--- stdout\n{}--- stderr\n{}",
        arguments.join(" "),
        said.code,
        said.stdout,
        said.stderr
    );
    check(&format!("text-{name}"), &stable(&text, repo));
}

#[test]
fn the_text_of_every_command() {
    let repo = Repo::new(PROJECT);
    repo.commit_all();
    let index = knotwork(&repo, &["index"]);
    assert_eq!(index.code, 0, "{index:?}");
    for (name, arguments) in TEXTS {
        check_text(&repo, name, arguments);
    }
    let all = commands(&knotwork(&repo, &["--help"]).stdout);
    let is_shown = |command: &str| TEXTS.iter().any(|(_, arguments)| arguments[0] == command);
    for command in all {
        if !WITHOUT_TEXT.contains(&command.as_str()) && !is_shown(&command) {
            let arguments = first_example(&repo, &command);
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            check_text(&repo, &command, &arguments);
        }
    }
}
