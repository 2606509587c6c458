//! The metrics of a daemon, as JSON and as Prometheus text.

use engine::{AnswerObserver, ContextReport};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Upper bounds of a histogram's buckets, milliseconds.
const BOUNDS: [f64; 13] = [
    0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 25.0, 50.0, 100.0, 250.0, 500.0, 1_000.0, 5_000.0,
];

/// Times in buckets.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Histogram {
    /// One count for each of [`BOUNDS`], and one for larger values.
    counts: [u64; BOUNDS.len() + 1],
    sum_ms: f64,
}

impl Histogram {
    fn record(&mut self, took: Duration) {
        let ms = took.as_secs_f64() * 1_000.0;
        let at = BOUNDS.iter().position(|bound| ms <= *bound);
        self.counts[at.unwrap_or(BOUNDS.len())] += 1;
        self.sum_ms += ms;
    }

    fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The upper bound of the bucket in which the cumulative share of values reaches `share`.
    fn quantile_bound(&self, share: f64) -> f64 {
        let wanted = (self.count() as f64 * share).ceil() as u64;
        let mut seen = 0;
        for (at, count) in self.counts.iter().enumerate() {
            seen += count;
            if seen >= wanted.max(1) {
                return BOUNDS.get(at).copied().unwrap_or(f64::INFINITY);
            }
        }
        0.0
    }

    fn to_json(&self) -> Value {
        let number = |ms: f64| {
            if ms.is_finite() {
                json!(ms)
            } else {
                json!("more")
            }
        };
        json!({
            "count": self.count(), "sum_ms": (self.sum_ms * 1e3).round() / 1e3,
            "p50_at_most_ms": number(self.quantile_bound(0.5)), "p95_at_most_ms": number(self.quantile_bound(0.95)),
        })
    }

    fn write_prometheus(&self, name: &str, labels: &str, out: &mut String) {
        let mut below = 0;
        let comma = if labels.is_empty() { "" } else { "," };
        for (at, count) in self.counts.iter().enumerate() {
            below += count;
            let bound = BOUNDS.get(at).map_or("+Inf".to_owned(), f64::to_string);
            let _ = writeln!(
                out,
                "{name}_bucket{{{labels}{comma}le=\"{bound}\"}} {below}"
            );
        }
        let braces = |labels: &str| match labels {
            "" => String::new(),
            labels => format!("{{{labels}}}"),
        };
        let _ = writeln!(out, "{name}_sum{} {}", braces(labels), self.sum_ms);
        let _ = writeln!(out, "{name}_count{} {below}", braces(labels));
    }
}

/// Times and outcomes of one action.
#[derive(Debug, Default)]
struct Action {
    times: Histogram,
    errors: u64,
}

/// A mean that is kept as its parts.
#[derive(Debug, Clone, Copy, Default)]
struct Mean {
    sum: f64,
    count: u64,
}

impl Mean {
    fn value(self) -> f64 {
        if self.count == 0 {
            return 0.0;
        }
        (self.sum / self.count as f64 * 1e3).round() / 1e3
    }
}

/// Counters of a daemon.
#[derive(Debug)]
pub(crate) struct Metrics {
    since: Instant,
    started_at: u64,
    actions: Mutex<BTreeMap<&'static str, Action>>,
    /// Durations from a prompt to its context.
    hook: Mutex<Histogram>,
    /// Durations of language models' answers.
    rerank: Mutex<Histogram>,
    /// Relevance of the pieces that were given out.
    relevance: Mutex<Mean>,
    /// Contexts found in the cache, so that nothing was embedded or searched for.
    cache_hits: AtomicU64,
    /// Contexts that were not in the cache.
    cache_misses: AtomicU64,
    pub(crate) busy: AtomicU64,
    pub(crate) cancelled: AtomicU64,
    pub(crate) malformed: AtomicU64,
    pub(crate) connections: AtomicU64,
    pub(crate) open: AtomicU64,
    pub(crate) rerank_skipped: AtomicU64,
    /// The number of answers with a fallback.
    pub(crate) fallbacks: AtomicU64,
}

/// A counter with its description.
struct Counter {
    name: &'static str,
    value: u64,
    help: &'static str,
}

/// Values at the moment of the request.
#[derive(Debug, Clone, Default)]
pub(crate) struct Gauges {
    pub(crate) pid: u32,
    pub(crate) version: &'static str,
    pub(crate) project: String,
    pub(crate) waiting: usize,
    pub(crate) running: usize,
    pub(crate) last_heartbeat: Option<u64>,
    pub(crate) nodes: u64,
    pub(crate) edges: u64,
    pub(crate) resident_bytes: u64,
    /// The number of evicted connections.
    pub(crate) evicted: u64,
}

impl Metrics {
    pub(crate) fn new() -> Metrics {
        Metrics {
            since: Instant::now(),
            started_at: super::files::unix_time(),
            actions: Mutex::default(),
            hook: Mutex::default(),
            rerank: Mutex::default(),
            relevance: Mutex::default(),
            cache_hits: AtomicU64::new(0),
            cache_misses: AtomicU64::new(0),
            busy: AtomicU64::new(0),
            cancelled: AtomicU64::new(0),
            malformed: AtomicU64::new(0),
            connections: AtomicU64::new(0),
            open: AtomicU64::new(0),
            rerank_skipped: AtomicU64::new(0),
            fallbacks: AtomicU64::new(0),
        }
    }

    /// Adds one to a counter.
    pub(crate) fn increment(&self, which: &AtomicU64) {
        which.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn record_action(&self, action: &'static str, took: Duration, failed: bool) {
        let mut actions = self.actions.lock().unwrap_or_else(PoisonError::into_inner);
        let action = actions.entry(action).or_default();
        action.times.record(took);
        action.errors += u64::from(failed);
    }

    /// Counts a context that was given out.
    fn record_context(&self, report: &ContextReport<'_>) {
        match report.cache {
            Some("hit") => self.increment(&self.cache_hits),
            Some(_) => self.increment(&self.cache_misses),
            None => {}
        }
        if report.fell_back {
            self.increment(&self.fallbacks);
        }
        let mut mean = self
            .relevance
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        mean.sum += report.relevances.iter().sum::<f64>();
        mean.count += report.relevances.len() as u64;
    }

    /// The share of contexts that came from the cache; 0 before the first.
    fn embedding_hit_rate(&self) -> f64 {
        let hits = self.cache_hits.load(Ordering::Relaxed);
        let all = hits + self.cache_misses.load(Ordering::Relaxed);
        let rate = hits as f64 / all.max(1) as f64;
        (rate * 1e3).round() / 1e3
    }

    fn relevance_score_avg(&self) -> f64 {
        let mean = self
            .relevance
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        mean.value()
    }

    pub(crate) fn uptime(&self) -> Duration {
        self.since.elapsed()
    }

    fn counters(&self) -> [Counter; 7] {
        let counter = |name, number: &AtomicU64, help| Counter {
            name,
            value: number.load(Ordering::Relaxed),
            help,
        };
        [
            counter(
                "busy",
                &self.busy,
                "Requests refused because too many were waiting.",
            ),
            counter(
                "cancelled",
                &self.cancelled,
                "Requests that ended because their client went away.",
            ),
            counter("malformed", &self.malformed, "Lines that were no request."),
            counter(
                "connections",
                &self.connections,
                "Connections since the daemon started.",
            ),
            counter(
                "open_connections",
                &self.open,
                "Connections that are open now.",
            ),
            counter(
                "llm_rerank_skip_count",
                &self.rerank_skipped,
                "Answers that no language model sorted, whether it was off or failed.",
            ),
            counter(
                "fallback_count",
                &self.fallbacks,
                "Answers from a lesser source than usual.",
            ),
        ]
    }

    /// All metrics as JSON.
    pub(crate) fn to_json(&self, now: &Gauges) -> Value {
        let actions = self.actions.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all = Histogram::default();
        let mut by_action = serde_json::Map::new();
        for (name, action) in actions.iter() {
            all.merge(&action.times);
            let mut one = action.times.to_json();
            one["errors"] = json!(action.errors);
            by_action.insert((*name).to_owned(), one);
        }
        let rerank = self.rerank.lock().unwrap_or_else(PoisonError::into_inner);
        let mut stats = json!({
            "running": true, "pid": now.pid, "version": now.version, "project": now.project,
            "uptime_seconds": self.uptime().as_secs(), "started_at": self.started_at,
            "queue_size": now.waiting, "working": now.running, "last_heartbeat": now.last_heartbeat,
            "daemon_latency_ms": all.to_json(), "daemon_queue_size": now.waiting,
            "graph_node_count": now.nodes, "graph_edge_count": now.edges,
            "resident_bytes": now.resident_bytes, "evicted_connections": now.evicted,
            "llm_rerank_latency_ms": rerank.to_json(), "actions": by_action,
        });
        for counter in self.counters() {
            stats[counter.name] = json!(counter.value);
        }
        let hook = self.hook.lock().unwrap_or_else(PoisonError::into_inner);
        stats["hook_latency_ms"] = hook.to_json();
        stats["embedding_hit_rate"] = json!(self.embedding_hit_rate());
        stats["relevance_score_avg"] = json!(self.relevance_score_avg());
        stats
    }

    /// All metrics in the text format of Prometheus, version 0.0.4.
    pub(crate) fn to_prometheus(&self, now: &Gauges) -> String {
        let mut out = String::new();
        let one = |out: &mut String, name: &str, kind: &str, help: &str, value: f64| {
            let _ = writeln!(
                out,
                "# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}"
            );
        };
        for (name, help, value) in [
            (
                "daemon_uptime_seconds",
                "Time since it started.",
                self.uptime().as_secs_f64(),
            ),
            (
                "daemon_queue_size",
                "Requests that wait for their turn.",
                now.waiting as f64,
            ),
            (
                "daemon_working",
                "Requests that are being answered.",
                now.running as f64,
            ),
            ("graph_node_count", "Nodes of the graph.", now.nodes as f64),
            ("graph_edge_count", "Edges of the graph.", now.edges as f64),
            (
                "process_resident_memory_bytes",
                "Memory in use.",
                now.resident_bytes as f64,
            ),
            (
                "embedding_hit_rate",
                "Share of contexts found in the cache, so that nothing was embedded or searched for, 0-1.",
                self.embedding_hit_rate(),
            ),
            (
                "relevance_score_avg",
                "Mean relevance of the pieces given out by graph-rag and the hook, 0-1.",
                self.relevance_score_avg(),
            ),
        ] {
            one(&mut out, name, "gauge", help, value);
        }
        one(
            &mut out,
            "daemon_evicted_connections_total",
            "counter",
            "Connections that had to make room for others.",
            now.evicted as f64,
        );
        for Counter { name, value, help } in self.counters() {
            let open = name == "open_connections";
            let (name, kind) = match name {
                "llm_rerank_skip_count" | "fallback_count" => (name.to_owned(), "counter"),
                name if open => (format!("daemon_{name}"), "gauge"),
                name => (format!("daemon_{name}_total"), "counter"),
            };
            one(&mut out, &name, kind, help, value as f64);
        }
        let name = "daemon_latency_ms";
        let _ = writeln!(
            out,
            "# HELP {name} Time from a request to its answer, milliseconds.\n# TYPE {name} histogram"
        );
        let actions = self.actions.lock().unwrap_or_else(PoisonError::into_inner);
        for (action, of) in actions.iter() {
            of.times
                .write_prometheus(name, &format!("action=\"{action}\""), &mut out);
        }
        let name = "hook_latency_ms";
        let _ = writeln!(
            out,
            "# HELP {name} Time from a prompt to its context, milliseconds.\n# TYPE {name} histogram"
        );
        let hook = self.hook.lock().unwrap_or_else(PoisonError::into_inner);
        hook.write_prometheus(name, "", &mut out);
        let name = "llm_rerank_latency_ms";
        let _ = writeln!(
            out,
            "# HELP {name} Time that a language model took to sort results, milliseconds.\n# TYPE {name} histogram"
        );
        let rerank = self.rerank.lock().unwrap_or_else(PoisonError::into_inner);
        rerank.write_prometheus(name, "", &mut out);
        out
    }
}

impl AnswerObserver for Metrics {
    fn context_given(&self, report: &ContextReport<'_>, rerank_skipped: bool) {
        self.record_context(report);
        if rerank_skipped {
            self.increment(&self.rerank_skipped);
        }
    }

    fn hook_answered(&self, report: &ContextReport<'_>) {
        self.record_context(report);
        let mut hook = self.hook.lock().unwrap_or_else(PoisonError::into_inner);
        hook.record(report.took);
    }

    fn reranked(&self, took: Option<Duration>) {
        match took {
            Some(took) => {
                let mut rerank = self.rerank.lock().unwrap_or_else(PoisonError::into_inner);
                rerank.record(took);
            }
            None => self.increment(&self.rerank_skipped),
        }
    }
}

impl Histogram {
    fn merge(&mut self, other: &Histogram) {
        for (ours, theirs) in self.counts.iter_mut().zip(other.counts) {
            *ours += theirs;
        }
        self.sum_ms += other.sum_ms;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_read_from_buckets() {
        let mut times = Histogram::default();
        for ms in [1, 1, 1, 1, 1, 1, 1, 1, 1, 40] {
            times.record(Duration::from_millis(ms));
        }
        assert_eq!(
            (times.quantile_bound(0.5), times.quantile_bound(0.95)),
            (1.0, 50.0)
        );
        times.record(Duration::from_secs(60));
        assert_eq!(times.to_json()["p95_at_most_ms"], "more");
        assert_eq!(Histogram::default().quantile_bound(0.95), 0.0);
    }

    #[test]
    fn both_shapes_say_the_same() {
        let metrics = Metrics::new();
        metrics.record_action("search", Duration::from_micros(300), false);
        metrics.record_action("search", Duration::from_millis(3), true);
        metrics.increment(&metrics.busy);
        let hit = ContextReport {
            took: Duration::from_millis(3),
            relevances: &[0.9, 0.3],
            cache: Some("hit"),
            fell_back: false,
        };
        metrics.context_given(&hit, true);
        let miss = ContextReport {
            relevances: &[],
            cache: Some("miss"),
            ..hit
        };
        metrics.hook_answered(&miss);
        let now = Gauges {
            waiting: 4,
            nodes: 12,
            ..Gauges::default()
        };
        let stats = metrics.to_json(&now);
        assert_eq!(stats["queue_size"], 4);
        assert_eq!(stats["busy"], 1);
        assert_eq!(stats["actions"]["search"]["errors"], 1);
        let text = metrics.to_prometheus(&now);
        for line in [
            "daemon_queue_size 4",
            "daemon_busy_total 1",
            "graph_node_count 12",
            "daemon_latency_ms_bucket{action=\"search\",le=\"0.5\"} 1",
            "daemon_latency_ms_bucket{action=\"search\",le=\"+Inf\"} 2",
            "daemon_latency_ms_count{action=\"search\"} 2",
            "llm_rerank_latency_ms_count 0",
            "hook_latency_ms_count 1",
            "llm_rerank_skip_count 1",
            "embedding_hit_rate 0.5",
            "relevance_score_avg 0.6",
        ] {
            assert!(text.lines().any(|l| l == line), "{line} is not in\n{text}");
        }
        let helps = text.lines().filter(|line| line.starts_with("# HELP"));
        assert!(helps.clone().count() > 15);
        assert!(!helps.into_iter().any(|line| line.contains("documentation")));
    }
}
