//! An opened project: its location, its configuration, the cancellation of questions, and the state kept between
//! questions.

use crate::config::Config;
use crate::embedder::EmbedderChoice;
use crate::heat::HeatCache;
use crate::inputs::Inputs;
use crate::ops::boundary::cache::FileRoleCache;
use crate::ops::federation::link_cache::LinkCache;
use crate::ops::federation::stored_index::IndexCache;
use crate::project::Project;
use crate::recent_measures::RecentMeasures;
use crate::resident_state::ResidentState;
use crate::{AnswerObserver, EngineError, Progress, Settings};
use ingest::walk::FoundText;
use ingest::{Cancel, IndexOptions};
use platform::RealPath;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// A walk at most this long ago was made for the present question.
const SAME_QUESTION: Duration = Duration::from_millis(250);

/// The longest wait for another process that writes.
pub(crate) const WRITER_LOCK_TIMEOUT: Duration = Duration::from_secs(3);

/// An opened project. Operations that build or change the index work on it directly; each question gets a session.
pub struct Workspace {
    inputs: Arc<Inputs>,
    progress: Arc<dyn Progress + Send>,
    /// The resident state of a process that answers many questions.
    resident: Option<Arc<ResidentState>>,
    shared: Arc<Shared>,
    /// The files found by the last walk, and its time.
    recent_walk: Mutex<Option<(Instant, Vec<FoundText>)>>,
    /// Set where the answer is no longer wanted.
    cancel: Cancel,
}

/// State that the questions of a project share.
#[derive(Default)]
pub(crate) struct Shared {
    /// Allows one update at a time within this process.
    update_lock: Mutex<()>,
    /// The last computed heat of files.
    pub heat: HeatCache,
    /// The project's own rules of file roles.
    pub file_role_rules: FileRoleCache,
    /// Measures of the files that were asked about last.
    pub recent_measures: RecentMeasures,
    /// The embedder. Made once, so that a failed provider is remembered.
    embedder: OnceLock<EmbedderChoice>,
    /// The links within the project.
    pub links: LinkCache,
    /// The contracts of a federation as they were last decoded.
    pub federation_index: IndexCache,
    /// Who counts the answers, in a daemon.
    observer: OnceLock<Arc<dyn AnswerObserver>>,
    /// Repairs that no answer has reported yet.
    repair_notes: Mutex<Vec<String>>,
}

impl Workspace {
    pub(crate) fn new(inputs: Inputs, progress: Arc<dyn Progress + Send>) -> Workspace {
        let inputs = Arc::new(inputs);
        let long_running = inputs.settings.long_running;
        Workspace {
            resident: long_running
                .then(|| Arc::new(ResidentState::new(inputs.clone(), progress.clone()))),
            inputs,
            progress,
            shared: Arc::default(),
            recent_walk: Mutex::default(),
            cancel: Cancel::default(),
        }
    }

    /// The same project for a caller in another of its folders: relative paths are taken from that folder.
    pub(crate) fn with_current_dir(&self, folder: &Path) -> Result<Workspace, EngineError> {
        let mut inputs = Arc::clone(&self.inputs);
        if folder != self.project().start {
            let start = folder.real_path().unwrap_or_else(|_| folder.to_path_buf());
            if !start.starts_with(self.root()) {
                let message = format!("outside the project: {}", folder.display());
                return Err(EngineError::bad_arguments(message));
            }
            Arc::make_mut(&mut inputs).project.start = start;
        }
        Ok(self.share_with(inputs, &self.cancel))
    }

    /// The same project for a question that ends at its next step once `cancel` is set.
    pub(crate) fn with_cancel(&self, cancel: &Cancel) -> Workspace {
        self.share_with(self.inputs.clone(), cancel)
    }

    fn share_with(&self, inputs: Arc<Inputs>, cancel: &Cancel) -> Workspace {
        Workspace {
            inputs,
            progress: self.progress.clone(),
            resident: self.resident.clone(),
            shared: self.shared.clone(),
            recent_walk: Mutex::default(),
            cancel: cancel.clone(),
        }
    }

    pub(crate) fn project(&self) -> &Project {
        &self.inputs.project
    }

    /// The project's root.
    pub(crate) fn root(&self) -> &Path {
        &self.project().root
    }

    /// The graph's database.
    pub(crate) fn database(&self) -> &Path {
        &self.project().db_path
    }

    pub(crate) fn config(&self) -> &Config {
        &self.inputs.config
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.inputs.settings
    }

    /// The project, its settings and its configuration, as opened.
    pub(crate) fn inputs(&self) -> &Arc<Inputs> {
        &self.inputs
    }

    /// The options for indexing.
    pub(crate) fn options(&self) -> IndexOptions {
        IndexOptions {
            cancel: self.cancel.clone(),
            ..self.inputs.options()
        }
    }

    pub(crate) fn progress(&self) -> &dyn Progress {
        &*self.progress
    }

    pub(crate) fn resident(&self) -> Option<&Arc<ResidentState>> {
        self.resident.as_ref()
    }

    pub(crate) fn shared(&self) -> &Shared {
        &self.shared
    }

    /// Sets who counts the answers; the first one stays.
    pub(crate) fn observe_answers(&self, observer: Arc<dyn AnswerObserver>) {
        let _ = self.shared.observer.set(observer);
    }

    /// Who counts the answers.
    pub(crate) fn observer(&self) -> Option<&dyn AnswerObserver> {
        self.shared.observer.get().map(|observer| &**observer)
    }

    /// The embedder.
    pub(crate) fn embedder(&self) -> EmbedderChoice {
        let choose = || EmbedderChoice::new(self.settings(), self.config());
        self.shared.embedder.get_or_init(choose).clone()
    }

    pub(crate) fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// An error where the question is cancelled.
    pub(crate) fn check_cancelled(&self) -> Result<(), EngineError> {
        if self.cancel.is_set() {
            Err(EngineError::runtime_failure("cancelled by the client"))
        } else {
            Ok(())
        }
    }

    /// Takes the lock of updates.
    pub(crate) fn lock_updates(&self) -> MutexGuard<'_, ()> {
        let lock = self.shared.update_lock.lock();
        lock.unwrap_or_else(PoisonError::into_inner)
    }

    /// Records a repair, for the next answer.
    pub(crate) fn record_repair(&self, what: String) {
        self.repair_notes().push(what);
    }

    /// Takes the repairs since the last answer.
    pub(crate) fn take_repair_notes(&self) -> Vec<String> {
        std::mem::take(&mut *self.repair_notes())
    }

    /// Whether something was repaired since the last answer.
    pub(crate) fn has_repair_notes(&self) -> bool {
        !self.repair_notes().is_empty()
    }

    fn repair_notes(&self) -> MutexGuard<'_, Vec<String>> {
        let lock = self.shared.repair_notes.lock();
        lock.unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps the files found by a walk, for the same question.
    pub(crate) fn store_walk(&self, found: Vec<FoundText>) {
        *self.recent_walk() = Some((Instant::now(), found));
    }

    /// Takes the files found by a walk for the same question; none the second time.
    pub(crate) fn take_recent_walk(&self) -> Option<Vec<FoundText>> {
        let (since, found) = self.recent_walk().take()?;
        (since.elapsed() < SAME_QUESTION).then_some(found)
    }

    /// The files of a walk for the same question whose path `keep` takes, if there was one.
    pub(crate) fn recently_walked(&self, keep: impl Fn(&str) -> bool) -> Option<Vec<FoundText>> {
        let recent = self.recent_walk();
        let (since, found) = recent.as_ref()?;
        let is_recent = since.elapsed() < SAME_QUESTION;
        is_recent.then(|| found.iter().filter(|f| keep(&f.path)).cloned().collect())
    }

    fn recent_walk(&self) -> MutexGuard<'_, Option<(Instant, Vec<FoundText>)>> {
        let lock = self.recent_walk.lock();
        lock.unwrap_or_else(PoisonError::into_inner)
    }
}
