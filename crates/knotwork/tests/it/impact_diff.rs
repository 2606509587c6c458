//! Impact of a diff, with tests to run, owners and public API.

use crate::common::{client::Client, json, knotwork};
use serde_json::{Value, json};
use testkit::Repo;

const SHOP: &str = "//- shop/__init__.py
//- shop/price.py
RATE = 2

def total(rows):
    return sum(rows) * rate()

def rate():
    return RATE

def unused():
    return 0
//- shop/cart.py
from shop.price import total

def checkout(rows):
    return total(rows)
//- tests/test_cart.py
from shop.cart import checkout

def test_checkout():
    assert checkout([1]) == 2

def test_dynamic(thing):
    thing.unused()
//- CODEOWNERS
* @everyone
/shop/price.py @prices
/tests/ @testers
//- README.md
shop
";

fn shop() -> Repo {
    let repo = Repo::new(SHOP);
    repo.write(".gitignore", ".devbooks\n");
    repo.commit_all();
    repo
}

fn git(repo: &Repo, arguments: &[&str]) {
    let done = std::process::Command::new("git")
        .args(["-c", "user.name=t", "-c", "user.email=t@example.org"])
        .args(arguments)
        .current_dir(repo.path())
        .output()
        .unwrap();
    assert!(done.status.success(), "{done:?}");
}

fn edit(repo: &Repo, path: &str, from: &str, to: &str) {
    let text = std::fs::read_to_string(repo.file_path(path)).unwrap();
    assert!(text.contains(from));
    repo.write(path, &text.replace(from, to));
}

fn changed(answer: &Value) -> Vec<String> {
    let all = answer["diff"]["changed"].as_array().unwrap();
    let one = |c: &Value| {
        format!(
            "{} {}",
            c["symbol"].as_str().unwrap(),
            c["change"].as_str().unwrap()
        )
    };
    all.iter().map(one).collect()
}

#[test]
fn owners_that_cannot_be_read_are_said() {
    let repo = shop();
    repo.write("CODEOWNERS", &"# long\n".repeat(500_000));
    let answer = json(&repo, &["impact", "total"]);
    assert_eq!(answer["owners"], Value::Null);
    let why = answer["owners_unread"].as_str().unwrap();
    assert!(why.contains("CODEOWNERS is not read"), "{why}");
}

#[test]
fn changed_lines_lead_to_symbols_tests_and_owners() {
    let repo = shop();
    edit(
        &repo,
        "shop/price.py",
        "    return RATE",
        "    return RATE + 1",
    );
    let answer = json(&repo, &["impact", "--since", "HEAD"]);
    assert_eq!(changed(&answer), ["rate modified"]);
    let affected: Vec<&str> = answer["affected"]
        .as_array()
        .unwrap()
        .iter()
        .map(|a| a["symbol"].as_str().unwrap())
        .collect();
    assert!(affected.starts_with(&["total"]), "{answer}");
    assert!(
        affected.contains(&"checkout") && affected.contains(&"test_checkout"),
        "{answer}"
    );
    assert_eq!(
        answer["tests_to_run"],
        json!([{"file_path": "tests/test_cart.py", "tests": ["test_checkout"]}])
    );
    assert_eq!(
        answer["affected_files"],
        json!(["shop/price.py", "shop/cart.py"])
    );
    assert_eq!(
        answer["owners"],
        json!([
            {"owner": "@prices", "changed": 1, "affected": 1},
            {"owner": "@everyone", "changed": 0, "affected": 1},
            {"owner": "@testers", "changed": 0, "affected": 1},
        ])
    );
    assert_eq!(answer["public_api"], json!(["rate (shop/price.py)"]));
    let files = &answer["diff"]["changed_files"];
    assert_eq!(files[0]["change"], "modified");
    assert_eq!(files[0]["lines_added"], 1);
}

#[test]
fn what_is_staged_alone_counts() {
    let repo = shop();
    edit(
        &repo,
        "shop/cart.py",
        "    return total(rows)",
        "    return total(rows) + 1",
    );
    git(&repo, &["add", "shop/cart.py"]);
    edit(
        &repo,
        "shop/price.py",
        "    return RATE",
        "    return RATE + 1",
    );
    // The change is staged, and unstaged lines have moved it down since.
    edit(
        &repo,
        "shop/cart.py",
        "def checkout",
        "def other():\n    pass\n\ndef checkout",
    );
    let answer = json(&repo, &["impact", "--staged"]);
    assert_eq!(changed(&answer), ["checkout modified"]);
    let since = json(&repo, &["impact", "--since", "HEAD"]);
    assert_eq!(
        changed(&since),
        ["other added", "checkout modified", "rate modified"]
    );
}

#[test]
fn what_was_removed_and_is_still_called_is_named() {
    let repo = shop();
    edit(&repo, "shop/price.py", "def unused():\n    return 0\n", "");
    let answer = json(&repo, &["impact", "--since", "HEAD"]);
    assert!(
        changed(&answer).contains(&"unused removed".to_owned()),
        "{answer}"
    );
    let still = &answer["diff"]["still_called"][0];
    assert_eq!(still["name"], "unused");
    assert_eq!(
        (still["calls"].as_u64(), still["in_tests"].as_u64()),
        (Some(1), Some(1))
    );
    assert_eq!(still["such_as"], json!(["tests/test_cart.py:7"]));
}

#[test]
fn all_removed_names_that_are_still_called_are_named_or_counted() {
    let defined: String = (0..230)
        .map(|n| format!("def old_{n}():\n    return {n}\n"))
        .collect();
    let calls: String = (0..230).map(|n| format!("    a.old_{n}()\n")).collect();
    let repo = Repo::new(&format!(
        "//- a.py\n{defined}\n//- b.py\nimport a\n\ndef use():\n{calls}"
    ));
    repo.commit_all();
    // A file that loses all of its definitions is one of them.
    edit(&repo, "a.py", &defined, "");
    let answer = json(&repo, &["impact", "--since", "HEAD"]);
    let diff = &answer["diff"];
    assert_eq!(diff["still_called"].as_array().map(Vec::len), Some(200));
    assert_eq!(diff["removed_unsearched"], json!(30));
}

#[test]
fn a_class_that_loses_a_method_is_not_changed_as_a_whole() {
    let repo = Repo::new(
        "//- a.py\nclass Box:\n    def one(self):\n        return 1\n\n    def two(self):\n        return 2\n\n    \
         def three(self):\n        return 3\n\ndef use():\n    return Box().one()\n",
    );
    repo.commit_all();
    edit(
        &repo,
        "a.py",
        "    def two(self):\n        return 2\n\n",
        "",
    );
    let answer = json(&repo, &["impact", "--since", "HEAD"]);
    assert_eq!(changed(&answer), ["Box.two removed"], "{answer}");
    assert_eq!(answer["total_affected"], 0);
    edit(&repo, "a.py", "return 1\n", "return 1\n\n\n");
    assert_eq!(
        changed(&json(&repo, &["impact", "--since", "HEAD"])),
        ["Box.two removed"]
    );
}

#[test]
fn an_impact_without_tests_says_what_may_be_a_call_of_it() {
    let repo = shop();
    let answer = json(&repo, &["impact", "unused"]);
    assert_eq!(answer["total_affected"], 0, "{answer}");
    assert_eq!(answer["unresolved"]["calls"], 1, "{answer}");
    assert_eq!(
        answer["unresolved"]["such_as"],
        json!(["tests/test_cart.py:7"])
    );
    let none = json(&repo, &["impact", "rate"]);
    assert!(none.get("unresolved").is_none(), "{none}");
    let said = knotwork(&repo, &["impact", "unused"]);
    assert!(
        said.stdout
            .contains("1 unresolved call named unused (1 in tests) may also lead here"),
        "{said:?}"
    );
}

#[test]
fn renamed_added_and_removed_files() {
    let repo = shop();
    git(&repo, &["mv", "shop/price.py", "shop/prices.py"]);
    edit(&repo, "shop/cart.py", "shop.price", "shop.prices");
    repo.write("shop/new.py", "def fresh():\n    return 1\n");
    std::fs::remove_file(repo.file_path("README.md")).unwrap();
    let answer = json(&repo, &["impact", "--since", "HEAD"]);
    let files = answer["diff"]["changed_files"].as_array().unwrap();
    let shown: Vec<String> = files
        .iter()
        .map(|f| {
            format!(
                "{} {}",
                f["file_path"].as_str().unwrap(),
                f["change"].as_str().unwrap()
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            "README.md removed",
            "shop/cart.py modified",
            "shop/new.py added",
            "shop/prices.py renamed"
        ]
    );
    assert_eq!(changed(&answer), ["fresh added"], "{answer}");
}

#[test]
fn every_shape_and_door() {
    let repo = shop();
    edit(
        &repo,
        "shop/price.py",
        "    return RATE",
        "    return RATE + 1",
    );
    let md = knotwork(&repo, &["impact", "--since", "HEAD", "--format", "md"]);
    assert!(
        md.stdout.contains("# Impact of `what differs from HEAD`"),
        "{md:?}"
    );
    assert!(
        md.stdout
            .contains("Tests to run: tests/test_cart.py (test_checkout)"),
        "{md:?}"
    );
    let drawn = knotwork(&repo, &["impact", "--since", "HEAD", "--format", "mermaid"]);
    assert!(drawn.stdout.starts_with("graph RL"), "{drawn:?}");
    let mut client = Client::start(&repo);
    client.initialize();
    let (by_tool, failed) = client.call("ci_impact", json!({"symbol": "", "since": "HEAD"}));
    assert!(!failed, "{by_tool}");
    assert_eq!(changed(&by_tool), ["rate modified"]);
    let file = json(&repo, &["impact", "file", "shop/price.py"]);
    assert_eq!(file["owners"][0]["owner"], "@prices");
    assert_eq!(file["test_files"], 1);
}

#[test]
fn bad_input_is_told_what_is_wrong() {
    let repo = shop();
    for (arguments, said) in [
        (
            &["impact", "--since", "nonsense"][..],
            "unknown revision: nonsense",
        ),
        (
            &["impact", "--since", "HEAD", "--staged"],
            "cannot be used with",
        ),
        (&["impact"], "required"),
        (&["impact", "x", "--since", "HEAD"], "cannot be used with"),
        (
            &["impact", "--since", "HEAD", "--depth", "0"],
            "Must be between 1 and 10",
        ),
        (&["impact", "t\u{f6}tal\u{1F600}"], "symbol not found"),
    ] {
        let all = knotwork(&repo, arguments);
        assert_eq!(all.code, 1, "{arguments:?}: {all:?}");
        assert!(all.stderr.contains(said), "{arguments:?}: {all:?}");
    }
    let nothing = json(&repo, &["impact", "--staged"]);
    assert_eq!(nothing["total_affected"], 0);
    assert_eq!(nothing["diff"]["total_changed"], 0);
    let bare = Repo::new("//- a.py\ndef a():\n    pass\n");
    let none = knotwork(&bare, &["impact", "--staged"]);
    assert_eq!(none.code, 1);
    assert!(none.stderr.contains("no git repository"), "{none:?}");
}

#[test]
fn comments_and_documentation_change_nothing() {
    let repo = Repo::new(
        "//- store.go\npackage store\n\n// Options of a store.\ntype Options struct {\n\t// Size in bytes.\n\tSize int\n\t// Name of it.\n\tName string\n}\n\nfunc Open(o Options) int {\n\tcheck(o)\n\treturn o.Size\n}\n\nfunc check(o Options) {\n\trows := []struct{ left int }{{1}}\n\t_ = rows\n}\n//- shop.py\nclass Shop:\n    \"\"\"Sells.\"\"\"\n    def sell(self):\n        \"\"\"Sells one.\"\"\"\n        return 1\n",
    );
    repo.write(".gitignore", ".devbooks\n");
    repo.commit_all();
    edit(
        &repo,
        "store.go",
        "// Size in bytes.",
        "// Size, in bytes\n\t// of eight bits.",
    );
    edit(&repo, "shop.py", "Sells.", "Sells all\n    that there is.");
    edit(&repo, "shop.py", "Sells one.", "Sells two.");
    let answer = json(&repo, &["impact", "--since", "HEAD"]);
    assert_eq!(changed(&answer), [""; 0], "{answer}");
    assert_eq!(answer["diff"]["total_files"], 2, "{answer}");
    // Code that became a comment counts as removed.
    edit(&repo, "store.go", "\tcheck(o)\n", "\t// check(o)\n");
    let answer = json(&repo, &["impact", "--since", "HEAD"]);
    assert_eq!(changed(&answer), ["Open modified"], "{answer}");
    // A removed member does not remove its type, and a change within a body does not remove definitions
    // there.
    edit(&repo, "store.go", "\t// Name of it.\n\tName string\n", "");
    edit(&repo, "store.go", "{{1}}", "{{2}}");
    let answer = json(&repo, &["impact", "--since", "HEAD"]);
    let expected = ["Open modified", "check modified", "Options.Name removed"];
    assert_eq!(changed(&answer), expected, "{answer}");
}
