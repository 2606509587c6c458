//! Counts of a server for a team, in the text format of Prometheus. No name of a user or repository is in them.

use super::lock;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Upper bounds of the histogram of answers, in seconds.
const BOUNDS: [f64; 8] = [0.005, 0.01, 0.025, 0.1, 0.25, 1.0, 5.0, 30.0];

#[derive(Default)]
struct Times {
    /// Answers up to each bound, and the slower ones.
    buckets: [u64; BOUNDS.len() + 1],
    seconds: f64,
}

/// The counts.
#[derive(Default)]
pub(super) struct Metrics {
    /// Answers by tool and outcome.
    answers: Mutex<BTreeMap<(String, &'static str), u64>>,
    times: Mutex<Times>,
    unknown_tokens: AtomicU64,
    limited: AtomicU64,
    unavailable: AtomicU64,
    lost_entries: AtomicU64,
}

impl Metrics {
    pub(super) fn count_answer(&self, tool: &str, outcome: &'static str, took: Duration) {
        let mut answers = lock(&self.answers);
        *answers.entry((tool.to_owned(), outcome)).or_default() += 1;
        drop(answers);
        let seconds = took.as_secs_f64();
        let mut times = lock(&self.times);
        let at = BOUNDS.iter().position(|bound| seconds <= *bound);
        times.buckets[at.unwrap_or(BOUNDS.len())] += 1;
        times.seconds += seconds;
    }

    pub(super) fn count_unknown_token(&self) {
        self.unknown_tokens.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn count_limited(&self) {
        self.limited.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn count_unavailable(&self) {
        self.unavailable.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn count_lost_entry(&self) {
        self.lost_entries.fetch_add(1, Ordering::Relaxed);
    }

    /// All counts as text.
    pub(super) fn render(&self, is_healthy: bool) -> String {
        let mut out = String::new();
        let mut one = |name: &str, kind: &str, help: &str, value: u64| {
            let _ = write!(
                out,
                "# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}\n"
            );
        };
        one(
            "knotwork_database_up",
            "gauge",
            "Whether the database answers.",
            u64::from(is_healthy),
        );
        let counters = [
            (
                "knotwork_unknown_tokens_total",
                "Requests with a wrong token.",
                &self.unknown_tokens,
            ),
            (
                "knotwork_rate_limited_total",
                "Requests beyond the rate of their user.",
                &self.limited,
            ),
            (
                "knotwork_unavailable_total",
                "Requests while the database did not answer.",
                &self.unavailable,
            ),
            (
                "knotwork_audit_lost_total",
                "Entries of the audit log that could not be kept.",
                &self.lost_entries,
            ),
        ];
        for (name, help, count) in counters {
            one(name, "counter", help, count.load(Ordering::Relaxed));
        }
        out.push_str("# HELP knotwork_answers_total Calls of tools.\n# TYPE knotwork_answers_total counter\n");
        for ((tool, outcome), count) in &*lock(&self.answers) {
            let _ = writeln!(
                out,
                "knotwork_answers_total{{tool=\"{tool}\",outcome=\"{outcome}\"}} {count}"
            );
        }
        out.push_str("# HELP knotwork_answer_seconds Time of an answer.\n# TYPE knotwork_answer_seconds histogram\n");
        let times = lock(&self.times);
        let mut sum = 0;
        let bounds = BOUNDS.iter().map(f64::to_string).chain(["+Inf".to_owned()]);
        for (bound, count) in bounds.zip(times.buckets) {
            sum += count;
            let _ = writeln!(
                out,
                "knotwork_answer_seconds_bucket{{le=\"{bound}\"}} {sum}"
            );
        }
        let _ = writeln!(out, "knotwork_answer_seconds_sum {}", times.seconds);
        let _ = writeln!(out, "knotwork_answer_seconds_count {sum}");
        out
    }
}
