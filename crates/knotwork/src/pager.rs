//! Long answers at a terminal: the user's pager shows them.

use guard::program::{Environment, find_program_outside};
use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

/// The pager if the user names none.
const DEFAULT_PAGER: &str = "less";

/// Options of `less` if the user has set none: end when the text fits the screen, keep colours, leave the text on the screen.
const LESS_OPTIONS: &str = "FRX";

/// The words of the user's pager command, from `KNOTWORK_PAGER`, else `PAGER`. An empty one and `cat` mean: no pager.
fn pager_words(read: impl Fn(&str) -> Option<OsString>) -> Option<Vec<String>> {
    let named = read("KNOTWORK_PAGER").or_else(|| read("PAGER"));
    let named = match named {
        Some(named) => named.into_string().ok()?,
        None => DEFAULT_PAGER.to_owned(),
    };
    let words: Vec<String> = named.split_whitespace().map(str::to_owned).collect();
    let is_pager = words.first().is_some_and(|program| program != "cat");
    is_pager.then_some(words)
}

/// The number of rows that a text takes on a terminal of this width. Escape sequences count as text: a text that fits barely
/// may be paged.
fn rows_of(text: &str, columns: usize) -> usize {
    let columns = columns.max(1);
    text.lines()
        .map(|line| line.chars().count().div_ceil(columns).max(1))
        .sum()
}

/// Shows a text in the pager if the terminal is too small for it. Returns whether it has been shown: not where the pager failed.
/// `project` is the project that the text is about.
pub(crate) fn show(text: &str, project: Option<&Path>) -> bool {
    let Some((rows, columns)) = console::Term::stdout().size_checked() else {
        return false;
    };
    if rows_of(text, usize::from(columns)) < usize::from(rows) {
        return false;
    }
    pager_words(|name| std::env::var_os(name)).is_some_and(|words| page(text, &words, project))
}

fn page(text: &str, words: &[String], project: Option<&Path>) -> bool {
    let Some((name, options)) = words.split_first() else {
        return false;
    };
    let environment = Environment::from_variables(|name| std::env::var_os(name));
    // A program inside the project was not chosen by the user.
    let Ok(folder) = std::env::current_dir() else {
        return false;
    };
    let inside: Vec<&Path> = project.into_iter().chain([folder.as_path()]).collect();
    let Some(program) = find_program_outside(name, &environment, &inside) else {
        return false;
    };
    let mut command = program.foreground_command(Path::new("/"));
    for name in ["TERM", "LESS", "LESSCHARSET", "COLORTERM"] {
        command.envs(std::env::var_os(name).map(|value| (name, value)));
    }
    if std::env::var_os("LESS").is_none() {
        command.env("LESS", LESS_OPTIONS);
    }
    // The pager has the terminal: an interrupt there is for it, and must not end this process before it.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGINT, std::sync::Arc::default());
    let Ok(mut pager) = command.args(options).stdin(Stdio::piped()).spawn() else {
        return false;
    };
    if let Some(mut input) = pager.stdin.take() {
        // A failed write is no error: the user may leave the pager early.
        let _ = input.write_all(text.as_bytes());
    }
    // A pager that failed, for example over a wrong option, may have shown nothing.
    pager.wait().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_users_own_pager_comes_first_and_none_is_none() {
        let words = |own: Option<&str>, general: Option<&str>| {
            let own = own.map(OsString::from);
            let general = general.map(OsString::from);
            pager_words(|name| match name {
                "KNOTWORK_PAGER" => own.clone(),
                _ => general.clone(),
            })
        };
        assert_eq!(words(None, None).unwrap(), ["less"]);
        assert_eq!(words(None, Some("more -f")).unwrap(), ["more", "-f"]);
        assert_eq!(words(Some("bat"), Some("more")).unwrap(), ["bat"]);
        assert_eq!(words(Some(""), Some("more")), None);
        assert_eq!(words(None, Some("cat")), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_pager_that_fails_has_not_shown_the_text() {
        assert!(page("text\n", &["true".to_owned()], None));
        assert!(!page("text\n", &["false".to_owned()], None));
    }

    #[test]
    fn long_lines_take_several_rows() {
        assert_eq!(rows_of("", 80), 0);
        assert_eq!(rows_of("a\n\nb\n", 80), 3);
        assert_eq!(rows_of("abcdef\n", 3), 2);
    }
}
