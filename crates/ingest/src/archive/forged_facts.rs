//! Facts with changed numbers: either the check rejects them, or all code that reads facts still ends.

use crate::emit;
use crate::search_doc;
use base::facts::FileFacts;
use base::{Cancel, Language};
use linker::exposed::ExposedChanges;
use linker::{Manifest, Repo};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Changed facts for each language.
const CHANGED: u64 = 150;

/// A program: its sources by path, with their facts, and its manifests.
struct Program {
    files: Vec<(Arc<str>, String, Arc<FileFacts>)>,
    manifests: Vec<Manifest>,
}

fn languages_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../languages/src")
}

fn collect_files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect_files(&path, found);
        } else {
            found.push(path);
        }
    }
}

fn program(folder: &Path) -> Program {
    let mut paths = Vec::new();
    collect_files(folder, &mut paths);
    let mut program = Program {
        files: Vec::new(),
        manifests: Vec::new(),
    };
    for full in paths {
        let path = full.strip_prefix(folder).unwrap().to_str().unwrap();
        let text = std::fs::read_to_string(&full).unwrap();
        match Language::from_path(path) {
            Some(language) => {
                let facts = Arc::new(languages::extract(language, &text));
                program.files.push((Arc::from(path), text, facts));
            }
            None => program.manifests.push(Manifest {
                path: path.into(),
                text: text.into(),
            }),
        }
    }
    program
}

/// The programs of each language: its corpus, and the initial sample of fuzzing.
fn programs() -> BTreeMap<&'static str, Vec<Program>> {
    let mut all: BTreeMap<&'static str, Vec<Program>> = BTreeMap::new();
    for language in Language::ALL {
        let sample =
            languages_folder().join(format!("../../../fuzz/corpus/facts_{language}/sample"));
        let text = std::fs::read_to_string(&sample).unwrap();
        let facts = Arc::new(languages::extract(language, &text));
        let ending = language.profile().extensions.first().unwrap();
        let of_sample = Program {
            files: vec![(Arc::from(format!("a.{ending}")), text, facts)],
            manifests: Vec::new(),
        };
        let programs = all.entry(language.as_str()).or_default();
        programs.push(of_sample);
        let corpus = languages_folder().join(language.as_str()).join("corpus");
        for folder in std::fs::read_dir(corpus).into_iter().flatten().flatten() {
            programs.push(program(&folder.path()));
        }
    }
    all
}

/// Pseudo-random numbers, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % most.max(1) as u64) as usize
    }
}

/// The places of all numbers, by the field that they belong to, so that a field with few rows is changed as often as
/// one with many.
fn number_places(value: &Value) -> BTreeMap<String, Vec<String>> {
    fn collect(
        value: &Value,
        (field, place): (&str, &str),
        found: &mut BTreeMap<String, Vec<String>>,
    ) {
        match value {
            Value::Number(_) => found
                .entry(field.to_owned())
                .or_default()
                .push(place.to_owned()),
            Value::Array(items) => {
                // Pairs and triples have fields; longer lists have rows.
                for (at, item) in items.iter().enumerate() {
                    collect(
                        item,
                        (&format!("{field}/*"), &format!("{place}/{at}")),
                        found,
                    );
                }
            }
            Value::Object(fields) => {
                for (name, item) in fields {
                    collect(
                        item,
                        (&format!("{field}/{name}"), &format!("{place}/{name}")),
                        found,
                    );
                }
            }
            _ => {}
        }
    }
    let mut found = BTreeMap::new();
    collect(value, ("", ""), &mut found);
    found
}

/// Changes some numbers, or removes or doubles a row.
fn change(value: &mut Value, numbers: &mut Numbers) {
    for _ in 0..=numbers.below(3) {
        if numbers.below(8) == 0 {
            remove_copy_or_swap_row(value, numbers);
            continue;
        }
        let places = number_places(value);
        let Some(field) = places.values().nth(numbers.below(places.len())) else {
            return;
        };
        let place = &field[numbers.below(field.len())];
        let other = &field[numbers.below(field.len())];
        let other = value.pointer(other).and_then(Value::as_u64).unwrap_or(0);
        let old = value.pointer(place).and_then(Value::as_u64).unwrap_or(0);
        let new = match numbers.below(8) {
            0 => 0,
            1 => old + 1,
            2 => old.saturating_sub(1),
            3 => u64::from(u32::MAX),
            4 => numbers.below(1_000) as u64,
            5 => numbers.below(8) as u64,
            _ => other,
        };
        if let Some(slot) = value.pointer_mut(place) {
            *slot = new.into();
        }
    }
}

fn remove_copy_or_swap_row(value: &mut Value, numbers: &mut Numbers) {
    let tables: Vec<&mut Value> = match value {
        Value::Object(fields) => fields
            .values_mut()
            .filter(|field| field.as_array().is_some_and(|rows| !rows.is_empty()))
            .collect(),
        _ => return,
    };
    let count = tables.len();
    let Some(Value::Array(rows)) = tables.into_iter().nth(numbers.below(count)) else {
        return;
    };
    let (at, to) = (numbers.below(rows.len()), numbers.below(rows.len()));
    match numbers.below(3) {
        0 => drop(rows.remove(at)),
        1 => rows.insert(to, rows[at].clone()),
        _ => rows.swap(at, to),
    }
}

/// Uses the facts of a program like an update does.
fn use_facts(program: &Program, at: usize, changed: FileFacts) {
    let (path, text, before) = &program.files[at];
    let changed = Arc::new(changed);
    let document = search_doc::file_doc(path, text, &changed);
    search::prepare::prepare(&document, None).unwrap();
    for (old, new) in [(before, &changed), (&changed, before)] {
        let _ = ExposedChanges::diff(old, new);
    }
    let files = program.files.iter().enumerate().map(|(other, file)| {
        let facts = if other == at { &changed } else { &file.2 };
        (file.0.clone(), facts.clone())
    });
    let manifests = program.manifests.iter().map(|manifest| Manifest {
        path: manifest.path.clone(),
        text: manifest.text.clone(),
    });
    let mut repo = Repo::new(files.collect(), manifests.collect());
    repo.cancel = Cancel::default();
    let tables = languages::tables(&repo);
    let keys = emit::assign_file_keys(program.files.iter().map(|file| &*file.0));
    let nodes: Vec<_> = (keys.iter().zip(repo.files()))
        .map(|(key, (id, _))| emit::assign_nodes(*key, repo.facts(id)))
        .collect();
    for ((id, _), key) in repo.files().zip(&keys) {
        let linked = linker::link_file(&repo, &tables, id);
        emit::build_file_rows(&repo, &&nodes[..], id, &linked).number_and_hash(*key);
    }
}

#[test]
fn facts_of_sources_are_sound() {
    for program in programs().values().flatten() {
        for (path, text, facts) in &program.files {
            assert!(facts.is_sound(text), "{path}\n{text}");
        }
    }
}

/// A cycle in the facts would make a walk endless.
#[test]
fn changed_facts_are_unsound_or_linking_them_ends() {
    let work = || {
        for (language, programs) in programs() {
            let (mut sound, mut unsound) = (0, 0);
            for seed in 0..CHANGED {
                let mut numbers = Numbers(seed << 32);
                let program = &programs[numbers.below(programs.len())];
                let at = numbers.below(program.files.len());
                let (_, text, facts) = &program.files[at];
                let mut value = serde_json::to_value(&**facts).unwrap();
                change(&mut value, &mut numbers);
                let Ok(changed) = serde_json::from_value::<FileFacts>(value) else {
                    continue;
                };
                if changed.is_sound(text) {
                    sound += 1;
                    use_facts(program, at, changed);
                } else {
                    unsound += 1;
                }
            }
            assert!(sound > 10 && unsound > 10, "{language}: {sound} {unsound}");
        }
    };
    let thread = std::thread::Builder::new().stack_size(crate::pipeline::STACK);
    thread.spawn(work).unwrap().join().unwrap();
}
