//! Limits on the work of linking: steps for one site, and steps for all sites of a file, which grow with its size.
//!
//! A counter belongs to one file, whose sites are linked in order. Running out of fuel therefore does not depend on the
//! order of files, on the number of threads, or on earlier links.

use crate::clock::{Clock, SharedTime};
use base::Cancel;
use base::facts::FileFacts;
use std::cell::Cell;
use std::rc::Rc;

/// Steps for one site. Sites of real code take a few hundred, rarely some thousand.
const SITE: u64 = 50_000;

/// Steps for all sites of a file: a base, and a number for each fact. Real files take two for each fact, rarely six.
const FILE: (u64, u64) = (10_000, 25);

/// Steps for one entry of the tables that are built before linking, such as an `impl`.
const ENTRY: u64 = 5_000;

/// Entries of a list that one step pays for.
pub const MANY: usize = 16;

/// The most definitions of one name in one place among which linking chooses. Going through more at each use would take
/// time quadratic in the size of the file. Generated code has a few hundred overloads.
pub const NAMESAKES: usize = 1_000;

/// Deepest recursion that is not a question of its own. The stack has room for many times as much.
const NESTING: u32 = 256;

/// Counts the steps of one evaluator and of the walks that it starts.
#[derive(Debug)]
pub struct Fuel {
    /// Steps left for this site.
    site: Cell<u64>,
    /// Steps left for the file, without those of this site.
    file: Cell<u64>,
    /// Whether something was cut since [`Fuel::begin_site`].
    short: Cell<bool>,
    /// How often something was cut for lack of fuel or depth.
    cuts: Cell<u64>,
    spent: Cell<u64>,
    nesting: Cell<u32>,
    /// Ends the fuel when the computing time is used up. Tables over all files have no clock.
    clock: Option<Clock>,
    /// Once it is set, there is no fuel left.
    cancel: Cancel,
}

impl Fuel {
    /// Fuel for all sites of a file.
    pub fn for_file(facts: &FileFacts, cancel: &Cancel, time: &SharedTime) -> Rc<Fuel> {
        let count = fact_count(facts);
        let clock = Some(Clock::for_facts(count, time));
        Fuel::with_steps(FILE.0 + FILE.1 * count, clock, cancel)
    }

    /// Fuel for one entry of the tables over all files.
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

    /// Whether the computing time of the file is used up.
    pub fn is_late(&self) -> bool {
        self.clock.as_ref().is_some_and(Clock::is_late)
    }

    /// Takes `steps` steps; false if fewer are left, and then all are used up.
    pub fn spend(&self, steps: usize) -> bool {
        let steps = steps as u64;
        let late = self.clock.as_ref().is_some_and(Clock::is_late_after_step);
        if late || self.cancel.is_set() {
            self.site.set(0);
            self.file.set(0);
        }
        let had = self.site.get();
        // Refused steps are not carried out, so they do not count.
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

    /// Takes the steps for going through `count` definitions that share a name; false if that is too many.
    pub fn spend_on_namesakes(&self, count: usize) -> bool {
        if count > NAMESAKES {
            self.record_too_large();
            return false;
        }
        count <= 1 || self.spend(count / MANY)
    }

    /// Enters one level of recursion, which takes one step. False if it is too deep or no step is left. Each `true`
    /// needs a [`Fuel::leave_level`].
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

    /// Leaves the level of [`Fuel::enter_level`].
    pub fn leave_level(&self) {
        self.nesting.set(self.nesting.get() - 1);
    }

    /// Records that an answer was cut here; the same question asked elsewhere may not be cut.
    pub fn record_cut(&self) {
        self.cuts.set(self.cuts.get() + 1);
        self.short.set(true);
    }

    /// The number of cuts so far.
    pub fn cut_count(&self) -> u64 {
        self.cuts.get()
    }

    /// Records that an answer is unknown because it is too large, wherever it is asked for.
    pub fn record_too_large(&self) {
        self.short.set(true);
    }

    /// Whether something was cut or too large at this site.
    pub fn ran_out(&self) -> bool {
        self.short.get()
    }

    /// All steps taken so far.
    pub fn spent_steps(&self) -> u64 {
        self.spent.get()
    }
}

/// The number of a file's facts.
fn fact_count(facts: &FileFacts) -> u64 {
    let sites = facts.calls.len() + facts.references.len() + facts.writes.len();
    let tables = facts.exprs.len() + facts.types.len() + facts.defs.len() + facts.bindings.len();
    (sites + tables + facts.imports.len() + facts.choices.len() + facts.exports.len()) as u64
}
