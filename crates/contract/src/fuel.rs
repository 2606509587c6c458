//! What finding the ends of a project's links and linking them may take: steps, and bytes of what is kept.
//!
//! Both are in proportion to the input with a fixed most, so that no product of two lists and no text that is put into
//! another can cost more than a large project does. What runs out is left out, and the answer says so.

use crate::code::CodeFile;
use crate::{Contract, Endpoint, Protocol};
use base::Cancel;
use std::cell::Cell;

/// What may be taken of something, in proportion to the input.
struct Allowance {
    /// Without any input.
    least: u64,
    /// For each byte of the input.
    for_each_byte: u64,
    /// However large the input is.
    most: u64,
}

/// Steps. Of fifteen public projects, up to 600,000 lines, none ran out.
const STEPS: Allowance = Allowance {
    least: 1_000_000,
    for_each_byte: 16,
    most: 100_000_000,
};

/// Bytes that are kept.
const BYTES: Allowance = Allowance {
    least: 32 << 20,
    for_each_byte: 24,
    most: 256 << 20,
};

/// So many bytes of a text are read or copied in one step.
const TEXT: usize = 32;

/// Bytes of a text beside its own.
const PER_TEXT: usize = 40;

/// Counts the steps and the bytes of one computation.
#[derive(Debug)]
pub struct Fuel {
    input: Cell<u64>,
    steps: Cell<u64>,
    bytes: Cell<u64>,
    /// Whether one of them was used up.
    is_short: Cell<bool>,
    /// Whether something was left out that is too large by itself.
    cut: Cell<bool>,
    /// Once it is set there is no fuel any more.
    cancel: Cancel,
}

impl Fuel {
    /// What a project without any code may take: [`Fuel::add_input`] adds to it.
    pub fn new(cancel: &Cancel) -> Fuel {
        Fuel {
            input: Cell::new(0),
            steps: Cell::new(0),
            bytes: Cell::new(0),
            is_short: Cell::new(false),
            cut: Cell::new(false),
            cancel: cancel.clone(),
        }
    }

    /// What files and contracts may take.
    pub fn for_code(files: &[CodeFile], contracts: &[&Contract], cancel: &Cancel) -> Fuel {
        let fuel = Fuel::new(cancel);
        fuel.add_code(files, contracts);
        fuel
    }

    /// Adds what files and contracts may take.
    pub fn add_code(&self, files: &[CodeFile], contracts: &[&Contract]) {
        for file in files {
            let marks = file.marks.iter().map(|m| m.name.len() + m.detail.len());
            let imports = file.imports.iter().map(|i| i.specifier.len());
            let symbols = file.symbols.iter().map(|s| s.id.len() + s.name.len());
            self.add_input(marks.chain(imports).chain(symbols).sum());
        }
        for contract in contracts {
            self.add_input(contract.size());
        }
    }

    /// Adds bytes of the input.
    pub fn add_input(&self, bytes: usize) {
        self.input
            .set(self.input.get().saturating_add(bytes as u64));
    }

    fn most(&self, of: &Allowance) -> u64 {
        of.least
            .saturating_add(self.input.get().saturating_mul(of.for_each_byte))
            .min(of.most)
    }

    /// Takes some steps; false where there are not so many left, and from then on.
    pub fn spend(&self, steps: usize) -> bool {
        let after = self.steps.get().saturating_add(steps as u64);
        if self.is_short.get() || after > self.most(&STEPS) {
            self.is_short.set(true);
            return false;
        }
        self.steps.set(after);
        !self.cancel.is_set()
    }

    /// Takes the steps for reading or copying a text of so many bytes.
    pub fn spend_on_text(&self, length: usize) -> bool {
        self.spend(1 + length / TEXT)
    }

    /// Takes bytes for what is kept; false where there are not so many left, and from then on.
    pub fn keep(&self, bytes: usize) -> bool {
        let after = self.bytes.get().saturating_add(bytes as u64);
        if after > self.most(&BYTES) {
            self.is_short.set(true);
            return false;
        }
        self.bytes.set(after);
        self.spend_on_text(bytes)
    }

    /// Takes the bytes of a place.
    pub(crate) fn keep_endpoint(&self, endpoint: &Endpoint) -> bool {
        self.keep(weight(endpoint))
    }

    /// Whether nobody waits any more.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_set()
    }

    /// Notes that something was left out which is too large by itself.
    pub fn record_cut(&self) {
        self.cut.set(true);
    }

    /// Whether something was left out.
    pub fn has_cut(&self) -> bool {
        self.is_short.get() || self.cut.get()
    }

    /// Steps that were taken.
    pub fn steps(&self) -> u64 {
        self.steps.get()
    }

    /// Bytes that were taken.
    pub fn bytes(&self) -> u64 {
        self.bytes.get()
    }
}

/// Bytes of a place, about.
fn weight(endpoint: &Endpoint) -> usize {
    let place = &endpoint.place;
    let parameters = place.parameters.iter().flatten();
    let parameters: usize = parameters.map(|p| PER_TEXT + p.len()).sum();
    let protocol_length = match &endpoint.protocol {
        Protocol::Http {
            method, path, host, ..
        } => method.len() + path.len() + host.as_ref().map_or(0, String::len),
        Protocol::Rpc {
            service, method, ..
        } => method.len() + service.as_ref().map_or(0, String::len),
        Protocol::GraphQl { root, field } => root.len() + field.len(),
        Protocol::Topic { system, name } => system.len() + name.len(),
    };
    let own = place.id.len() + place.symbol.len() + place.file_path.len();
    8 * PER_TEXT + own + parameters + protocol_length + endpoint.file_path.len() + endpoint.by.len()
}
