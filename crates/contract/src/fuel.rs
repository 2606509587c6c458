//! Fuel: the bounds on finding the ends of a project's links and on linking them, in steps and in bytes that are kept.
//!
//! Both grow in proportion to the input, up to a fixed maximum. So no product of two lists, and no text that is
//! inserted into another, can cost more than a large project does. When fuel runs out, the rest is left out, and the
//! answer says so.

use crate::code::CodeFile;
use crate::{Contract, Endpoint, Protocol};
use base::Cancel;
use std::cell::Cell;

/// A bound on steps or bytes, in proportion to the input.
struct Allowance {
    /// The bound without any input.
    least: u64,
    /// The addition for each byte of the input.
    for_each_byte: u64,
    /// The bound for any input.
    most: u64,
}

/// The bound on steps. Of fifteen public projects, up to 600,000 lines, none reached it.
const STEPS: Allowance = Allowance {
    least: 1_000_000,
    for_each_byte: 16,
    most: 100_000_000,
};

/// The bound on bytes that are kept.
const BYTES: Allowance = Allowance {
    least: 32 << 20,
    for_each_byte: 24,
    most: 256 << 20,
};

/// The bytes of a text that are read or copied in one step.
const TEXT: usize = 32;

/// The bytes that a text takes besides its content.
const PER_TEXT: usize = 40;

/// Counts the steps and the bytes of one computation, and bounds both.
#[derive(Debug)]
pub struct Fuel {
    input: Cell<u64>,
    steps: Cell<u64>,
    bytes: Cell<u64>,
    /// Whether steps or bytes have run out.
    is_short: Cell<bool>,
    /// Whether something too large was left out.
    cut: Cell<bool>,
    /// Once it is set, no fuel is given.
    cancel: Cancel,
}

impl Fuel {
    /// Fuel for a project without code: [`Fuel::add_input`] adds to it.
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

    /// Fuel for files and contracts.
    pub fn for_code(files: &[CodeFile], contracts: &[&Contract], cancel: &Cancel) -> Fuel {
        let fuel = Fuel::new(cancel);
        fuel.add_code(files, contracts);
        fuel
    }

    /// Adds fuel for files and contracts.
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

    /// Adds fuel for bytes of the input.
    pub fn add_input(&self, bytes: usize) {
        self.input
            .set(self.input.get().saturating_add(bytes as u64));
    }

    fn most(&self, of: &Allowance) -> u64 {
        of.least
            .saturating_add(self.input.get().saturating_mul(of.for_each_byte))
            .min(of.most)
    }

    /// Takes steps. False if there are not enough left, and from then on.
    pub fn spend(&self, steps: usize) -> bool {
        let after = self.steps.get().saturating_add(steps as u64);
        if self.is_short.get() || after > self.most(&STEPS) {
            self.is_short.set(true);
            return false;
        }
        self.steps.set(after);
        !self.cancel.is_set()
    }

    /// Takes the steps for reading or copying a text of `length` bytes.
    pub fn spend_on_text(&self, length: usize) -> bool {
        self.spend(1 + length / TEXT)
    }

    /// Takes bytes for data that is kept. False if there are not enough left, and from then on.
    pub fn keep(&self, bytes: usize) -> bool {
        let after = self.bytes.get().saturating_add(bytes as u64);
        if after > self.most(&BYTES) {
            self.is_short.set(true);
            return false;
        }
        self.bytes.set(after);
        self.spend_on_text(bytes)
    }

    /// Takes the bytes of an endpoint.
    pub(crate) fn keep_endpoint(&self, endpoint: &Endpoint) -> bool {
        self.keep(weight(endpoint))
    }

    /// Whether the caller has cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_set()
    }

    /// Notes that something too large was left out.
    pub fn record_cut(&self) {
        self.cut.set(true);
    }

    /// Whether something was left out.
    pub fn has_cut(&self) -> bool {
        self.is_short.get() || self.cut.get()
    }

    /// The steps taken.
    pub fn steps(&self) -> u64 {
        self.steps.get()
    }

    /// The bytes taken.
    pub fn bytes(&self) -> u64 {
        self.bytes.get()
    }
}

/// The approximate bytes of an endpoint.
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
