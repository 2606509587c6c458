//! What linking may spend: so many steps for a site, and for all sites of a file together as many as its size allows.
//!
//! Sites of one file are linked in order and no other file's, so that what runs out of fuel does not depend on the order
//! of files, on the number of threads, or on what was linked before.

use base::facts::FileFacts;
use base::{Cancel, thread_time};
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Steps for one site. Sites of real code take a few hundred, seldom some thousand.
const SITE: u64 = 50_000;

/// Steps for all sites of a file: so many, and so many for each fact. Real files take two for each, seldom six.
const FILE: (u64, u64) = (10_000, 25);

/// Steps for one entry of the tables that are made before linking: an `impl`.
const ENTRY: u64 = 5_000;

/// So many entries of a list are passed over in one step.
pub const MANY: usize = 16;

/// Of more definitions that share a name and a place none is chosen: going through them at each use would take time
/// with the square of the file. Generated code has some hundred overloads.
pub const NAMESAKES: usize = 1_000;

/// The computing time for all sites of a file, and how much more for each fact. Steps bound the work that they count; the clock
/// bounds the work between two steps, which a new kind of source may find. The slowest real files take PERFACT.
const TIME: (Duration, Duration) = (Duration::from_micros(200), Duration::from_micros(20));

/// The computing time that all files together may take beyond their own.
const SHARED_TIME: Duration = Duration::from_secs(20);

/// The computing time that one file may take of the shared time.
const MOST_SHARED: Duration = Duration::from_secs(4);

/// Programs without optimisations take so many times as long.
const SLOWNESS: u32 = if cfg!(debug_assertions) { 20 } else { 1 };

/// The clock is looked at once in so many steps that are taken at once.
const LOOK: u32 = 16;

/// The deepest nesting of steps that are no questions of their own: the stack holds it many times over.
const NESTING: u32 = 256;

/// The computing time that is left to all files of a repository together, beyond what each has of its own.
#[derive(Debug, Clone)]
pub struct SharedTime(Arc<AtomicU64>);

impl Default for SharedTime {
    fn default() -> SharedTime {
        SharedTime(Arc::new(AtomicU64::new(nanoseconds(SHARED_TIME * SLOWNESS))))
    }
}

impl SharedTime {
    /// No time beyond what each file has of its own.
    pub fn none() -> SharedTime {
        SharedTime(Arc::default())
    }

    /// Takes at most so much; what is left where there is less.
    fn take(&self, wanted: Duration) -> Duration {
        let wanted = nanoseconds(wanted);
        let take = |left: u64| Some(left.saturating_sub(wanted));
        let had = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take);
        Duration::from_nanos(had.unwrap_or_default().min(wanted))
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// A piece of the shared time that a file takes at once.
const PIECE: Duration = Duration::from_millis(100);

/// The clock of one file: how long its sites may still compute.
#[derive(Debug)]
struct Clock {
    shared: SharedTime,
    /// What may still be taken of the shared time.
    may_take: Cell<Duration>,
    /// What is left before the next piece is taken.
    left: Cell<Duration>,
    /// Steps until the clock is looked at.
    steps: Cell<u32>,
    /// When it was looked at: by the clock of the day, which is read faster, and by that of the thread.
    looked: Cell<(Instant, Duration)>,
    late: Cell<bool>,
}

impl Clock {
    fn new(own: Duration, shared: &SharedTime) -> Clock {
        Clock {
            shared: shared.clone(),
            may_take: Cell::new(MOST_SHARED * SLOWNESS),
            left: Cell::new(own * SLOWNESS),
            steps: Cell::new(LOOK),
            looked: Cell::new((Instant::now(), thread_time())),
            late: Cell::new(false),
        }
    }

    /// Whether the time is over. The clock is read once in so many calls, or at once with `now`.
    fn is_late(&self, now: bool) -> bool {
        let steps = self.steps.get();
        if self.late.get() || (steps > 0 && !now) {
            self.steps.set(steps.saturating_sub(1));
            return self.late.get();
        }
        self.steps.set(LOOK);
        let (looked, computed) = self.looked.get();
        // The thread has computed for no longer than has passed.
        if looked.elapsed() < self.left.get() {
            return false;
        }
        let time = thread_time();
        let mut left = self.left.get().saturating_sub(time.saturating_sub(computed));
        self.looked.set((Instant::now(), time));
        while left.is_zero() {
            let piece = self.shared.take((PIECE * SLOWNESS).min(self.may_take.get()));
            if piece.is_zero() {
                self.late.set(true);
                return true;
            }
            self.may_take.set(self.may_take.get().saturating_sub(piece));
            left += piece;
        }
        self.left.set(left);
        false
    }
}

/// Counts the steps of one evaluator and of the walks that it starts.
#[derive(Debug)]
pub struct Fuel {
    /// Left for this site.
    site: Cell<u64>,
    /// Left for the file; not that of the site.
    file: Cell<u64>,
    /// Whether something was cut since [`Fuel::begin_site`].
    short: Cell<bool>,
    /// How often something was cut for want of fuel or of depth.
    cuts: Cell<u64>,
    spent: Cell<u64>,
    nesting: Cell<u32>,
    /// Once it is late there is no fuel any more; none for the tables over all files.
    clock: Option<Clock>,
    /// Once it is set there is no fuel any more.
    cancel: Cancel,
}

impl Fuel {
    /// What all sites of a file may take.
    pub fn for_file(facts: &FileFacts, cancel: &Cancel, time: &SharedTime) -> Rc<Fuel> {
        let count = fact_count(facts);
        let own = TIME.0 + TIME.1 * u32::try_from(count).unwrap_or(u32::MAX);
        let clock = Some(Clock::new(own, time));
        Fuel::with_steps(FILE.0 + FILE.1 * count, clock, cancel)
    }

    /// What the tables over all files may take for one entry.
    pub fn for_table_entry() -> Rc<Fuel> {
        Fuel::with_steps(ENTRY, None, &Cancel::default())
    }

    fn with_steps(steps: u64, clock: Option<Clock>, cancel: &Cancel) -> Rc<Fuel> {
        let site = steps.min(SITE);
        Rc::new(Fuel {
            site: Cell::new(site),
            file: Cell::new(steps - site),
            short: Cell::new(false),
            cuts: Cell::new(0),
            spent: Cell::new(0),
            nesting: Cell::new(0),
            clock,
            cancel: cancel.clone(),
        })
    }

    /// Begins the next site.
    pub fn begin_site(&self) {
        let all = self.file.get() + self.site.get();
        let site = all.min(SITE);
        self.site.set(site);
        self.file.set(all - site);
        self.short.set(false);
    }

    /// Whether the file has computed for longer than it may. The clock is read at once.
    pub fn is_late(&self) -> bool {
        self.clock.as_ref().is_some_and(|clock| clock.is_late(true))
    }

    /// Takes some steps; false where there are not so many left, and then there are none.
    pub fn spend(&self, steps: usize) -> bool {
        let steps = steps as u64;
        let late = self.clock.as_ref().is_some_and(|clock| clock.is_late(false));
        if late || self.cancel.is_set() {
            self.site.set(0);
            self.file.set(0);
        }
        let had = self.site.get();
        // What is refused is not done.
        self.spent.set(self.spent.get() + steps.min(had));
        match had.checked_sub(steps) {
            Some(left) => {
                self.site.set(left);
                true
            }
            None => {
                self.site.set(0);
                self.record_cut();
                false
            }
        }
    }

    /// Takes the steps for going through so many definitions that share a name; false where that is too much.
    pub fn spend_on_namesakes(&self, count: usize) -> bool {
        if count > NAMESAKES {
            self.record_too_large();
            return false;
        }
        count <= 1 || self.spend(count / MANY)
    }

    /// Goes one level deeper, which is a step; false where that is too deep or there is no step left. Each `true` wants a
    /// [`Fuel::leave_level`].
    pub fn enter_level(&self) -> bool {
        if self.nesting.get() >= NESTING {
            self.record_cut();
            return false;
        }
        let entered = self.spend(1);
        if entered {
            self.nesting.set(self.nesting.get() + 1);
        }
        entered
    }

    /// Comes back from [`Fuel::enter_level`].
    pub fn leave_level(&self) {
        self.nesting.set(self.nesting.get() - 1);
    }

    /// Notes that an answer was cut, which another place might not have cut.
    pub fn record_cut(&self) {
        self.cuts.set(self.cuts.get() + 1);
        self.short.set(true);
    }

    /// How often that was so.
    pub fn cut_count(&self) -> u64 {
        self.cuts.get()
    }

    /// Notes that an answer says nothing because it is too large, wherever it is asked for.
    pub fn record_too_large(&self) {
        self.short.set(true);
    }

    /// Whether something of this site was cut.
    pub fn ran_out(&self) -> bool {
        self.short.get()
    }

    /// All steps that were taken.
    pub fn spent_steps(&self) -> u64 {
        self.spent.get()
    }
}

/// The number of a file's facts.
fn fact_count(facts: &FileFacts) -> u64 {
    let sites = facts.calls.len() + facts.references.len() + facts.writes.len();
    let tables = facts.exprs.len() + facts.types.len() + facts.defs.len() + facts.bindings.len();
    (sites + tables + facts.imports.len() + facts.exports.len()) as u64
}
