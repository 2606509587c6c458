//! What a host of the engine is told of answers, whichever door they were asked through.

use std::time::Duration;

/// A context that an answer gave out.
#[derive(Debug, Clone, Copy)]
pub struct ContextReport<'a> {
    /// The time from the question to the answer.
    pub took: Duration,
    /// The relevance of each piece, 0 to 1.
    pub relevances: &'a [f64],
    /// `hit` or `miss`; none if the answer may not be cached.
    pub cache: Option<&'a str>,
    /// Whether a lesser source than usual answered.
    pub fell_back: bool,
}

/// Counts answers, for the metrics of a daemon.
pub trait AnswerObserver: Send + Sync {
    /// A question was answered with source. `rerank_skipped`: no language model sorted it.
    fn context_given(&self, report: &ContextReport<'_>, rerank_skipped: bool);

    /// A prompt was answered.
    fn hook_answered(&self, report: &ContextReport<'_>);

    /// Results were sorted again; `took` is the time of the language model, none if it did not sort them.
    fn reranked(&self, took: Option<Duration>);
}
