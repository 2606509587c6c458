//! Wrong credentials, missing servers, and connections that are lost in the middle.

use crate::common::{fresh, new_name, running};
use store::contract::{sample_call, sample_node};
use store::{GraphChange, GraphStore, StoreError};
use store_postgres::{Pool, PostgresStore, Server};

fn graph() -> GraphChange {
    GraphChange {
        clear_all: true,
        nodes: (0..40)
            .map(|n| sample_node(&format!("n{n:02}"), "f", "a.ts", n + 1))
            .collect(),
        edges: (1..40)
            .map(|n| sample_call("n00", &format!("n{n:02}"), "a.ts", n))
            .collect(),
        ..GraphChange::default()
    }
}

fn open(address: &str) -> Result<PostgresStore, StoreError> {
    PostgresStore::open(&Pool::new(Server::parse(address).unwrap(), 2), &new_name())
}

#[test]
fn a_wrong_password_is_refused_and_not_repeated() {
    let Some(running) = running() else { return };
    running.ask_for_passwords_of("locked", "right-s3cret");
    let address = |password: &str| running.address_of("locked", password);
    let refused = open(&address("wrong-s3cret")).err().unwrap();
    assert!(matches!(refused, StoreError::Denied { .. }), "{refused:?}");
    for shown in [refused.to_string(), format!("{refused:?}")] {
        assert!(!shown.contains("s3cret"), "{shown}");
    }
    // The right password is accepted; an operation without rights is refused.
    let refused = open(&address("right-s3cret")).err().unwrap();
    assert!(matches!(refused, StoreError::Denied { .. }), "{refused:?}");
    assert!(!format!("{refused:?}").contains("s3cret"));
}

#[test]
fn a_server_that_is_not_there_is_named_without_its_credentials() {
    let gone = open("postgresql://ann:s3cret@127.0.0.1:1/graphs")
        .err()
        .unwrap();
    assert!(matches!(gone, StoreError::Unreachable { .. }), "{gone:?}");
    let text = format!("{gone} {gone:?}");
    assert!(text.contains("127.0.0.1:1/graphs") && !text.contains("s3cret"));
}

#[test]
fn a_database_that_does_not_exist_is_missing() {
    let Some(running) = running() else { return };
    let address = running.address.replace("/postgres?", "/nowhere?");
    let missing = open(&address).err().unwrap();
    assert!(matches!(missing, StoreError::Missing(_)), "{missing:?}");
}

#[test]
fn work_goes_on_when_its_connection_is_lost() {
    let Some(running) = running() else { return };
    // It uses a database of its own, because all connections to it are ended.
    let database = running.new_database();
    let pool = running.pool_of(&database);
    let mut store = PostgresStore::open(&pool, "team/project").unwrap();
    store.apply_change(&graph()).unwrap();
    let reader = PostgresStore::open_read_only(&pool, "team/project").unwrap();
    assert_eq!(reader.find_file("a.ts").unwrap().len(), 40);
    running.end_connections(&database);
    // The repository is in the same state, so another connection can answer.
    assert_eq!(reader.find_file("a.ts").unwrap().len(), 40);
    running.end_connections(&database);
    store
        .put_node(&sample_node("more", "g", "b.ts", 1))
        .unwrap();
    let lost = reader.find_file("a.ts").err().unwrap();
    assert!(matches!(lost, StoreError::Unreachable { .. }), "{lost:?}");
    assert!(lost.to_string().contains("ask again"), "{lost}");
    assert_eq!(store.stats().unwrap().nodes, 41);
}

#[test]
fn work_goes_on_when_more_connections_are_lost_than_it_has_tries() {
    let Some(running) = running() else { return };
    let database = running.new_database();
    let pool = running.pool_of(&database);
    let mut store = PostgresStore::open(&pool, "team/project").unwrap();
    store.apply_change(&graph()).unwrap();
    let open = || PostgresStore::open_read_only(&pool, "team/project").unwrap();
    drop([open(), open(), open(), open()]);
    running.end_connections(&database);
    assert_eq!(store.stats().unwrap().nodes, 40);
}

#[test]
fn a_server_that_ends_idle_connections_is_asked_on_another_one() {
    let Some(running) = running() else { return };
    let database = running.new_database();
    let set = format!("ALTER DATABASE {database} SET idle_session_timeout = '200ms'");
    running.client_of(&database).batch_execute(&set).unwrap();
    let pool = running.pool_of(&database);
    let mut store = PostgresStore::open(&pool, "team/project").unwrap();
    store.apply_change(&graph()).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(600));
    assert_eq!(store.stats().unwrap().nodes, 40);
}

#[test]
fn publishing_begins_again_when_its_connection_is_lost() {
    let Some(running) = running() else { return };
    let database = running.new_database();
    let pool = running.pool_of(&database);
    let folder = tempfile::TempDir::new().unwrap();
    let mut source = store::SqliteStore::open(&folder.path().join("graph.db")).unwrap();
    source.apply_change(&graph()).unwrap();
    let mut target = PostgresStore::open(&pool, "team/project").unwrap();
    let breaking = crate::publish::Breaking {
        inner: &mut source,
        at_edges: std::cell::Cell::new(Some(Box::new(|| running.end_connections(&database)))),
    };
    let published = target.publish(&breaking, Some("c0ffee"), &[]).unwrap();
    assert_eq!((published.was_current, published.rows), (false, 79));
    assert_eq!(target.stats().unwrap().edges, 39);
}

#[test]
fn names_that_are_none_are_refused() {
    let Some(pool) = crate::common::pool() else {
        return;
    };
    for name in ["", "a b", "a\nb", &"x".repeat(501)] {
        let refused = PostgresStore::open(&pool, name);
        assert!(matches!(refused, Err(StoreError::Invalid(_))), "{name}");
    }
}

#[test]
fn a_text_with_a_zero_is_kept_without_it() {
    let Some((_pool, mut store)) = fresh() else {
        return;
    };
    let mut node = sample_node("a", "f", "a.ts", 1);
    node.doc = Some("one\0two".to_owned());
    let change = GraphChange {
        nodes: vec![node.clone()],
        ..GraphChange::default()
    };
    store.apply_change(&change).unwrap();
    let kept = store.node("a").unwrap().unwrap();
    assert_eq!(kept.doc.as_deref(), Some("one\u{fffd}two"));
}
