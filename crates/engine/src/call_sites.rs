//! Calls of files by the name of what is called, kept by a process that answers many questions.
//!
//! The first question sets a thread to work that reads all files once; until it is done, questions read what they need
//! for themselves. A file whose size or time is another is read again.

use crate::inputs::Inputs;
use crate::project::Project;
use base::secret::{TextKind, mask_secrets};
use base::{Language, fingerprint};
use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;
use syntax::FileFacts;
use syntax::facts::Expr;

/// Bytes of a file that is read.
const MOST_BYTES: u64 = 1 << 20;
/// Entries that are kept, 8 bytes each.
const MOST_KEPT: usize = 2_000_000;
/// Bits of an entry that say the line.
const LINE_BITS: u32 = 24;

/// No file was asked about.
const UNASKED: u8 = 0;
/// All are being read.
const FILLING: u8 = 1;
/// All were read.
const FILLED: u8 = 2;

/// What is kept of files, by path.
#[derive(Debug, Default)]
pub(crate) struct CallSites {
    state: AtomicU8,
    cache: Mutex<SiteCache>,
}

#[derive(Debug, Default)]
struct SiteCache {
    files: HashMap<String, (Version, Arc<Sites>)>,
    entries: usize,
}

/// Size and time of a file.
type Version = (u64, SystemTime);

/// Bytes of a line above which it is not looked at word by word.
const LONG_LINE: usize = 2_000;

/// Places of a file, each a hash of the name and a line, in order.
#[derive(Debug, Default)]
struct Sites {
    /// Calls.
    calls: Vec<u64>,
    /// Lines that look like a call of something that the file calls.
    possible_calls: Vec<u64>,
}

impl CallSites {
    /// Has all files read, unless that was done before.
    pub(crate) fn fill_in_background(
        self: &Arc<Self>,
        inputs: &Arc<Inputs>,
        paths: impl FnOnce() -> Vec<String>,
    ) {
        let first =
            self.state
                .compare_exchange(UNASKED, FILLING, Ordering::Relaxed, Ordering::Relaxed);
        if first.is_err() {
            return;
        }
        let (kept, inputs, paths) = (self.clone(), inputs.clone(), paths());
        let work = move || {
            for path in paths {
                if kept.is_full() {
                    break;
                }
                kept.sites_in_file(&inputs.project, &path);
            }
            kept.state.store(FILLED, Ordering::Relaxed);
        };
        let started = std::thread::Builder::new().name("calls".to_owned());
        if started.spawn(work).is_err() {
            self.state.store(FILLED, Ordering::Relaxed);
        }
    }

    /// Lets go what is kept; the next question reads what it needs.
    pub(crate) fn clear(&self) {
        *self.lock() = SiteCache::default();
    }

    /// Whether files are being read.
    pub(crate) fn is_filling(&self) -> bool {
        self.state.load(Ordering::Relaxed) == FILLING
    }

    /// The calls of a file as it is now.
    fn sites_in_file(&self, project: &Project, path: &str) -> Option<Arc<Sites>> {
        let real = project.resolve_on_disk(path)?;
        let version = file_version(&real)?;
        if let Some(sites) = self.cached_sites(path, version) {
            return Some(sites);
        }
        let text = read(&real)?;
        let sites = Arc::new(Sites::extract(Language::from_path(path)?, &text));
        let entries = sites.calls.len() + sites.possible_calls.len();
        let mut kept = self.lock();
        kept.entries += entries;
        let new = (version, sites.clone());
        if let Some((_, old)) = kept.files.insert(path.to_owned(), new) {
            kept.entries -= old.calls.len() + old.possible_calls.len();
        }
        Some(sites)
    }

    fn cached_sites(&self, path: &str, version: Version) -> Option<Arc<Sites>> {
        let kept = self.lock();
        let (of, sites) = kept.files.get(path)?;
        (*of == version).then(|| sites.clone())
    }

    fn is_full(&self) -> bool {
        self.lock().entries >= MOST_KEPT
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, SiteCache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Lines of a file with a call of the name; none where no line that looks like one is news.
pub(crate) fn call_lines_in_file(
    (project, kept): (&Project, Option<&Arc<CallSites>>),
    path: &str,
    name: &str,
    is_news: impl Fn(u32) -> bool,
) -> Vec<u32> {
    let Some(real) = project.resolve_on_disk(path).filter(|p| p.is_file()) else {
        return Vec::new();
    };
    if let Some(kept) = kept {
        let known = file_version(&real).and_then(|version| kept.cached_sites(path, version));
        let all = kept.state.load(Ordering::Relaxed) == FILLED && !kept.is_full();
        let known = known.or_else(|| all.then(|| kept.sites_in_file(project, path)).flatten());
        if let Some(sites) = known {
            return sites.call_lines(name, is_news);
        }
    }
    match (read(&real), Language::from_path(path)) {
        (Some(text), Some(language)) => lines_of_text(language, &text, name, is_news),
        _ => Vec::new(),
    }
}

impl Sites {
    fn extract(language: Language, text: &str) -> Sites {
        let facts = languages::extract(language, text);
        let named = facts
            .calls
            .iter()
            .filter_map(|call| Some((callee_name(&facts, facts.expr(call.expr))?, call.line)));
        let names: BTreeSet<&str> = named.clone().map(|(name, _)| name).collect();
        let mut calls: Vec<u64> = named.map(|(name, line)| pack_entry(name, line)).collect();
        let mut looks = Vec::new();
        for (line, text) in (1..).zip(text.lines()) {
            let words = text.split(|c| !is_word(c)).filter(|w| !w.is_empty());
            let known = words.filter(|word| names.contains(word));
            // A long line is not gone through for each of its words: they all count.
            let is_long = text.len() > LONG_LINE;
            let like = known.filter(|word| is_long || looks_like_call(text, word));
            looks.extend(like.map(|word| pack_entry(word, line)));
        }
        calls.sort_unstable();
        looks.sort_unstable();
        looks.dedup();
        calls.shrink_to_fit();
        looks.shrink_to_fit();
        Sites {
            calls,
            possible_calls: looks,
        }
    }

    /// Lines with a call of the name; none where no line that looks like one `is_news`.
    fn call_lines(&self, name: &str, is_news: impl Fn(u32) -> bool) -> Vec<u32> {
        if lines_of_name(&self.possible_calls, name).any(is_news) {
            lines_of_name(&self.calls, name).collect()
        } else {
            Vec::new()
        }
    }
}

/// The same of a text that is read for one question: it is parsed only where a line of it is news.
fn lines_of_text(
    language: Language,
    text: &str,
    name: &str,
    is_news: impl Fn(u32) -> bool,
) -> Vec<u32> {
    let mut lines = (1..).zip(text.lines());
    if !lines.any(|(line, text)| looks_like_call(text, name) && is_news(line)) {
        return Vec::new();
    }
    let facts = languages::extract(language, text);
    let calls = facts.calls.iter();
    let named = calls.filter(|call| callee_name(&facts, facts.expr(call.expr)) == Some(name));
    named.map(|call| call.line).collect()
}

fn file_version(real: &Path) -> Option<Version> {
    let found = real.metadata().ok().filter(|m| m.is_file())?;
    Some((found.len(), found.modified().ok()?))
}

fn read(real: &Path) -> Option<String> {
    let text = guard::file::read_user_text(real, MOST_BYTES).ok()?;
    let kind = TextKind::from_path(&real.to_string_lossy());
    Some(mask_secrets(text, kind))
}

fn pack_entry(name: &str, line: u32) -> u64 {
    (fingerprint(&[name.as_bytes()]) << LINE_BITS) | u64::from(line)
}

/// The lines beside a name, in order.
fn lines_of_name(entries: &[u64], name: &str) -> impl Iterator<Item = u32> {
    let first = pack_entry(name, 0);
    let from = entries.partition_point(|e| *e < first);
    let same = entries[from..]
        .iter()
        .take_while(move |e| **e >> LINE_BITS == first >> LINE_BITS);
    same.map(|e| (*e & ((1 << LINE_BITS) - 1)) as u32)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// Whether the name stands there as a word with a parenthesis behind it, and is not being defined.
fn looks_like_call(line: &str, name: &str) -> bool {
    line.match_indices(name).any(|(at, _)| {
        let (before, after) = (&line[..at], &line[at + name.len()..]);
        let after = after.trim_start_matches(['!', '?', ' ']);
        let defines = ["def ", "fn ", "func ", "function "];
        after.starts_with(['(', '<', ':', '{'])
            && !before.ends_with(is_word)
            && !defines.iter().any(|d| before.ends_with(d))
    })
}

/// The last name of what is called.
fn callee_name<'f>(facts: &'f FileFacts, expr: &Expr) -> Option<&'f str> {
    match expr {
        Expr::Name { name, .. } => Some(facts.name(*name)),
        Expr::Member { name, .. } => Some(facts.name(*name)),
        Expr::Call { callee, .. } => callee_name(facts, facts.expr(*callee)),
        Expr::New { class, .. } => callee_name(facts, facts.expr(*class)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "def make(a):\n    return a\n\nmake(1)\nx.make(2); x.other(make)\ny = [\n  make\n  (3)]\nmake_all(4)\n# make(5)\nz: make = other()\n";

    #[test]
    fn calls_stand_beside_their_names() {
        let sites = Sites::extract(Language::Python, TEXT);
        assert_eq!(sites.call_lines("make", |_| true), [4, 5, 7]);
        assert_eq!(
            sites.call_lines("make", |line| line > 4),
            [4, 5, 7],
            "one is"
        );
        assert_eq!(sites.call_lines("other", |_| true), [5, 11]);
        assert!(sites.call_lines("mak", |_| true).is_empty());
    }

    #[test]
    fn what_is_kept_says_what_the_text_says() {
        let sites = Sites::extract(Language::Python, TEXT);
        for name in ["make", "other", "make_all", "mak", "all", "a", "nothing"] {
            for from in 0..12 {
                let is_news = |line: u32| line > from;
                assert_eq!(
                    sites.call_lines(name, is_news),
                    lines_of_text(Language::Python, TEXT, name, is_news),
                    "{name} {from}"
                );
            }
        }
    }

    #[test]
    fn a_file_is_read_again_when_it_is_another() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.py");
        let write = |text: &str| std::fs::write(&file, text).unwrap();
        write("make(1)\n");
        let settings = crate::Settings::with_start(folder.path());
        let project = Project::find(&settings).unwrap();
        let kept = CallSites::default();
        let lines = || {
            let sites = kept.sites_in_file(&project, "a.py").unwrap();
            sites.call_lines("make", |_| true)
        };
        assert_eq!(lines(), [1]);
        assert_eq!(kept.lock().entries, 2);
        write("\nmake(1)\nmake(2)\n");
        assert_eq!(lines(), [2, 3]);
        assert_eq!(kept.lock().entries, 4, "the old ones are gone");
        assert!(kept.sites_in_file(&project, "none.py").is_none());
    }
}
