//! Conditional compilation that a grammar cannot read: a branch that opens a brace which another branch closes, and
//! conditions inside a statement.

/// A range of a source: its first byte, and the one after its last.
pub(crate) type Stretch = (usize, usize);

/// An `#if` that is still open.
struct Group {
    /// The line range of each of its directives.
    directives: Vec<Stretch>,
    /// Opened minus closed braces and parentheses of the current branch.
    balance: (i32, i32),
    /// The same for its first branch, once it has ended.
    first: Option<(i32, i32)>,
    /// Whether a branch is not balanced.
    is_uneven: bool,
    /// Whether it is in the body of a function or inside a statement.
    is_inside: bool,
}

/// The ranges to blank: the first branch stays, the others and the directives are blanked.
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
                    // The following branches are read as if the first did not exist.
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
                    group.balance.0 = group.balance.0.saturating_add(change.0);
                    group.balance.1 = group.balance.1.saturating_add(change.1);
                }
            }
        }
        code.in_directive = is_continued && (directive.is_some() || code.in_directive);
    }
    blanks
}

/// Closes a group, and collects the parts of it that a grammar cannot read.
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
            // Everything from the second directive on is blanked.
            Some(second) => blanks.extend([first, (second.0, end.1)]),
            None => blanks.extend([first, end]),
        }
    }
    // The first branch counts.
    let balance = group.first.unwrap_or(group.balance);
    if group.first.is_some() {
        code.undo(group.balance);
        code.undo((-balance.0, -balance.1));
    }
    if let Some(outer) = groups.last_mut() {
        outer.balance.0 = outer.balance.0.saturating_add(balance.0);
        outer.balance.1 = outer.balance.1.saturating_add(balance.1);
    }
}

/// The word after the `#` of a line.
fn directive(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let end = rest.find(|c: char| !c.is_ascii_alphabetic());
    Some(&rest[..end.unwrap_or(rest.len())])
}

/// The open braces and the state at the current line.
#[derive(Default)]
struct Code {
    in_comment: bool,
    in_directive: bool,
    braces: Braces,
    quotes: Quotes,
    /// Whether the last symbol does not end a statement.
    is_in_statement: bool,
    /// Whether the last symbol closed a parameter list.
    after_parameters: bool,
}

/// Open braces, in runs of the same kind, so that a directive can undo all braces of its branch at once.
#[derive(Default)]
struct Braces(Vec<(bool, u32)>);

impl Braces {
    /// Whether the innermost brace is the body of a function, or inside one.
    fn in_function(&self) -> bool {
        self.0.last().is_some_and(|(is_body, _)| *is_body)
    }

    fn open(&mut self, count: u32, is_body: bool) {
        match self.0.last_mut() {
            Some((kind, many)) if *kind == is_body => *many = many.saturating_add(count),
            _ if count > 0 => self.0.push((is_body, count)),
            _ => {}
        }
    }

    fn close(&mut self, mut count: u32) {
        while let Some((_, many)) = self.0.last_mut().filter(|_| count > 0) {
            let gone = count.min(*many);
            *many -= gone;
            count -= gone;
            if *many == 0 {
                self.0.pop();
            }
        }
    }
}

impl Code {
    fn in_function(&self) -> bool {
        self.braces.in_function()
    }

    /// Undoes what a branch opened and closed.
    fn undo(&mut self, (braces, _): (i32, i32)) {
        if braces > 0 {
            self.braces.close(braces.unsigned_abs());
        } else {
            self.braces.open(braces.unsigned_abs(), self.in_function());
        }
    }

    /// Reads a line of code; returns opened minus closed braces and parentheses.
    fn read(&mut self, line: &str) -> (i32, i32) {
        let bytes = line.as_bytes();
        self.quotes = Quotes::default();
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
                    at += self.quotes.read(bytes, at, quote);
                    self.after_parameters = false;
                    self.is_in_statement = true;
                    continue;
                }
                b'{' => {
                    braces += 1;
                    let is_body = self.after_parameters || self.in_function();
                    self.braces.open(1, is_body);
                }
                b'}' => {
                    braces -= 1;
                    self.braces.close(1);
                }
                b'(' => parens += 1,
                b')' => parens -= 1,
                _ => {}
            }
            if !rest[0].is_ascii_whitespace() {
                // Behind parameters, a colon begins the initialisers of members.
                let ends = match rest[0] {
                    b':' => !self.after_parameters,
                    sign => matches!(sign, b';' | b'{' | b'}' | b']'),
                };
                self.is_in_statement = !ends;
                self.after_parameters = rest[0] == b')';
            }
            at += 1;
        }
        (braces, parens)
    }
}

/// Blanks ranges of a source; line breaks stay.
pub(crate) fn blank(text: &mut [u8], stretches: &[Stretch]) {
    for (from, to) in stretches {
        for byte in &mut text[*from..*to] {
            if !matches!(*byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
    }
}

/// The source with the branches blanked that a grammar cannot read; `None` if there are none.
pub(crate) fn mend(source: &str) -> Option<String> {
    let blanks = find_blanks(source);
    if blanks.is_empty() {
        return None;
    }
    let mut text = source.as_bytes().to_vec();
    blank(&mut text, &blanks);
    String::from_utf8(text).ok()
}

/// Reads quoted strings. If a quote is never closed in a range, that is searched once, not again for each quote in it.
#[derive(Default)]
pub(crate) struct Quotes {
    /// For each kind of quote, the end of the range in which none is closed.
    unclosed: [usize; 2],
}

impl Quotes {
    /// Length of the quoted string at a position in bytes; 1 if it is never closed.
    pub(crate) fn read(&mut self, text: &[u8], at: usize, quote: u8) -> usize {
        let unclosed = &mut self.unclosed[usize::from(quote == b'"')];
        if at < *unclosed {
            return 1;
        }
        match quoted(&text[at..], quote) {
            Ok(length) => length,
            Err(looked_at) => {
                *unclosed = at + looked_at;
                1
            }
        }
    }
}

/// Length of a quoted string, which ends on its line; if it is not closed, the error is the number of bytes read.
fn quoted(text: &[u8], quote: u8) -> Result<usize, usize> {
    let mut at = 1;
    while at < text.len() && text[at] != b'\n' {
        match text[at] {
            b'\\' => at += 1,
            byte if byte == quote => return Ok(at + 1),
            _ => {}
        }
        at += 1;
    }
    // A quote without an end is no string: `1'000`, an apostrophe.
    Err(at.min(text.len()))
}

fn find(text: &[u8], what: &[u8]) -> Option<usize> {
    text.windows(what.len()).position(|part| part == what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_that_nothing_closes_is_sought_once() {
        // The line continues after each backslash at its end.
        let text = format!("'{}", format!("{}\\\n", "\\'".repeat(40)).repeat(50));
        let mut quotes = Quotes::default();
        assert_eq!(quotes.read(text.as_bytes(), 0, b'\''), 1);
        assert_eq!(quotes.unclosed[0], text.len());
        let inside = text.rfind('\'').unwrap();
        assert_eq!(quotes.read(text.as_bytes(), inside, b'\''), 1);
        // The other kind of quote is independent, and a closed one is found after the range.
        assert_eq!(quotes.read(b"x\"a\\\"b\"", 1, b'"'), 6);
        let mut quotes = Quotes::default();
        let lines = b"1'000;\n'a'";
        assert_eq!(quotes.read(lines, 1, b'\''), 1);
        assert_eq!(quotes.unclosed[0], 6);
        assert_eq!(quotes.read(lines, 7, b'\''), 3);
    }

    #[test]
    fn open_braces_are_kept_in_runs() {
        let mut braces = Braces::default();
        for is_body in [false, true] {
            for _ in 0..1_000 {
                braces.open(1, is_body);
            }
        }
        assert_eq!(braces.0, [(false, 1_000), (true, 1_000)]);
        assert!(braces.in_function());
        braces.close(1_000);
        assert!(!braces.in_function());
        braces.open(0, true);
        braces.close(999);
        assert_eq!(braces.0, [(false, 1)]);
        // More braces are closed than were opened.
        braces.close(5);
        braces.close(1);
        assert!(braces.0.is_empty());
    }

    #[test]
    fn a_branch_takes_back_what_it_opened() {
        // Both branches open the same function.
        let source = "int x = ;\n#if A\nvoid f() {\n#else\nvoid g() {\n#endif\n}\nint y;\n";
        let blanks = find_blanks(source);
        assert!(!blanks.is_empty());
    }
}
