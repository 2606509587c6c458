//! A test on lists of words: they are data and belong in files beside the code. A header of each file states its content,
//! source and licence.

use crate::tidy::{fail, files, root};

/// The number of words from which an array, or a `matches!`, counts as a list. Arms of a `match` are code: each has its own
/// result.
const LEAST: usize = 12;

/// Lists that may stay in code, by file and first word.
const ALLOWED: [(&str, &str); 39] = [
    // Operators, keywords and basic types of a language, and kinds of nodes of a grammar, that the code beside them names.
    ("crates/languages/src/cpp/facts/constraints.rs", "void"),
    ("crates/languages/src/cpp/link/references.rs", "+"),
    ("crates/languages/src/csharp/link/access.rs", "public"),
    ("crates/languages/src/outline/walk.rs", "identifier"),
    ("crates/languages/src/scala/link/stdlib.rs", "+"),
    ("crates/languages/src/swift/facts/directives.rs", "Darwin"),
    (
        "crates/languages/src/swift/facts/functions.rs",
        "property_declaration",
    ),
    ("crates/languages/src/swift/facts/types.rs", "user_type"),
    ("crates/languages/src/swift/link/platform.rs", "Any"),
    // Kinds of symbols are the model's own.
    ("crates/analysis/src/orphan/mod.rs", "function"),
    ("crates/engine/src/ops/federation/surface.rs", "function"),
    // The digits that may follow a keyword of a rule.
    ("crates/base/src/secret/rules.rs", "sk0"),
    // Variables of the user's environment that other programs get: a security rule, which is read together with its reason.
    ("crates/guard/src/program/environment.rs", "HTTP_PROXY"),
    ("crates/guard/src/program/environment.rs", "HOME"),
    ("crates/guard/src/program/environment.rs", "DISPLAY"),
    // Functions that an SQL query may call: a security rule as well.
    ("crates/store/src/sqlite/query.rs", "abs"),
    // Tables and columns that the schema gained over time.
    ("crates/store/src/sqlite/migrate.rs", "files"),
    ("crates/store/src/sqlite/schema.rs", "idx_nodes_file"),
    // Arguments of our own tools.
    ("crates/server/src/mcp/slim.rs", "ci_search"),
    // Arguments of the earlier scripts, and the matching arguments of our own commands.
    ("crates/knotwork/src/shim/analyses.rs", "--cycles"),
    ("crates/knotwork/src/shim/analyses.rs", "--type"),
    ("crates/knotwork/src/shim/analyses.rs", "--path"),
    ("crates/knotwork/src/shim/context.rs", "--budget"),
    ("crates/knotwork/src/shim/graph.rs", "--id"),
    // Files and the meaning of their presence, in the words of the earlier hook.
    ("crates/knotwork/src/shim/facts.rs", "package.json"),
    // Keywords of any language, for a search without a grammar.
    ("crates/engine/src/fallback/lines.rs", "fn"),
    ("crates/engine/src/fallback/lines.rs", "if"),
    // Conversions between numbers and traits of operators: rules of a language, which are read together with the code.
    ("crates/languages/src/csharp/link/tables.rs", "SByte"),
    ("crates/languages/src/rust/link/mod.rs", "add"),
    // A profile is the data of its language.
    ("crates/languages/src/cpp/profile.rs", "cc"),
    // Keywords of a grammar, like its kinds of nodes.
    ("crates/languages/src/c/walk.rs", "if"),
    ("crates/languages/src/php/facts/mod.rs", "if"),
    ("crates/languages/src/ruby/facts/mod.rs", "if"),
    ("crates/languages/src/shell/facts/code.rs", "if"),
    ("crates/syntax/src/remote/mod.rs", "import_statement"),
    ("crates/syntax/src/remote/mod.rs", "variable_declarator"),
    ("crates/syntax/src/remote/term.rs", "arrow_function"),
    ("crates/syntax/src/remote/term.rs", "call_expression"),
    // Endings that a compiler tries for each other, in its order.
    ("crates/languages/src/typescript/link/resolve.rs", ".d.ts"),
];

/// A list of words in code: its line and its words.
type List = (usize, Vec<String>);

/// A scanner of Rust source that understands just enough to find lists.
struct Reader<'t> {
    rest: &'t str,
    line: usize,
    /// For each open bracket, whether it opens a list: an array, a `matches!`, or a tuple within one.
    open: Vec<bool>,
    /// The previous word, and whether `!` follows it.
    before: (String, bool),
    words: List,
    found: Vec<List>,
}

impl Reader<'_> {
    fn finish_list(&mut self) {
        let (line, words) = std::mem::take(&mut self.words);
        // A text that is empty or contains blanks is not a word.
        let plain = words.iter().all(|w| !w.is_empty() && !w.contains(' '));
        if words.len() >= LEAST && plain {
            self.found.push((line, words));
        }
    }

    /// Advances by this many bytes.
    fn take(&mut self, bytes: usize) -> &str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.line += taken.matches('\n').count();
        self.rest = rest;
        taken
    }

    fn read_text(&mut self, prefix: usize) {
        let bytes = self.rest.as_bytes();
        let mut end = prefix + 1;
        while end < bytes.len() && bytes[end] != b'"' {
            end += if bytes[end] == b'\\' { 2 } else { 1 };
        }
        let line = self.line;
        let text = self.take((end + 1).min(self.rest.len()));
        let word = text[prefix + 1..].trim_end_matches('"').to_owned();
        if let Some(words) = names_in_text(&word) {
            self.found.push((line, words));
        }
        // Byte strings are numbers or keywords of grammars.
        if self.open.last() == Some(&true) && prefix == 0 {
            if self.words.1.is_empty() {
                self.words.0 = line;
            }
            self.words.1.push(word);
        } else {
            self.finish_list();
        }
    }

    fn read_sign(&mut self, sign: char) {
        let is_matches = self.before.0 == "matches" && self.before.1;
        match sign {
            '[' => self.open.push(true),
            '(' => {
                let within = self.open.last() == Some(&true) && self.before.0.is_empty();
                self.open.push(is_matches || within);
            }
            '{' => self.open.push(false),
            ']' | ')' | '}' => {
                let was_list = self.open.pop() == Some(true);
                if !(was_list && self.open.last() == Some(&true)) {
                    self.finish_list();
                }
            }
            ',' | '|' | '&' => {}
            '!' => {
                self.before.1 = true;
                return;
            }
            _ => self.finish_list(),
        }
        self.before = Default::default();
    }

    fn read(mut self) -> Vec<List> {
        while let Some(c) = self.rest.chars().next() {
            let next = self.rest[c.len_utf8()..].chars().next();
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            if self.rest.starts_with("//") {
                let end = self.rest.find('\n').unwrap_or(self.rest.len());
                self.take(end);
            } else if c == '"' || c == 'b' && next == Some('"') {
                self.read_text(usize::from(c == 'b'));
            } else if c == 'r' && matches!(next, Some('"' | '#')) {
                let marks = self.rest[1..].chars().take_while(|c| *c == '#').count();
                let end = format!("\"{}", "#".repeat(marks));
                let body = 1 + marks + 1;
                let length = self.rest.get(body..).and_then(|rest| rest.find(&end));
                self.take(length.map_or(1, |length| body + length + end.len()));
                self.finish_list();
            } else if c == '\'' && (next == Some('\\') || self.rest.chars().nth(2) == Some('\'')) {
                let from = if next == Some('\\') { 3 } else { 2 };
                let end = self
                    .rest
                    .char_indices()
                    .skip(from)
                    .find(|(_, c)| *c == '\'');
                self.take(end.map_or(1, |(at, _)| at + 1));
                self.finish_list();
            } else if is_word(c) {
                let end = self.rest.find(|c| !is_word(c)).unwrap_or(self.rest.len());
                let word = self.take(end).to_owned();
                self.before = (word, false);
                self.finish_list();
            } else {
                self.take(c.len_utf8());
                if !c.is_whitespace() {
                    self.read_sign(c);
                }
            }
        }
        self.found
    }
}

/// The words of a text that is a list of names separated by blanks; none if a word looks like one of a sentence.
fn names_in_text(text: &str) -> Option<Vec<String>> {
    let words = text.split_whitespace().filter(|word| *word != "\\");
    let words: Vec<String> = words.map(str::to_owned).collect();
    let is_name = |word: &String| {
        let of_sentences = ["a", "an", "the", "is", "of", "to"].contains(&word.as_str());
        !of_sentences
            && word
                .chars()
                .all(|c| c.is_alphanumeric() || "_-./@#+".contains(c))
    };
    (words.len() >= LEAST && words.iter().all(is_name)).then_some(words)
}

fn lists_of_words(text: &str) -> Vec<List> {
    let reader = Reader {
        rest: text.split("\nmod tests {").next().unwrap_or(text),
        line: 1,
        open: Vec::new(),
        before: Default::default(),
        words: List::default(),
        found: Vec::new(),
    };
    reader.read()
}

#[test]
fn lists_are_seen() {
    let twelve: Vec<String> = (0..12).map(|n| format!("\"w{n}\"")).collect();
    let (commas, bars) = (twelve.join(", "), twelve.join(" | "));
    let count = |text: &str| lists_of_words(text).len();
    assert_eq!(count(&format!("\nconst A: [&str; 12] = [{commas}];")), 1);
    assert_eq!(count(&format!("f(&[\n// one\n{commas},\n])")), 1);
    assert_eq!(count(&format!("matches!(word, {bars})")), 1);
    let pairs: Vec<String> = twelve
        .chunks(2)
        .map(|p| format!("({})", p.join(", ")))
        .collect();
    assert_eq!(count(&format!("[{}]", pairs.join(", "))), 1);
    let blanks = twelve.join(" ").replace('"', "");
    assert_eq!(count(&format!("const A: &str = \"{blanks}\";")), 1);
    assert_eq!(count(&format!("const A: &str = \"the {blanks}\";")), 0);
    // Arms, arguments and texts are not lists.
    assert_eq!(count(&format!("match w {{ {bars} => 1, _ => 2 }}")), 0);
    assert_eq!(count(&format!("f({commas})")), 0);
    assert_eq!(count(&format!("[{}]", commas.replace("w0", "w 0"))), 0);
    assert_eq!(count(&format!("[{}]", twelve[1..].join(", "))), 0);
    assert_eq!(count(&format!("let a = 1;\nmod tests {{ [{commas}] }}")), 0);
}

#[test]
fn lists_of_words_stand_in_files() {
    let mut unseen: Vec<(&str, &str)> = ALLOWED.to_vec();
    let mut found = Vec::new();
    for (path, text) in files(&[".rs"]) {
        let product = path.starts_with("crates/") && path.contains("/src/");
        let test = ["tests.rs", "/tests/", "/fixture/", "crates/testkit/"];
        if !product || test.iter().any(|part| path.contains(part)) {
            continue;
        }
        for (line, words) in lists_of_words(&text) {
            let is_it = |(file, first): &(&str, &str)| *file == path && *first == words[0];
            if ALLOWED.iter().any(is_it) {
                unseen.retain(|allowed| !is_it(allowed));
            } else {
                found.push(format!("{path}:{line}: {}, {}, …", words[0], words[1]));
            }
        }
    }
    fail(
        "lists of words in code: move them to a file beside it",
        &found,
    );
    assert!(unseen.is_empty(), "allowed, and not there: {unseen:?}");
}

#[test]
fn lists_say_where_they_come_from() {
    let silent: Vec<String> = files(&[".txt", ".tsv"])
        .into_iter()
        .filter(|(path, _)| path.starts_with("crates/"))
        .filter(|(path, _)| path.contains("/src/") || path.contains("/data/"))
        .filter(|(path, _)| !path.contains("/tests/"))
        .filter(|(_, text)| {
            let header: Vec<&str> = text.lines().take_while(|l| l.starts_with("# ")).collect();
            header.len() < 2 || !header.iter().any(|line| line.starts_with("# Source: "))
        })
        .map(|(path, _)| path)
        .collect();
    fail("lists without what they are and their source", &silent);
    assert!(root().join("crates/text/src/list.rs").is_file());
}
