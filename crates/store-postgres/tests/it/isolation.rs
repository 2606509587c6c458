//! Several repositories in one database, readers beside a writer, and schemas of other versions.

use crate::common::{new_name, pool};
use store::contract::{sample_call, sample_node};
use store::{GraphChange, GraphStore, StoreError};
use store_postgres::{PostgresStore, SCHEMA_VERSION};

fn graph(symbol: &str) -> GraphChange {
    GraphChange {
        clear_all: true,
        nodes: vec![
            sample_node("a", symbol, "a.ts", 1),
            sample_node("b", "b", "a.ts", 9),
        ],
        edges: vec![sample_call("a", "b", "a.ts", 2)],
        ..GraphChange::default()
    }
}

#[test]
fn repositories_with_the_same_ids_do_not_see_each_other() {
    let Some(pool) = pool() else { return };
    let mut first = PostgresStore::open(&pool, &new_name()).unwrap();
    let mut second = PostgresStore::open(&pool, &new_name()).unwrap();
    first.apply_change(&graph("first")).unwrap();
    second.apply_change(&graph("second")).unwrap();
    assert_eq!(first.node("a").unwrap().unwrap().symbol, "first");
    assert_eq!(second.node("a").unwrap().unwrap().symbol, "second");
    assert!(first.find_symbol("second").unwrap().is_empty());
    assert_eq!(first.edges_to("b", None).unwrap().len(), 1);
    assert!(first.remove().unwrap());
    assert_eq!(second.stats().unwrap().nodes, 2);
    assert_eq!(second.edges_from("a", None).unwrap().len(), 1);
    assert!(second.delete_node("a").unwrap());
    assert_eq!(second.stats().unwrap().edges, 0);
}

#[test]
fn a_reader_sees_one_state_and_writes_nothing() {
    let Some(pool) = pool() else { return };
    let name = new_name();
    let absent = PostgresStore::open_read_only(&pool, &name);
    assert!(matches!(absent, Err(StoreError::Missing(_))));
    let mut writer = PostgresStore::open(&pool, &name).unwrap();
    writer.apply_change(&graph("old")).unwrap();
    let mut reader = PostgresStore::open_read_only(&pool, &name).unwrap();
    writer.apply_change(&graph("new")).unwrap();
    assert_eq!(reader.node("a").unwrap().unwrap().symbol, "old");
    assert_eq!(reader.snapshot().unwrap().node_count(), 2);
    // A read within a read needs a second connection.
    let mut seen = Vec::new();
    let visited = reader.for_each_node(&mut |node| {
        let found = reader.node(&node.id).map_err(|error| error.to_string());
        seen.push((node.symbol, found.map(|found| found.map(|n| n.symbol))));
    });
    visited.unwrap();
    // The graph was published anew meanwhile, so no second connection can see the old state: this is an error.
    assert!(seen.iter().all(|(_, found)| found.is_err()), "{seen:?}");
    let refused = reader.put_node(&sample_node("c", "c", "a.ts", 20));
    assert!(matches!(refused, Err(StoreError::Refused(_))));
    let next = PostgresStore::open_read_only(&pool, &name).unwrap();
    assert_eq!(next.node("a").unwrap().unwrap().symbol, "new");
}

#[test]
fn two_writers_of_one_repository_take_turns() {
    let Some(pool) = pool() else { return };
    let name = new_name();
    PostgresStore::open(&pool, &name).unwrap();
    std::thread::scope(|scope| {
        for writer in 0..2 {
            let (pool, name) = (&pool, &name);
            scope.spawn(move || {
                let mut store = PostgresStore::open(pool, name).unwrap();
                for _ in 0..5 {
                    let symbol = format!("of{writer}");
                    store.apply_change(&graph(&symbol)).unwrap();
                }
            });
        }
    });
    let store = PostgresStore::open_read_only(&pool, &name).unwrap();
    let stats = store.stats().unwrap();
    assert_eq!((stats.nodes, stats.edges), (2, 1));
}

#[test]
fn openers_at_once_make_one_schema_and_a_newer_one_is_refused() {
    let Some(running) = crate::common::running() else {
        return;
    };
    let database = running.new_database();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let pool = running.pool_of(&database);
                PostgresStore::open(&pool, "team/project").unwrap();
            });
        }
    });
    let pool = running.pool_of(&database);
    let mut client = running.client_of(&database);
    let versions = "SELECT count(*) FROM knotwork.schema_versions";
    let count: i64 = client.query_one(versions, &[]).unwrap().get(0);
    assert_eq!(count, i64::from(SCHEMA_VERSION));
    let newer = format!(
        "INSERT INTO knotwork.schema_versions (version) VALUES ({})",
        SCHEMA_VERSION + 1
    );
    client.batch_execute(&newer).unwrap();
    for refused in [
        PostgresStore::open(&pool, "team/project"),
        PostgresStore::open_read_only(&pool, "team/project"),
    ] {
        assert!(matches!(refused, Err(StoreError::Schema { .. })));
    }
    client
        .batch_execute("DROP SCHEMA knotwork CASCADE")
        .unwrap();
    let absent = PostgresStore::open_read_only(&pool, "team/project");
    assert!(matches!(absent, Err(StoreError::Missing(_))));
}
