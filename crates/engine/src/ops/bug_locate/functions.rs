//! The function that a frame names, in the file that it names. Lines move with every edit, names seldom do: where the two
//! disagree, the name is right.

use super::gather::EvidenceCollector;
use crate::EngineError;
use crate::graph_state::GraphState;
use crate::project::Project;
use analysis::bug_locate::Frame;
use store::Name;

/// The most bytes of a file that is searched for a definition.
const MOST: u64 = 4 << 20;

/// A function's name as written in a trace.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FunctionName<'n> {
    pub(super) name: &'n str,
    /// The qualifier before the name: a class, a module, a package.
    owner: Option<&'n str>,
}

impl<'n> FunctionName<'n> {
    /// The innermost function with a name of its own: `run` in `main.(*S).run.func1` and in `Main.lambda$run$0`.
    pub(super) fn parse(text: &'n str) -> Option<FunctionName<'n>> {
        let part = |c: char| !(c.is_alphanumeric() || c == '_');
        let mut names = text.rsplit(part).filter(|name| is_own_name(name));
        let name = names.next()?;
        Some(FunctionName {
            name,
            owner: names.next(),
        })
    }
}

/// Whether a part of a name was written by a person, and not generated for a closure, a module or a hash.
fn is_own_name(name: &str) -> bool {
    const MADE: [&str; 10] = [
        "closure",
        "lambda",
        "anonymous",
        "module",
        "listcomp",
        "genexpr",
        "dictcomp",
        "setcomp",
        "init",
        "clinit",
    ];
    let all = |rest: &str, of: fn(&char) -> bool| !rest.is_empty() && rest.chars().all(|c| of(&c));
    let digits = |rest: &str| all(rest, char::is_ascii_digit);
    let is_numbered = name.strip_prefix("func").is_some_and(digits) || name.starts_with("b__");
    let is_hash = name.len() == 17
        && name
            .strip_prefix('h')
            .is_some_and(|rest| all(rest, char::is_ascii_hexdigit));
    !name.is_empty() && !digits(name) && !MADE.contains(&name) && !is_numbered && !is_hash
}

impl EvidenceCollector<'_> {
    /// First and last line of the function that a frame names, where the frame's line is not in it. Files in languages without a
    /// grammar are searched as text.
    pub(super) fn moved_lines(
        &self,
        (state, project): (&GraphState, &Project),
        path: &str,
        frame: &Frame,
    ) -> Result<Option<(u32, u32)>, EngineError> {
        let function = frame.function.as_deref().and_then(FunctionName::parse);
        let Some(function) = function else {
            return Ok(None);
        };
        let nodes = self.definitions_in(state, path)?;
        let line = frame.line.unwrap_or(0);
        let found = if nodes.iter().any(|node| node.kind != "file") {
            nearest_definition_lines(&nodes, &function, line)
        } else {
            let text = self.text_of(path, || project.read_start(path, MOST));
            text.and_then(|text| definition_in_text(&text, function.name, line))
        };
        Ok(found.filter(|(from, to)| line < *from || line > *to))
    }

    /// Whether a file defines the function that a frame names.
    pub(super) fn defines_function(
        &self,
        state: &GraphState,
        path: &str,
        frame: &Frame,
    ) -> Result<bool, EngineError> {
        let Some(function) = frame.function.as_deref().and_then(FunctionName::parse) else {
            return Ok(false);
        };
        let nodes = self.definitions_in(state, path)?;
        Ok(nodes.iter().any(|node| node.symbol == function.name))
    }
}

/// The lines of the definition of that name around the line, else of the nearest one.
fn nearest_definition_lines(
    nodes: &[Name],
    function: &FunctionName<'_>,
    line: u32,
) -> Option<(u32, u32)> {
    let lines = |node: &Name| {
        let from = node.line_start.unwrap_or(1);
        (from, node.line_end.unwrap_or(from))
    };
    let rank = |node: &&Name| {
        let (from, to) = lines(node);
        let is_within = from <= line && line <= to;
        let is_owned = function.owner.is_some_and(|owner| {
            let mut parts = node.qualified_or_symbol().split('.');
            parts.any(|part| part == owner)
        });
        (!is_within, !is_owned, from.abs_diff(line), from)
    };
    let named = nodes.iter().filter(|node| {
        node.symbol == function.name && !["file", "parameter"].contains(&&*node.kind)
    });
    named.min_by_key(rank).map(lines)
}

/// The lines of the definition in a text without a grammar. It begins at a line that looks like a definition of the name, and
/// ends before the next line that is not indented deeper and closes nothing.
fn definition_in_text(text: &str, name: &str, line: u32) -> Option<(u32, u32)> {
    let lines: Vec<&str> = text.lines().collect();
    let starts = (0..lines.len()).filter(|at| is_definition(lines[*at], name));
    let starts = starts.take(MOST_STARTS);
    let spans = starts.map(|at| (at as u32 + 1, end_of_block(&lines, at) as u32 + 1));
    spans.min_by_key(|(from, to)| {
        let is_within = *from <= line && line <= *to;
        (!is_within, from.abs_diff(line))
    })
}

/// Whether a line looks like a definition: `int name(client *c) {`, `def name`, `function name(`. For C the line must begin at
/// the margin and be no statement.
fn is_definition(line: &str, name: &str) -> bool {
    const WORDS: [&str; 7] = ["def", "function", "func", "fn", "sub", "proc", "fun"];
    let part = |c: char| c.is_alphanumeric() || c == '_';
    let mut places = line.match_indices(name).filter(|(at, _)| {
        let (before, after) = (&line[..*at], &line[at + name.len()..]);
        !before.ends_with(part) && !after.starts_with(part)
    });
    let Some((at, _)) = places.next() else {
        return false;
    };
    let (before, after) = (line[..at].trim_end(), line[at + name.len()..].trim_start());
    let last_word = before.trim_end_matches("self.").trim_end();
    let last_word = last_word
        .rsplit(|c: char| !part(c))
        .next()
        .unwrap_or_default();
    if WORDS.contains(&last_word) {
        return true;
    }
    let is_at_margin = !line.starts_with([' ', '\t', '#', '/', '*', '}']);
    let is_statement = line.trim_end().ends_with(';') || before.contains(['=', '(']);
    is_at_margin && after.starts_with('(') && !is_statement
}

/// The most definitions of one name in one file that are compared.
const MOST_STARTS: usize = 50;
/// The lines of a definition whose end is not found.
const UNKNOWN_LENGTH: usize = 400;

/// The last line of a block. It is the first line that is indented no deeper and closes the block, or the line before the next
/// one that is indented no deeper.
fn end_of_block(lines: &[&str], start: usize) -> usize {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let own = indent(lines[start]);
    let last = lines.len().min(start + UNKNOWN_LENGTH * 10);
    for (at, line) in lines.iter().enumerate().take(last).skip(start + 1) {
        let text = line.trim();
        if text.is_empty() || indent(line) > own {
            continue;
        }
        match text {
            "{" => {}
            text if text.starts_with('}') || text == "end" => return at,
            // These continue the definition: parameters on lines of their own, a label, a preprocessor directive.
            text if text.starts_with([')', '#']) || text.ends_with([',', ':', '{', ')']) => {}
            _ => return at - 1,
        }
    }
    (start + UNKNOWN_LENGTH).min(lines.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_name_that_somebody_wrote_is_taken() {
        for (text, name, owner) in [
            ("main.(*S).run.func1", "run", Some("S")),
            ("Main.lambda$run$0", "run", Some("Main")),
            (
                "app::cli::parse::{{closure}}::h0123456789abcdef",
                "parse",
                Some("cli"),
            ),
            ("Foo.<init>", "Foo", None),
            ("Db->get", "get", Some("Db")),
            ("Object#run", "run", Some("Object")),
            ("processCommand", "processCommand", None),
        ] {
            let expected = FunctionName { name, owner };
            assert_eq!(FunctionName::parse(text), Some(expected), "{text}");
        }
        for text in ["<module>", "<lambda>", "", "{closure}", "<anonymous>"] {
            assert_eq!(FunctionName::parse(text), None, "{text}");
        }
    }

    #[test]
    fn definitions_are_found_in_texts_without_a_grammar() {
        let c = "#include <x.h>\n\nint run(int a);\n\nstatic int\nrun(int a,\n    int b)\n{\n    if (a) {\n        run(a, b);\n    }\n}\n\nint main(void) {\n    return run(1, 2);\n}\n";
        assert_eq!(definition_in_text(c, "run", 90), Some((6, 12)));
        assert_eq!(definition_in_text(c, "main", 90), Some((14, 16)));
        let ruby = "class A\n  def run(x)\n    go x\n  end\n\n  def go(x)\n  end\nend\n";
        assert_eq!(definition_in_text(ruby, "run", 7), Some((2, 4)));
        assert_eq!(definition_in_text(ruby, "go", 1), Some((6, 7)));
        assert_eq!(definition_in_text(ruby, "x", 1), None);
    }
}
