//! The entry point: one function for each operation. Safe to use from several threads.

mod catch_up;
mod choose;
mod find;
mod save;
mod sealed_meta;
mod transfer;

pub use catch_up::{Backend, CatchUpReport};
pub use choose::{EmbedderFactory, ModelChoice, ModelInUse};
pub use transfer::{Export, Imported};

use crate::embed::{BuiltIn, Embedder};
use crate::error::{Result, SolutionError};
use crate::record::{GetRequest, ListTagsAnswer, ListTagsRequest, Solution, Stats, Version};
use crate::search::Tuning;
use crate::store::{self, Store};
use crate::vectors::VectorCache;
use crate::vectors::chroma::{Chroma, Http};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The place of the memory, and the resources that it may use.
#[derive(Clone)]
pub struct Options {
    /// The folder, e.g. `~/.solution-memory`.
    pub folder: PathBuf,
    /// The project of saved solutions that name none.
    pub project: Option<String>,
    /// The model where the store names none.
    pub embedder: Arc<dyn Embedder>,
    /// The maker of other models; none where a program has none.
    pub models: Option<Arc<dyn EmbedderFactory>>,
    /// The HTTP client for a Chroma server; none where a program has none.
    pub http: Option<Arc<dyn Http>>,
}

impl Options {
    /// Options with the built-in model and without HTTP.
    pub fn for_folder(folder: impl Into<PathBuf>) -> Options {
        Options {
            folder: folder.into(),
            project: None,
            embedder: Arc::new(BuiltIn),
            models: None,
            http: None,
        }
    }
}

/// The solved problems. Opened at the first use.
pub struct Memory {
    options: Options,
    tuning: Tuning,
    inner: Mutex<OpenState>,
    /// The model in use, once the store is open.
    current: Mutex<Option<Arc<dyn Embedder>>>,
    /// Whether a background thread makes vectors.
    working: AtomicBool,
}

/// The open store and what was read from it.
#[derive(Default)]
struct OpenState {
    store: Option<Store>,
    loaded: VectorCache,
    backend: Backend,
    /// Shared, so that a request to the server does not block others who need the store.
    chroma: Option<Arc<Chroma>>,
    /// Whether this user chose the server. Nothing is sent to a server that somebody else chose.
    is_chroma_ours: bool,
    /// The store's choice of a model, as stored.
    chosen: Option<String>,
}

impl OpenState {
    fn open_store(&mut self) -> Result<&mut Store> {
        self.store
            .as_mut()
            .ok_or_else(|| SolutionError::failure("the solution store is not open"))
    }
}

/// The longest time for all requests of one query together: missing vectors, its own vector, Chroma.
pub(crate) const QUESTION: Duration = Duration::from_secs(4);

/// The wait for another program in one attempt, during which the store is locked.
const ONE_TRY: Duration = Duration::from_millis(10);
/// The time between attempts, in which other threads of this process use the store.
const BETWEEN_TRIES: Duration = Duration::from_millis(10);

/// Keys of the store's own settings.
const MODEL: &str = "model";
const DIMENSION: &str = "dimension";

impl Memory {
    /// A memory; nothing is opened yet.
    pub fn new(options: Options) -> Memory {
        Memory {
            options,
            tuning: Tuning::default(),
            inner: Mutex::default(),
            current: Mutex::default(),
            working: AtomicBool::new(false),
        }
    }

    /// Sets other parameters of the search than the product's: for an evaluation.
    pub fn with_tuning(mut self, tuning: Tuning) -> Memory {
        self.tuning = tuning;
        self
    }

    /// One solution in full. Counts that it was opened.
    pub fn get(&self, request: &GetRequest) -> Result<Solution> {
        self.with_store(|inner| {
            let store = inner.open_store()?;
            let found = store.get_or_error(&request.id)?.solution;
            // An answer matters more than the count.
            let _ = store.increment_use(&found.id);
            Ok(found)
        })
    }

    /// The tags, by category, with their numbers of solutions.
    pub fn list_tags(&self, request: &ListTagsRequest) -> Result<ListTagsAnswer> {
        self.with_store(|inner| {
            Ok(ListTagsAnswer {
                tags: inner.open_store()?.tags(request.category)?,
            })
        })
    }

    /// Deletes a solution. Its last state stays in the history, unless `forget` is set.
    pub fn delete(&self, id: &str, forget: bool) -> Result<()> {
        self.with_store_to_write(|inner| {
            let store = inner.open_store()?;
            let id = match store.get_or_error(id) {
                Ok(row) => row.solution.id,
                Err(_) if forget => id.trim().to_owned(),
                Err(error) => return Err(error),
            };
            store.delete(&id, forget)
        })?;
        // Its vector at Chroma is removed too; later, if Chroma does not answer.
        let _ = self.compute_by_deadline(Duration::from_secs(2), Instant::now() + QUESTION);
        Ok(())
    }

    /// Earlier states of a solution, also of a deleted one, oldest first.
    pub fn history(&self, id: &str) -> Result<Vec<Version>> {
        self.with_store(|inner| {
            let store = inner.open_store()?;
            let versions = store.versions(id.trim())?;
            if versions.is_empty() {
                store.get_or_error(id)?;
            }
            Ok(versions)
        })
    }

    /// The state of the store.
    pub fn stats(&self) -> Result<Stats> {
        let (mut stats, chroma) = self.with_store(|inner| {
            let backend = inner.backend.clone();
            let mut stats = inner.open_store()?.stats()?;
            stats.model = self.model_name();
            stats.dimension = self.embedder().dimension();
            stats.backend = backend.name().to_owned();
            Ok((stats, inner.chroma.clone()))
        })?;
        match chroma.map(|chroma| chroma.count(Instant::now() + QUESTION)) {
            Some(Ok(count)) => stats.vectors = count,
            Some(Err(why)) => {
                stats.vectors = 0;
                stats.notes.push(why.to_string());
            }
            None => {}
        }
        Ok(stats)
    }

    /// Takes the notes from opening the store.
    pub fn take_notes(&self) -> Vec<String> {
        let mut inner = self.lock();
        inner
            .store
            .as_mut()
            .map(|s| std::mem::take(&mut s.notes))
            .unwrap_or_default()
    }

    /// The folder.
    pub fn folder(&self) -> &std::path::Path {
        &self.options.folder
    }

    fn lock(&self) -> MutexGuard<'_, OpenState> {
        // A panic may leave at most a transaction, which is rolled back.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs `work` on the open store to answer a question. A damaged store is set aside and rescued, and the work is
    /// repeated.
    fn with_store<T>(&self, work: impl Fn(&mut OpenState) -> Result<T>) -> Result<T> {
        self.with_store_within(store::QUESTION_PATIENCE, work)
    }

    /// Runs `work` that writes. It waits longer for other writers.
    fn with_store_to_write<T>(&self, work: impl Fn(&mut OpenState) -> Result<T>) -> Result<T> {
        self.with_store_within(store::PATIENCE, work)
    }

    /// Waits for other programs at most `patience`. The store is not locked meanwhile, so other threads of this process can
    /// use it.
    fn with_store_within<T>(
        &self,
        patience: Duration,
        work: impl Fn(&mut OpenState) -> Result<T>,
    ) -> Result<T> {
        let since = Instant::now();
        loop {
            match self.try_with_store(&work) {
                Err(error) if !error.busy => return Err(error),
                Err(_) if since.elapsed() < patience => std::thread::sleep(BETWEEN_TRIES),
                Err(_) => {
                    let path = store::database_path(&self.options.folder);
                    return Err(SolutionError::held_by_another(&path));
                }
                done => return done,
            }
        }
    }

    /// Runs `work` now. The error is `busy` if another program holds the store; nothing was done then.
    fn try_with_store<T>(&self, work: &impl Fn(&mut OpenState) -> Result<T>) -> Result<T> {
        let mut inner = self.lock();
        for attempt in 0.. {
            let stands = inner.store.as_ref().is_some_and(Store::is_same_file);
            if !stands || Memory::has_model_changed(&inner) {
                self.open(&mut inner, ONE_TRY)?;
            }
            match work(&mut inner) {
                Err(error) if error.damaged && attempt == 0 => {
                    let path = store::database_path(&self.options.folder);
                    if inner.store.as_ref().is_some_and(Store::is_read_only) {
                        return Err(error);
                    }
                    inner.store = None;
                    let note = store::rescue_damaged(&path)?;
                    self.open(&mut inner, ONE_TRY)?;
                    inner.open_store()?.notes.push(note);
                }
                // A new connection opens the present files.
                Err(error) if error.lost && attempt == 0 => inner.store = None,
                done => return done,
            }
        }
        Err(SolutionError::failure("the solution store cannot be used"))
    }

    fn open(&self, inner: &mut OpenState, patience: Duration) -> Result<()> {
        *inner = OpenState::default();
        self.open_into(inner, patience).inspect_err(|_| {
            // A store that was opened only in part would count as open.
            *inner = OpenState::default();
        })
    }

    fn open_into(&self, inner: &mut OpenState, patience: Duration) -> Result<()> {
        let store = Store::open(&store::database_path(&self.options.folder), patience)?;
        inner.store = Some(store);
        self.load_model(inner)?;
        self.load_backend(inner)
    }
}
