//! See `fuzz/targets.rs`. `FUZZ_LANGUAGE` says which language the sources are in.
#![no_main]

#[path = "../targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let language = std::env::var("FUZZ_LANGUAGE").unwrap_or_default();
    let found = targets::run_target(&format!("facts_{language}"), data);
    assert!(found, "FUZZ_LANGUAGE names no language: {language:?}");
});
