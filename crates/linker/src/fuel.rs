//! What linking may spend: so many steps for a site, and for all sites of a file together as many as its size allows.
//!
//! Sites of one file are linked in order and no other file's, so that what runs out of fuel does not depend on the order
//! of files, on the number of threads, or on what was linked before.

use base::Cancel;
use base::facts::FileFacts;
use std::cell::Cell;
use std::rc::Rc;

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

/// The deepest nesting of steps that are no questions of their own: the stack holds it many times over.
const NESTING: u32 = 256;

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
    /// Once it is set there is no fuel any more.
    cancel: Cancel,
}

impl Fuel {
    /// What all sites of a file may take.
    pub fn for_file(facts: &FileFacts, cancel: &Cancel) -> Rc<Fuel> {
        Fuel::with_steps(FILE.0 + FILE.1 * fact_count(facts), cancel)
    }

    /// What the tables over all files may take for one entry.
    pub fn for_table_entry() -> Rc<Fuel> {
        Fuel::with_steps(ENTRY, &Cancel::default())
    }

    fn with_steps(steps: u64, cancel: &Cancel) -> Rc<Fuel> {
        let site = steps.min(SITE);
        Rc::new(Fuel {
            site: Cell::new(site),
            file: Cell::new(steps - site),
            short: Cell::new(false),
            cuts: Cell::new(0),
            spent: Cell::new(0),
            nesting: Cell::new(0),
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

    /// Takes some steps; false where there are not so many left, and then there are none.
    pub fn spend(&self, steps: usize) -> bool {
        let steps = steps as u64;
        if self.cancel.is_set() {
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
    (sites + tables + facts.imports.len() + facts.choices.len() + facts.exports.len()) as u64
}
