//! Missing vectors: makes them, sends them to the backend, and removes old ones. Also moves vectors between backends.

use super::sealed_meta::{is_ours, set_sealed};
use super::{Memory, OpenState, QUESTION};
use crate::embed;
use crate::error::{NOT_OURS, Result, SolutionError};
use crate::store::{PendingVector, Quantised, Row};
use crate::vectors::chroma::{Chroma, Item, REQUEST};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// The solutions that a thread embeds between two checks of the time.
const BATCH: usize = 8;

/// The backend that stores vectors.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Backend {
    /// The solution store itself.
    #[default]
    Embedded,
    /// The Chroma server at this address.
    Chroma(String),
}

impl Backend {
    /// The name: `embedded` or `chroma`.
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

/// The result of making missing vectors.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CatchUpReport {
    /// The number of vectors made.
    pub made: usize,
    /// The number of solutions that still wait.
    pub waiting: u64,
    /// The reason why they wait, if it is not lack of time.
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
        inner.is_chroma_ours = is_ours(store, CHROMA, &url)?;
        inner.chroma = inner
            .is_chroma_ours
            .then(|| self.new_chroma(&url))
            .flatten();
        inner.backend = Backend::Chroma(url);
        Ok(())
    }

    fn new_chroma(&self, url: &str) -> Option<Arc<Chroma>> {
        let http = self.options.http.clone()?;
        Some(Arc::new(Chroma::new(http, url, &self.model_name())))
    }

    /// Makes missing vectors for at most `patience`; at least one batch where any are missing.
    pub fn compute_missing_vectors(&self, patience: Duration) -> Result<CatchUpReport> {
        self.compute(patience, self.embedder().thread_count(), None)
    }

    /// Makes missing vectors for a caller that waits: no request goes on beyond `until`.
    pub(super) fn compute_by_deadline(
        &self,
        patience: Duration,
        until: Instant,
    ) -> Result<CatchUpReport> {
        self.compute(patience, self.embedder().thread_count(), Some(until))
    }

    fn compute(
        &self,
        patience: Duration,
        threads: usize,
        until: Option<Instant>,
    ) -> Result<CatchUpReport> {
        let since = Instant::now();
        let mut done = CatchUpReport::default();
        loop {
            let (waiting, read_only) = self.with_store(|inner| {
                let store = inner.open_store()?;
                let rows = store.rows_waiting_for_vectors(BATCH * threads)?;
                Ok((rows, store.is_read_only()))
            })?;
            if waiting.is_empty() || read_only {
                break;
            }
            // Vectors for a server that does not answer would be made in vain.
            if let Some(away) = self.chroma_problem(until)? {
                done.why = Some(away);
                break;
            }
            match self.compute_batch(waiting, threads, until) {
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

    /// The reason why the Chroma server cannot be used now. None if it can be used, or if none is configured.
    fn chroma_problem(&self, until: Option<Instant>) -> Result<Option<String>> {
        let (backend, chroma, is_ours) = self.with_store(|inner| {
            let backend = inner.backend.clone();
            Ok((backend, inner.chroma.clone(), inner.is_chroma_ours))
        })?;
        let until = until.unwrap_or_else(|| Instant::now() + REQUEST);
        Ok(match (backend, chroma) {
            (Backend::Embedded, _) => None,
            (Backend::Chroma(_), Some(chroma)) => {
                let problem = chroma.count(until).err();
                problem.map(|away| away.to_string())
            }
            (Backend::Chroma(url), None) if !is_ours => {
                Some(format!("Chroma at {url} is not used: {NOT_OURS}"))
            }
            (Backend::Chroma(_), None) => {
                Some("Chroma is not available in this program".to_owned())
            }
        })
    }

    /// Makes the vectors of a batch without locking the store, then stores them. Returns the number of solutions handled.
    fn compute_batch(
        &self,
        waiting: Vec<PendingVector>,
        threads: usize,
        until: Option<Instant>,
    ) -> Result<usize> {
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
            embed::embed_on_threads(&*embedder, &texts, threads, until)?
        };
        let count = rows.len() + gone.len();
        if vectors.len() != rows.len() {
            return Err(SolutionError::failure("the model left texts out"));
        }
        let model = embedder.model_name().to_owned();
        let chroma = self.with_store(|inner| {
            // If another model was chosen meanwhile, these vectors are worthless, and the solutions wait for others.
            let is_chroma = model == self.model_name() && inner.backend.is_chroma();
            Ok(is_chroma.then(|| inner.chroma.clone()))
        })?;
        if let Some(chroma) = chroma {
            let chroma = chroma.ok_or_else(|| {
                SolutionError::missing_dependency("Chroma is not available in this program")
            })?;
            self.send_to_chroma(&chroma, (&rows, &vectors), &gone, until)?;
            return Ok(count);
        }
        self.with_store(|inner| {
            if model != self.model_name() || inner.backend.is_chroma() {
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

    /// Sends a batch to Chroma without locking the store, then records that it was sent.
    fn send_to_chroma(
        &self,
        chroma: &Arc<Chroma>,
        (rows, vectors): (&[Row], &[Vec<f32>]),
        gone: &[String],
        until: Option<Instant>,
    ) -> Result<()> {
        let pairs = rows.iter().zip(vectors);
        let items: Vec<Item<'_>> = pairs.map(|(row, v)| Item::new(&row.solution, v)).collect();
        let sent = chroma.upsert(&items, until);
        let sent = sent.and_then(|()| chroma.remove(gone, until));
        sent.map_err(|away| SolutionError::missing_dependency(away.to_string()))?;
        self.with_store(|inner| {
            // If another server was chosen meanwhile, the vectors are missing at the new one.
            let is_same = inner
                .chroma
                .as_ref()
                .is_some_and(|now| Arc::ptr_eq(now, chroma));
            if is_same {
                inner.open_store()?.dequeue(rows, gone)?;
            }
            Ok(())
        })
    }

    /// Sends newly saved solutions to Chroma; adds a note where it does not answer.
    pub(super) fn push_to_chroma(&self, notes: &mut Vec<String>) {
        if !self.lock().backend.is_chroma() {
            return;
        }
        let done = self.compute_by_deadline(Duration::from_secs(2), Instant::now() + QUESTION);
        if let Ok(CatchUpReport { why: Some(why), .. }) = done {
            notes.push(format!(
                "its vector is added when Chroma answers again: {why}"
            ));
        }
    }

    /// Makes missing vectors in a background thread, of which this process runs one at a time.
    pub fn compute_missing_in_background(self: &Arc<Self>) {
        if self.working.swap(true, Ordering::AcqRel) {
            return;
        }
        let memory = Arc::clone(self);
        let work = move || {
            // No caller waits for it, so one thread is enough.
            let _ = memory.compute(Duration::MAX, 1, None);
            memory.working.store(false, Ordering::Release);
        };
        let spawned = std::thread::Builder::new()
            .name("vectors".to_owned())
            .spawn(work);
        if spawned.is_err() {
            self.working.store(false, Ordering::Release);
        }
    }

    /// The backend in use.
    pub fn backend(&self) -> Result<Backend> {
        self.with_store(|inner| Ok(inner.backend.clone()))
    }

    /// Moves the vectors to another backend. The solutions themselves stay in the store; every vector is made or sent again, and
    /// those that could not be sent wait.
    ///
    /// # Errors
    /// If the Chroma server does not answer; nothing is changed then.
    pub fn migrate_backend(&self, backend: &Backend) -> Result<CatchUpReport> {
        if let Backend::Chroma(url) = backend {
            let chroma = self.new_chroma(url).ok_or_else(|| {
                SolutionError::missing_dependency("Chroma is not available in this program")
            })?;
            chroma.count(Instant::now() + REQUEST).map_err(|away| {
                SolutionError::missing_dependency(away.to_string())
                    .with_hint("start one with: chroma run --path ~/.solution-memory/chroma")
            })?;
        }
        self.with_store_to_write(|inner| {
            let store = inner.open_store()?;
            store.set_meta(BACKEND, backend.name())?;
            if let Backend::Chroma(url) = backend {
                set_sealed(store, CHROMA, url)?;
            }
            store.requeue_all_vectors()?;
            inner.backend = Backend::Embedded;
            inner.chroma = None;
            self.load_backend(inner)
        })?;
        self.compute_missing_vectors(Duration::MAX)
    }
}
