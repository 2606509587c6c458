//! Progress of the engine's work: a progress bar on standard error if that is a terminal, and detailed lines if `DEVBOOKS_DEBUG`
//! asks for them.

use engine::Progress;
use indicatif::{ProgressBar, ProgressStyle};
use std::fmt::Arguments;
use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The time before a progress bar is shown.
const QUIET: Duration = Duration::from_millis(300);

/// Detailed lines on standard error.
pub(crate) struct DebugLog {
    shown: bool,
    warns: bool,
    since: Instant,
}

impl DebugLog {
    /// Shows lines if `DEVBOOKS_DEBUG` is set to anything but 0.
    pub(crate) fn from_environment() -> DebugLog {
        let set = std::env::var_os("DEVBOOKS_DEBUG");
        DebugLog {
            shown: set.is_some_and(|v| !v.is_empty() && v != "0"),
            warns: false,
            since: Instant::now(),
        }
    }

    /// As [`DebugLog::from_environment`], with warnings on standard error.
    pub(crate) fn with_warnings() -> DebugLog {
        DebugLog {
            warns: true,
            ..DebugLog::from_environment()
        }
    }
}

impl Progress for DebugLog {
    fn warning(&self, line: Arguments<'_>) {
        if self.warns {
            let line = line.to_string();
            let line = guard::text::escape_line(&line);
            let _ = writeln!(std::io::stderr(), "warning: {line}");
        }
    }

    fn stage(&self, name: &str, total: u64) {
        self.detail(format_args!("{name} ({total})"));
    }

    fn detail(&self, line: Arguments<'_>) {
        if self.shown {
            let since = self.since.elapsed().as_secs_f64() * 1000.0;
            let line = line.to_string();
            let line = guard::text::escape_line(&line);
            // An error of writing is ignored.
            let _ = writeln!(std::io::stderr(), "debug: {since:9.1} ms  {line}");
        }
    }
}

/// Shows the stages of an index build, one at a time.
pub(crate) struct TerminalProgress {
    shown: bool,
    since: Instant,
    debug: DebugLog,
    bar: Mutex<Option<ProgressBar>>,
}

impl Default for TerminalProgress {
    fn default() -> Self {
        TerminalProgress {
            shown: std::io::stderr().is_terminal(),
            since: Instant::now(),
            debug: DebugLog::with_warnings(),
            bar: Mutex::new(None),
        }
    }
}

impl Progress for TerminalProgress {
    fn warning(&self, line: Arguments<'_>) {
        self.debug.warning(line);
    }

    fn detail(&self, line: Arguments<'_>) {
        self.debug.detail(line);
    }

    fn stage(&self, name: &str, total: u64) {
        self.debug.stage(name, total);
        if !self.shown || self.debug.shown {
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
            "{msg:>10} {bar:40} {pos}/{len} · {per_sec} · {eta} left"
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

impl Drop for TerminalProgress {
    fn drop(&mut self) {
        if let Ok(Some(bar)) = self.bar.get_mut().map(Option::take) {
            bar.finish_and_clear();
        }
    }
}
