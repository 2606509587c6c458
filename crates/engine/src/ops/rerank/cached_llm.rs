//! A cache of a model's answers of the last minutes: the same question about the same results is asked once.

use super::parse;
use crate::{Llm, LlmError};
use guard::seal;
use guard::state::create_private_folders;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

/// The time for which an answer is kept.
const TIME: Duration = Duration::from_secs(300);
/// The most bytes of an answer; a longer one was not written by this program.
const LONGEST: u64 = 16 << 20;

/// The most answers that are kept.
const MOST: usize = 200;

/// A model whose answers are kept in a folder.
pub(super) struct CachedLlm {
    llm: Arc<dyn Llm>,
    folder: PathBuf,
}

impl CachedLlm {
    pub(super) fn new(llm: Arc<dyn Llm>, folder: PathBuf) -> CachedLlm {
        CachedLlm { llm, folder }
    }

    fn cache_path(&self, prompt: &str) -> PathBuf {
        let model = self.llm.model().as_bytes();
        let first = base::fingerprint(&[model, prompt.as_bytes()]);
        let second = base::fingerprint(&[prompt.as_bytes(), model]);
        self.folder.join(format!("{first:016x}{second:016x}.txt"))
    }

    /// Writes an answer to the cache. Errors are ignored: the model is then asked again.
    fn store_answer(&self, prompt: &str, answer: &str) {
        let made = self
            .folder
            .parent()
            .is_none_or(|cache| create_private_folders(cache).is_ok());
        if !made || create_private_folders(&self.folder).is_err() {
            return;
        }
        evict_old(&self.folder);
        let file = self.cache_path(prompt);
        let _ = seal::write_sealed(&file, &cache_file_kind(&file), answer.as_bytes());
    }
}

/// The kind of file, for its seal: it names the question, so that no answer passes for that to another.
fn cache_file_kind(file: &Path) -> String {
    let name = file.file_name().unwrap_or_default();
    format!("re-ranking {}", name.to_string_lossy())
}

/// The age of a file; none for a file that is missing or from the future.
fn age(file: &Path) -> Option<Duration> {
    let written = file.metadata().ok()?.modified().ok()?;
    SystemTime::now().duration_since(written).ok()
}

/// Removes old answers; all of them where there are too many.
fn evict_old(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    let full = files.len() >= MOST;
    for file in files {
        if full || age(&file).is_none_or(|age| age > TIME) {
            let _ = fs::remove_file(file);
        }
    }
}

impl Llm for CachedLlm {
    fn model(&self) -> &str {
        self.llm.model()
    }

    fn cached_answer(&self, prompt: &str) -> Option<String> {
        let file = self.cache_path(prompt);
        if age(&file)? > TIME {
            return None;
        }
        let answer = seal::read_sealed(&file, &cache_file_kind(&file), LONGEST)?;
        String::from_utf8(answer).ok()
    }

    fn complete(&self, prompt: &str, deadline: Instant) -> Result<String, LlmError> {
        let answer = self.llm.complete(prompt, deadline)?;
        if !parse::parse_rankings(&answer, super::MAX_CANDIDATES)
            .rows
            .is_empty()
        {
            self.store_answer(prompt, &answer);
        }
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    struct Counting {
        asked: AtomicU32,
        answer: &'static str,
    }

    impl Llm for Counting {
        fn model(&self) -> &str {
            "counting"
        }

        fn complete(&self, _prompt: &str, _deadline: Instant) -> Result<String, LlmError> {
            self.asked.fetch_add(1, Ordering::SeqCst);
            Ok(self.answer.to_owned())
        }
    }

    fn model(answer: &'static str) -> (Arc<Counting>, CachedLlm, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let asked = AtomicU32::new(0);
        let inner = Arc::new(Counting { asked, answer });
        let kept = CachedLlm::new(inner.clone(), folder.path().join("rerank"));
        (inner, kept, folder)
    }

    fn ask(kept: &CachedLlm, prompt: &str) -> String {
        let ask = || kept.complete(prompt, Instant::now() + TIME).unwrap();
        kept.cached_answer(prompt).unwrap_or_else(ask)
    }

    #[test]
    fn the_same_question_is_asked_once() {
        let (inner, kept, _folder) = model(r#"[{"index": 0, "score": 7}]"#);
        for _ in 0..3 {
            assert_eq!(ask(&kept, "which"), inner.answer);
        }
        assert_eq!(inner.asked.load(Ordering::SeqCst), 1);
        ask(&kept, "another");
        assert_eq!(inner.asked.load(Ordering::SeqCst), 2);
    }

    #[test]
    fn what_is_no_use_is_not_kept() {
        let (inner, kept, _folder) = model("I cannot judge that.");
        for _ in 0..3 {
            ask(&kept, "which");
        }
        assert_eq!(inner.asked.load(Ordering::SeqCst), 3);
    }

    #[test]
    fn old_answers_go() {
        let (inner, kept, _folder) = model(r#"[{"index": 0, "score": 7}]"#);
        ask(&kept, "which");
        let file = kept.cache_path("which");
        let long_ago = SystemTime::now() - TIME * 2;
        let opened = fs::File::options().write(true).open(&file).unwrap();
        opened.set_modified(long_ago).unwrap();
        assert_eq!(kept.cached_answer("which"), None);
        ask(&kept, "another");
        assert!(!file.exists());
        assert_eq!(inner.asked.load(Ordering::SeqCst), 2);
    }
}
