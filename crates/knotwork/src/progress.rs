//! A progress bar on standard error, where that is a terminal.

use engine::Progress;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Work that ends sooner than this shows no bar.
const QUIET: Duration = Duration::from_millis(300);

/// Shows the stages of an index, one at a time.
pub(crate) struct Bar {
    shown: bool,
    since: Instant,
    bar: Mutex<Option<ProgressBar>>,
}

impl Default for Bar {
    fn default() -> Self {
        Bar {
            shown: std::io::stderr().is_terminal(),
            since: Instant::now(),
            bar: Mutex::new(None),
        }
    }
}

impl Progress for Bar {
    fn stage(&self, name: &str, total: u64) {
        if !self.shown {
            return;
        }
        let Ok(mut slot) = self.bar.lock() else {
            return;
        };
        if let Some(before) = slot.take() {
            before.finish_and_clear();
        }
        let bar = ProgressBar::new(total);
        let template = if total == 0 {
            "{msg} …"
        } else {
            "{msg:>10} {bar:40} {pos}/{len}"
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("━╸─"));
        }
        bar.set_message(name.to_owned());
        if self.since.elapsed() >= QUIET {
            bar.tick();
        }
        *slot = Some(bar);
    }

    fn advance(&self, by: u64) {
        if !self.shown || self.since.elapsed() < QUIET {
            return;
        }
        if let Ok(slot) = self.bar.lock()
            && let Some(bar) = slot.as_ref()
        {
            bar.inc(by);
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Ok(Some(bar)) = self.bar.get_mut().map(Option::take) {
            bar.finish_and_clear();
        }
    }
}
