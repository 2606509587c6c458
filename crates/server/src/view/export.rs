//! The page as one file without a server: everything that it needs is inside, and it loads nothing.

use super::assets::{ASSETS, Asset, SCRIPT};
use crate::mcp::Http;
use engine::{Engine, EngineError, LayoutAnswer, LayoutRequest};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

/// Limits on the content of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExportLimits {
    /// The bytes of answers about single symbols, after which no more are added. The largest symbols come first.
    pub symbol_bytes: usize,
    /// The most nodes of the picture.
    pub nodes: usize,
}

impl Default for ExportLimits {
    fn default() -> ExportLimits {
        ExportLimits {
            symbol_bytes: 6 << 20,
            nodes: 50_000,
        }
    }
}

/// A page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageExport {
    /// The text of the file.
    pub html: String,
    /// The number of symbols with callers and callees.
    pub symbols: usize,
    /// The parts that the page lacks; the page lists them too.
    pub left_out: Vec<String>,
}

/// A question whose answer every page holds.
struct PageQuestion {
    operation: &'static str,
    /// Tells questions to one operation apart.
    subject: &'static str,
    request: Value,
}

fn page_questions() -> [PageQuestion; 5] {
    let question = |operation, subject, request| PageQuestion {
        operation,
        subject,
        request,
    };
    let federation = |action: &'static str| {
        let request = json!({"action": action, "symbol": "*", "limit": 500});
        question("federation", action, request)
    };
    let architecture = json!({"cycle_check": true, "orphan_check": true});
    [
        question("hotspot", "", json!({"days": 365, "limit": 400})),
        question("arch-check", "", architecture),
        question("index-status", "", json!({})),
        federation("query-virtual"),
        federation("endpoints"),
    ]
}

/// Makes a page of the project in its current state.
///
/// # Errors
/// If the overview cannot be made. Other answers that fail are listed in `left_out`.
pub fn export_page(engine: &Engine, limits: &ExportLimits) -> Result<PageExport, EngineError> {
    let layout = engine.layout(&LayoutRequest {
        limit: limits.nodes,
        ..LayoutRequest::default()
    })?;
    let mut answers = Answers::without(engine.root(), &layout.project);
    if let Some(folder) = engine.database().parent() {
        answers.leave_out(folder, INDEX_FOLDER);
    }
    answers.add("layout", "", &to_text(&layout)?);
    let mut left_out = Vec::new();
    for question in page_questions() {
        let name = question.operation;
        match ask(engine, name, question.request) {
            Ok(text) => answers.add(name, question.subject, &text),
            Err(error) => left_out.push(format!("{name}: {error}")),
        }
    }
    let order = symbols_by_size(&layout);
    let before = answers.text.len();
    let begun = Instant::now();
    let mut symbols = 0;
    for id in &order {
        let is_full = answers.text.len() - before >= limits.symbol_bytes;
        if is_full || begun.elapsed() >= MOST_SYMBOL_TIME {
            break;
        }
        if add_symbol(engine, id, &mut answers) {
            symbols += 1;
        }
    }
    left_out.push("source code, history, search by words and meaning, impact".to_owned());
    if symbols < order.len() {
        left_out.push(format!(
            "callers and callees of {} of {} symbols",
            order.len() - symbols,
            order.len()
        ));
    }
    if layout.symbols_left_out > 0 {
        left_out.push(format!(
            "{} symbols in the picture",
            layout.symbols_left_out
        ));
    }
    for (role, files) in &layout.left_out {
        let end = if *files == 1 { "" } else { "s" };
        left_out.push(format!("{files} {role} file{end}"));
    }
    left_out.push("the solution memory".to_owned());
    let about = json!({
        "project": layout.project, "left_out": left_out, "version": env!("CARGO_PKG_VERSION"),
    });
    answers.add("about", "", &about.to_string());
    Ok(PageExport {
        html: page(&layout.project, &answers.finish())?,
        symbols,
        left_out,
    })
}

fn ask(engine: &Engine, name: &str, request: Value) -> Result<String, EngineError> {
    match engine::operation(name) {
        Some(operation) => operation.text(engine, request, "request"),
        None => Err(EngineError::bad_arguments(format!(
            "no such operation: {name}"
        ))),
    }
}

fn to_text(answer: &LayoutAnswer) -> Result<String, EngineError> {
    serde_json::to_string(answer)
        .map_err(|error| EngineError::runtime_failure(format!("not JSON: {error}")))
}

/// Ids of the symbols of a picture, the largest first: these are types and long functions, at which people begin.
fn symbols_by_size(layout: &LayoutAnswer) -> Vec<&str> {
    let nodes = &layout.nodes;
    let mut symbols: Vec<usize> = (0..nodes.id.len())
        .filter(|at| nodes.line[*at] > 0)
        .collect();
    symbols.sort_by_key(|at| (std::cmp::Reverse(nodes.lines[*at]), *at));
    symbols.iter().map(|at| nodes.id[*at].as_str()).collect()
}

/// Adds the answers that the page of a symbol asks for. Returns whether there are any.
fn add_symbol(engine: &Engine, id: &str, answers: &mut Answers) -> bool {
    let known = ask(
        engine,
        "symbol",
        json!({"symbol": id, "source": false, "history": false}),
    );
    let chain = ask(
        engine,
        "call-chain",
        json!({"symbol": id, "direction": "both", "depth": 1, "references": true, "limit": 200}),
    );
    let (Ok(known), Ok(chain)) = (known, chain) else {
        return false;
    };
    answers.add("symbol", id, &known);
    answers.add("call-chain", id, &chain);
    true
}

/// Answers as the fields of one JSON object.
#[derive(Default)]
struct Answers {
    text: String,
    /// Folders of this machine as JSON writes them, each with its replacement.
    places: Vec<(String, String)>,
}

/// The time in which symbols are added. Each is a question of its own, which takes longer in a larger repository.
const MOST_SYMBOL_TIME: Duration = Duration::from_secs(30);

/// The replacement for the folder of an index outside the project.
const INDEX_FOLDER: &str = ".devbooks";

impl Answers {
    /// Answers that do not tell the project's place on this machine. A top-level folder such as `/app` stays: it says nothing of
    /// the machine, and other paths may contain its name: `web/app/a.py`.
    fn without(root: &Path, project: &str) -> Answers {
        let mut answers = Answers::default();
        answers.leave_out(root, project);
        answers
    }

    /// Replaces a folder in the answers added from now on, unless it is a top-level one.
    fn leave_out(&mut self, folder: &Path, instead: &str) {
        let is_at_top = folder.ancestors().nth(2).is_none();
        if !is_at_top {
            let folder = inner_of_json(&folder.display().to_string());
            self.places.push((folder, inner_of_json(instead)));
        }
    }

    /// Adds the answer of an operation about a subject.
    fn add(&mut self, operation: &str, subject: &str, answer: &str) {
        let separator = if self.text.is_empty() { '{' } else { ',' };
        let key = Value::from(format!("{operation}:{subject}"));
        let answer = self.places.iter().fold(
            std::borrow::Cow::Borrowed(answer),
            |answer, (folder, instead)| {
                if answer.contains(folder) {
                    replace_path(&answer, folder, instead).into()
                } else {
                    answer
                }
            },
        );
        let _ = write!(self.text, "{separator}{key}:{answer}");
    }

    /// The object, in a form that can stand inside of HTML.
    fn finish(mut self) -> String {
        self.text.push('}');
        escape_for_html(&self.text)
    }
}

/// A text as it stands between the quotes of JSON.
fn inner_of_json(text: &str) -> String {
    let text = Value::from(text).to_string();
    text.trim_matches('"').to_owned()
}

/// Replaces a path where it stands as a whole or as the beginning of another, and not where it is the end or the middle of one.
fn replace_path(text: &str, path: &str, instead: &str) -> String {
    let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for (at, _) in text.match_indices(path) {
        let end = at + path.len();
        let before = text[..at].chars().next_back();
        // A full stop ends a sentence if nothing of a name follows.
        let after = text[end..].trim_start_matches('.').chars().next();
        let begins = before.is_none_or(|c| c != '/' && !is_of_name(c));
        if begins && after.is_none_or(|c| !is_of_name(c)) {
            out.push_str(&text[done..at]);
            out.push_str(instead);
            done = end;
        }
    }
    out.push_str(&text[done..]);
    out
}

/// JSON without a character that means anything to HTML. In JSON such characters are in strings alone, where the escapes mean the
/// same.
fn escape_for_html(json: &str) -> String {
    guard::text::escape_multiline(json)
        .replace('&', "\\u0026")
        .replace('<', "\\u003c")
        .replace('>', "\\u003e")
}

/// A text as content of an element.
fn escape_text(text: &str) -> String {
    guard::text::escape_line(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// The page around the answers. A nonce that nobody can know beforehand lets its own scripts run and no other.
fn page(project: &str, answers: &str) -> Result<String, EngineError> {
    let nonce = Http::new_token()
        .map_err(|e| EngineError::runtime_failure(format!("no random numbers: {e}")))?;
    let body = page_body();
    let style = super::assets::find("style.css").map_or("", text_of);
    let modules = modules();
    Ok(format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'nonce-{nonce}'; \
         style-src 'nonce-{nonce}'; img-src data:; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>{} – Knotwork</title>\n<style nonce=\"{nonce}\" id=\"styles\">{style}</style>\n</head>\n{body}\n\
         <script type=\"application/json\" id=\"answers\">{answers}</script>\n\
         <script nonce=\"{nonce}\">\"use strict\";\n(() => {{\n{modules}}})();</script>\n</html>\n",
        escape_text(project)
    ))
}

fn text_of(asset: &Asset) -> &'static str {
    std::str::from_utf8(asset.bytes).unwrap_or_default()
}

/// The body of the page without its scripts.
fn page_body() -> String {
    let page = super::assets::find("index.html").map_or("", text_of);
    let body = page.split_once("<body>").map_or("", |(_, body)| body);
    let body = body.split_once("</body>").map_or("", |(body, _)| body);
    format!("<body>{body}</body>")
}

/// The modules as one script: their names are different, and imports are lines of their own.
fn modules() -> String {
    let own = ASSETS.iter().filter(|asset| asset.content_type == SCRIPT);
    own.map(|asset| joined_module(text_of(asset))).collect()
}

fn joined_module(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines().filter(|line| !line.starts_with("import ")) {
        out.push_str(line.strip_prefix("export ").unwrap_or(line));
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn text_of_a_repository_ends_no_element() {
        let mut answers = Answers::default();
        let name = "</script><script>alert(1)</script>&amp;\u{202e}";
        answers.add("symbol", name, &json!({ "symbol": name }).to_string());
        let text = answers.finish();
        assert!(!text.contains(['<', '>', '&', '\u{202e}']));
        let back: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(back[format!("symbol:{name}")]["symbol"], name);
        let page = page("<img src=x>", "{}").unwrap();
        assert!(page.contains("&lt;img src=x&gt;") && !page.contains("<img"));
    }

    #[test]
    fn where_the_project_lies_is_not_said_and_paths_of_files_stay() {
        let answer = json!({"database": "/srv/ann/app/graph.db", "file": "web/app/a.py"});
        let shown = |root: &str| {
            let mut answers = Answers::without(Path::new(root), "app");
            answers.add("x", "", &answer.to_string());
            answers.finish()
        };
        let below = shown("/srv/ann/app");
        assert!(below.contains("\"app/graph.db\"") && !below.contains("ann"));
        assert!(shown("/app").contains("\"web/app/a.py\""));
        let other = "see /srv/ann/app: /srv/ann/app2 and lib/srv/ann/app/b.py";
        assert_eq!(
            replace_path(other, "/srv/ann/app", "app"),
            "see app: /srv/ann/app2 and lib/srv/ann/app/b.py"
        );
    }

    #[test]
    fn a_page_loads_nothing() {
        let page = page("p", "{}").unwrap();
        assert!(page.contains("default-src 'none'"));
        for tag in [
            "<link",
            "<img",
            "<iframe",
            " src=",
            "\nimport ",
            "\nexport ",
        ] {
            assert!(!page.contains(tag), "{tag}");
        }
        // No answer within a script ends that script.
        assert_eq!(page.matches("</script").count(), 2);
        assert_eq!(page.matches("</style").count(), 1);
    }

    /// Joined, modules share one scope, and each comes after what it imports.
    #[test]
    fn modules_can_be_joined() {
        let mut names: BTreeMap<&str, &str> = BTreeMap::new();
        let mut before: Vec<&str> = Vec::new();
        let own = ASSETS.iter().filter(|asset| asset.content_type == SCRIPT);
        for asset in own {
            for line in text_of(asset).lines() {
                if let Some(rest) = line.strip_prefix("import ") {
                    let from = rest.split('"').nth(1).unwrap();
                    let from = from.trim_start_matches("./");
                    assert!(before.contains(&from), "{} imports {from}", asset.name);
                    assert!(rest.ends_with("\";"), "{}: {line}", asset.name);
                    assert!(!rest.contains(" as "), "{}: {line}", asset.name);
                }
                let line = line.strip_prefix("export ").unwrap_or(line);
                assert!(!line.starts_with("default") && !line.starts_with("export"));
                let line = line.strip_prefix("async ").unwrap_or(line);
                for word in ["const ", "let ", "function ", "class "] {
                    let Some(rest) = line.strip_prefix(word) else {
                        continue;
                    };
                    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
                    let name = &rest[..end.unwrap_or(rest.len())];
                    let other = names.insert(name, asset.name);
                    assert_eq!(other, None, "{name} of {}", asset.name);
                }
            }
            before.push(asset.name);
        }
        assert!(names.len() > 20);
    }

    #[test]
    fn the_files_are_small() {
        let bytes: usize = ASSETS.iter().map(|asset| asset.bytes.len()).sum();
        assert!(bytes < 150_000, "{bytes}");
    }
}
