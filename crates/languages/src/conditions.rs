//! Conditional compilation that a grammar cannot read: branches that open a brace which another closes, and conditions inside a
//! statement.

/// A stretch of a source: its first byte, and the one after its last.
pub(crate) type Stretch = (usize, usize);

/// One `#if` that is still open.
struct Group {
    /// Where each of its directives stands: begin and end of the line.
    directives: Vec<Stretch>,
    /// Braces and parentheses that the branch at hand has opened more than closed.
    balance: (i32, i32),
    /// The same of its first branch, once that is over.
    first: Option<(i32, i32)>,
    /// Whether a branch was not balanced.
    is_uneven: bool,
    /// Whether it stands in the body of a function, or within a statement.
    is_inside: bool,
}

/// Stretches to blank: the first branch is kept, the others and the directives go.
pub(crate) fn find_blanks(source: &str) -> Vec<Stretch> {
    let mut blanks = Vec::new();
    let mut groups: Vec<Group> = Vec::new();
    let mut code = Code::default();
    let mut at = 0;
    let mut is_continued = false;
    for line in source.split_inclusive('\n') {
        let span = (at, at + line.len());
        at = span.1;
        let was_continued = is_continued;
        is_continued = line.trim_end().ends_with('\\');
        let directive = directive(line).filter(|_| !code.in_comment && !was_continued);
        match directive {
            Some("if" | "ifdef" | "ifndef") => groups.push(Group {
                directives: vec![span],
                balance: (0, 0),
                first: None,
                is_uneven: false,
                is_inside: code.in_function() || code.is_in_statement,
            }),
            Some("else" | "elif" | "elifdef" | "elifndef") => {
                if let Some(group) = groups.last_mut() {
                    group.is_uneven |= group.balance != (0, 0);
                    // The branches that follow are read as if the first had not been there.
                    code.undo(group.balance);
                    group.first.get_or_insert(group.balance);
                    group.balance = (0, 0);
                    group.directives.push(span);
                }
            }
            Some("endif") => {
                if let Some(group) = groups.pop() {
                    close(group, span, &mut code, &mut groups, &mut blanks);
                }
            }
            Some(_) => {}
            None if was_continued && code.in_directive => {}
            None => {
                let change = code.read(line);
                if let Some(group) = groups.last_mut() {
                    group.balance.0 += change.0;
                    group.balance.1 += change.1;
                }
            }
        }
        code.in_directive = is_continued && (directive.is_some() || code.in_directive);
    }
    blanks
}

/// Closes a group, and blanks what of it a grammar would stumble over.
fn close(
    group: Group,
    end: Stretch,
    code: &mut Code,
    groups: &mut [Group],
    blanks: &mut Vec<Stretch>,
) {
    let is_uneven = group.is_uneven || group.balance != (0, 0);
    if is_uneven || group.is_inside {
        let first = group.directives[0];
        match group.directives.get(1) {
            // From the second directive on nothing is kept.
            Some(second) => blanks.extend([first, (second.0, end.1)]),
            None => blanks.extend([first, end]),
        }
    }
    // The first branch is the one that holds.
    let balance = group.first.unwrap_or(group.balance);
    if group.first.is_some() {
        code.undo(group.balance);
        code.undo((-balance.0, -balance.1));
    }
    if let Some(outer) = groups.last_mut() {
        outer.balance.0 += balance.0;
        outer.balance.1 += balance.1;
    }
}

/// The word behind `#` of a line.
fn directive(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let end = rest.find(|c: char| !c.is_ascii_alphabetic());
    Some(&rest[..end.unwrap_or(rest.len())])
}

/// What stands open where the lines are read.
#[derive(Default)]
struct Code {
    in_comment: bool,
    in_directive: bool,
    /// For each open brace whether it is the body of a function, or stands in one.
    braces: Vec<bool>,
    /// Whether the last sign was none that ends a statement.
    is_in_statement: bool,
    /// Whether the last sign was the end of parameters.
    after_parameters: bool,
}

impl Code {
    fn in_function(&self) -> bool {
        self.braces.last().copied().unwrap_or(false)
    }

    /// Takes back what a branch opened and closed.
    fn undo(&mut self, (braces, _): (i32, i32)) {
        for _ in 0..braces {
            self.braces.pop();
        }
        for _ in braces..0 {
            let is_inside = self.in_function();
            self.braces.push(is_inside);
        }
    }

    /// Reads a line of code; gives how many braces and parentheses it opens more than it closes.
    fn read(&mut self, line: &str) -> (i32, i32) {
        let bytes = line.as_bytes();
        let (mut braces, mut parens) = (0, 0);
        let mut at = 0;
        while at < bytes.len() {
            let rest = &bytes[at..];
            if self.in_comment {
                let Some(end) = find(rest, b"*/") else {
                    return (braces, parens);
                };
                self.in_comment = false;
                at += end + 2;
                continue;
            }
            match rest[0] {
                b'/' if rest.starts_with(b"//") => return (braces, parens),
                b'/' if rest.starts_with(b"/*") => {
                    self.in_comment = true;
                    at += 2;
                    continue;
                }
                quote @ (b'"' | b'\'') => {
                    at += quoted(rest, quote);
                    self.after_parameters = false;
                    self.is_in_statement = true;
                    continue;
                }
                b'{' => {
                    braces += 1;
                    let is_body = self.after_parameters || self.in_function();
                    self.braces.push(is_body);
                }
                b'}' => {
                    braces -= 1;
                    self.braces.pop();
                }
                b'(' => parens += 1,
                b')' => parens -= 1,
                _ => {}
            }
            if !rest[0].is_ascii_whitespace() {
                self.after_parameters = rest[0] == b')';
                self.is_in_statement = !matches!(rest[0], b';' | b'{' | b'}' | b':' | b']');
            }
            at += 1;
        }
        (braces, parens)
    }
}

/// Blanks stretches of a source; lines stay where they are.
pub(crate) fn blank(text: &mut [u8], stretches: &[Stretch]) {
    for (from, to) in stretches {
        for byte in &mut text[*from..*to] {
            if !matches!(*byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
    }
}

/// The source with the branches that a grammar cannot read blanked; none where there are none.
pub(crate) fn mend(source: &str) -> Option<String> {
    let blanks = find_blanks(source);
    if blanks.is_empty() {
        return None;
    }
    let mut text = source.as_bytes().to_vec();
    blank(&mut text, &blanks);
    String::from_utf8(text).ok()
}

/// Bytes of a quoted text, which ends on its line.
pub(crate) fn quoted(text: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < text.len() && text[at] != b'\n' {
        match text[at] {
            b'\\' => at += 1,
            byte if byte == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    // A quote that nothing closes is no text: `1'000`, an apostrophe.
    1
}

fn find(text: &[u8], what: &[u8]) -> Option<usize> {
    text.windows(what.len()).position(|part| part == what)
}
