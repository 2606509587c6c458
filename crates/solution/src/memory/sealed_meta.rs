//! Settings of a store that decide where texts and keys are sent. A store may come from somebody else, with that person's
//! settings. So these count only with a seal of this user.

use crate::error::Result;
use crate::store::Store;

/// Stores a setting and its seal.
pub(super) fn set_sealed(store: &mut Store, key: &str, value: &str) -> Result<()> {
    store.set_meta(key, value)?;
    store.set_meta(&seal_key(key), &seal_of(key, value))
}

/// Whether this user stored the setting.
pub(super) fn is_ours(store: &Store, key: &str, value: &str) -> Result<bool> {
    let seal = store.meta(&seal_key(key))?;
    Ok(seal.is_some_and(|seal| seal == seal_of(key, value)))
}

fn seal_key(key: &str) -> String {
    format!("{key}_seal")
}

fn seal_of(key: &str, value: &str) -> String {
    let sum = guard::seal::keyed_checksum(&format!("solution {key}"), value.as_bytes());
    sum.iter().map(|byte| format!("{byte:02x}")).collect()
}
