//! Tests of opening: names of created objects, the original tables, damage.

use super::*;

#[test]
fn every_statement_names_what_it_makes() {
    let names: Vec<&str> = split_statements(schema::ORIGINAL)
        .chain(split_statements(schema::OURS))
        .filter_map(created_name)
        .collect();
    assert_eq!(names[..3], ["solutions", "tags", "solution_tags"]);
    assert!(names.contains(&"solutions_ad") && names.contains(&"solution_words"));
    assert!(names.contains(&"idx_solution_tags_tag") && names.contains(&"solution_vector_delete"));
    assert_eq!(names.len(), 26, "{names:?}");
}

#[test]
fn views_and_triggers_of_others_are_refused() {
    for statement in [
        "CREATE VIEW solution_extra AS SELECT 1",
        "CREATE TRIGGER more AFTER INSERT ON solutions BEGIN DELETE FROM tags; END",
        "DROP TRIGGER solutions_ai; CREATE TRIGGER solutions_ai AFTER INSERT ON solutions BEGIN DELETE FROM tags; END",
        "DROP TABLE solution_uses; CREATE VIEW solution_uses AS SELECT 1 AS solution_id, 2 AS opened",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("solutions.db");
        drop(Store::open(&path, PATIENCE).unwrap());
        drop(Store::open(&path, PATIENCE).unwrap());
        let other = Connection::open(&path).unwrap();
        other.execute_batch(statement).unwrap();
        drop(other);
        let error = Store::open(&path, PATIENCE).err().unwrap();
        assert!(
            error.message.contains("not Knotwork's"),
            "{statement}: {error:?}"
        );
    }
}

#[test]
fn a_full_disk_does_not_hide_what_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("solutions.db");
    let mut store = Store::open(&path, PATIENCE).unwrap();
    store.set_meta("model", "mine").unwrap();
    drop(store);
    let full = SolutionError::from_io(
        &path,
        "cannot write",
        &std::io::ErrorKind::StorageFull.into(),
    );
    let mut store = Store::open_unwritable(&path, full.clone()).unwrap();
    assert_eq!(store.meta("model").unwrap().as_deref(), Some("mine"));
    assert!(
        store
            .notes
            .iter()
            .any(|note| note.contains("nothing is saved"))
    );
    assert!(store.set_meta("model", "other").is_err());
    // The next question tries to write again.
    assert!(!store.is_current() && Store::open(&path, PATIENCE).unwrap().is_current());
    // Other errors stay, and so does a full disk where nothing was saved.
    let other = SolutionError::failure("other");
    assert_eq!(
        Store::open_unwritable(&path, other.clone()).err(),
        Some(other)
    );
    let nothing = folder.path().join("none.db");
    assert_eq!(
        Store::open_unwritable(&nothing, full.clone()).err(),
        Some(full)
    );
}
