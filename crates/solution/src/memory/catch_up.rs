//! Vectors that are missing: made, sent to where they are kept, or removed; and the move between backends.

use super::{Memory, OpenState};
use crate::embed;
use crate::error::{Result, SolutionError};
use crate::store::{PendingVector, Quantised, Row};
use crate::vectors::chroma::{Chroma, Item};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Solutions that are embedded between two looks at the clock.
const BATCH: usize = 8;

/// Where vectors are kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Backend {
    /// In the store.
    #[default]
    Embedded,
    /// At the Chroma server with this address.
    Chroma(String),
}

impl Backend {
    /// `embedded` or `chroma`.
    pub fn name(&self) -> &'static str {
        match self {
            Backend::Embedded => "embedded",
            Backend::Chroma(_) => "chroma",
        }
    }

    pub(super) fn is_chroma(&self) -> bool {
        matches!(self, Backend::Chroma(_))
    }
}

/// What was done about missing vectors.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CatchUpReport {
    /// Vectors made.
    pub made: usize,
    /// Solutions that still wait.
    pub waiting: u64,
    /// Why they wait, where it is not for time.
    pub why: Option<String>,
}

const BACKEND: &str = "backend";
const CHROMA: &str = "chroma_url";

impl Memory {
    pub(super) fn load_backend(&self, inner: &mut OpenState) -> Result<()> {
        let store = inner.open_store()?;
        let is_chroma = store.meta(BACKEND)?.as_deref() == Some("chroma");
        let url = store.meta(CHROMA)?.filter(|_| is_chroma);
        let Some(url) = url else {
            return Ok(());
        };
        inner.chroma = self.new_chroma(&url);
        inner.backend = Backend::Chroma(url);
        Ok(())
    }

    fn new_chroma(&self, url: &str) -> Option<Chroma> {
        let http = self.options.http.clone()?;
        Some(Chroma::new(http, url, &self.model_name()))
    }

    /// Makes missing vectors for at most `patience`; at least one batch where there is something to do.
    pub fn compute_missing_vectors(&self, patience: Duration) -> Result<CatchUpReport> {
        let since = Instant::now();
        let mut done = CatchUpReport::default();
        loop {
            let (waiting, read_only) = self.with_store(|inner| {
                let store = inner.open_store()?;
                Ok((store.rows_waiting_for_vectors(BATCH)?, store.is_read_only()))
            })?;
            if waiting.is_empty() || read_only {
                break;
            }
            // A server that is away is not worth the vectors.
            if let Some(away) = self.chroma_problem()? {
                done.why = Some(away);
                break;
            }
            match self.compute_batch(waiting) {
                Ok(0) => break,
                Ok(made) => done.made += made,
                Err(error) => {
                    done.why = Some(error.message);
                    break;
                }
            }
            if since.elapsed() > patience {
                break;
            }
        }
        done.waiting = self.with_store(|inner| {
            inner
                .open_store()?
                .count_by_sql("SELECT count(*) FROM solution_pending")
        })?;
        Ok(done)
    }

    /// Why the Chroma server cannot be used now; none where it can, or where there is none.
    fn chroma_problem(&self) -> Result<Option<String>> {
        self.with_store(|inner| {
            Ok(match (&inner.backend, &inner.chroma) {
                (Backend::Embedded, _) => None,
                (Backend::Chroma(_), Some(chroma)) => chroma.count().err(),
                (Backend::Chroma(_), None) => {
                    Some("Chroma is not available in this program".to_owned())
                }
            })
        })
    }

    /// Makes the vectors of a batch without holding the store, then keeps them. Gives how many were dealt with.
    fn compute_batch(&self, waiting: Vec<PendingVector>) -> Result<usize> {
        let mut rows: Vec<Row> = Vec::new();
        let mut gone: Vec<String> = Vec::new();
        for one in waiting {
            match one {
                PendingVector::Make(row) => rows.push(*row),
                PendingVector::Gone(id) => gone.push(id),
            }
        }
        let texts: Vec<String> = rows
            .iter()
            .map(|row| embed::text_to_embed(&row.solution))
            .collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let embedder = self.embedder();
        let vectors = if texts.is_empty() {
            Vec::new()
        } else {
            embedder.embed(&texts).map_err(SolutionError::failure)?
        };
        let count = rows.len() + gone.len();
        if vectors.len() != rows.len() {
            return Err(SolutionError::failure("the model left texts out"));
        }
        let model = embedder.model_name().to_owned();
        self.with_store(|inner| {
            // Chosen anew meanwhile: these are worthless, and the rows wait for others.
            if model != self.model_name() {
                return Ok(());
            }
            if let Backend::Chroma(_) = inner.backend {
                let OpenState { store, chroma, .. } = inner;
                let (Some(store), Some(chroma)) = (store.as_mut(), chroma.as_ref()) else {
                    return Err(SolutionError::missing_dependency(
                        "Chroma is not available in this program",
                    ));
                };
                let items: Vec<Item<'_>> = rows
                    .iter()
                    .zip(&vectors)
                    .map(|(row, v)| Item::new(&row.solution, v))
                    .collect();
                chroma
                    .upsert(&items)
                    .map_err(SolutionError::missing_dependency)?;
                chroma
                    .remove(&gone)
                    .map_err(SolutionError::missing_dependency)?;
                store.dequeue(&rows, &gone)?;
                return Ok(());
            }
            let quantised = vectors.iter().map(|v| Quantised::quantize(v));
            let kept: Vec<(Row, Quantised)> = rows.iter().cloned().zip(quantised).collect();
            let store = inner.open_store()?;
            store.store_vectors(&model, &kept)?;
            store.dequeue(&[], &gone)
        })?;
        Ok(count)
    }

    /// Sends to Chroma what was just saved; where it is away, says so.
    pub(super) fn push_to_chroma(&self, notes: &mut Vec<String>) {
        if !self.lock().backend.is_chroma() {
            return;
        }
        let done = self.compute_missing_vectors(Duration::from_secs(2));
        if let Ok(CatchUpReport { why: Some(why), .. }) = done {
            notes.push(format!(
                "its vector is added when Chroma answers again: {why}"
            ));
        }
    }

    /// Makes missing vectors on a thread of its own, one at a time in this process.
    pub fn compute_missing_in_background(self: &Arc<Self>) {
        if self.working.swap(true, Ordering::AcqRel) {
            return;
        }
        let memory = Arc::clone(self);
        let work = move || {
            let _ = memory.compute_missing_vectors(Duration::MAX);
            memory.working.store(false, Ordering::Release);
        };
        let spawned = std::thread::Builder::new()
            .name("vectors".to_owned())
            .spawn(work);
        if spawned.is_err() {
            self.working.store(false, Ordering::Release);
        }
    }

    /// Whether a thread makes vectors now.
    pub fn is_computing_vectors(&self) -> bool {
        self.working.load(Ordering::Acquire)
    }

    /// Where vectors are kept.
    pub fn backend(&self) -> Result<Backend> {
        self.with_store(|inner| Ok(inner.backend.clone()))
    }

    /// Moves the vectors to another backend. The solutions themselves stay in the store; every vector is made or sent
    /// anew, and what could not be sent waits.
    ///
    /// Errors: a Chroma server that does not answer; nothing is changed then.
    pub fn migrate_backend(&self, backend: &Backend) -> Result<CatchUpReport> {
        if let Backend::Chroma(url) = backend {
            let chroma = self.new_chroma(url).ok_or_else(|| {
                SolutionError::missing_dependency("Chroma is not available in this program")
            })?;
            chroma.count().map_err(|away| {
                SolutionError::missing_dependency(away)
                    .with_hint("start one with: chroma run --path ~/.solution-memory/chroma")
            })?;
        }
        self.with_store(|inner| {
            let store = inner.open_store()?;
            store.set_meta(BACKEND, backend.name())?;
            if let Backend::Chroma(url) = backend {
                store.set_meta(CHROMA, url)?;
            }
            store.requeue_all_vectors()?;
            inner.backend = Backend::Embedded;
            inner.chroma = None;
            self.load_backend(inner)
        })?;
        self.compute_missing_vectors(Duration::MAX)
    }
}
