//! The queue: each commit is published once, whichever worker dies.

use crate::common::{new_name, running};
use std::sync::Arc;
use std::time::Duration;
use store::contract::sample_node;
use store::{
    FileRecord, GraphChange, GraphStore, Publication, SharedStores, SqliteStore, StoreError,
};
use store_postgres::{JobState, MOST_ATTEMPTS, NewJob, Pool, PostgresStore, Queue};
use tempfile::TempDir;

const LEASE: Duration = Duration::from_secs(60);
const OVER: Duration = Duration::ZERO;

/// A graph without texts.
fn of<'p>(graph: &'p SqliteStore, commit: Option<&'p str>) -> Publication<'p> {
    Publication {
        graph,
        texts: None,
        commit,
        metadata: &[],
        virtual_edges: &[],
    }
}

/// A queue in a database of its own.
fn queue() -> Option<(Arc<Pool>, Queue)> {
    let running = running()?;
    let pool = running.pool_of(&running.new_database());
    let queue = Queue::open(&pool).unwrap();
    Some((pool, queue))
}

fn job(repository: &str, number: u32) -> NewJob {
    NewJob {
        repository: repository.to_owned(),
        source: "https://example.org/x".to_owned(),
        commit: format!("{number:040x}"),
    }
}

fn local(symbol: &str) -> (TempDir, SqliteStore) {
    let folder = TempDir::new().unwrap();
    let mut store = SqliteStore::open(&folder.path().join("graph.db")).unwrap();
    let change = GraphChange {
        clear_all: true,
        nodes: vec![sample_node("n", symbol, "a.ts", 1)],
        files: vec![FileRecord {
            path: "a.ts".to_owned(),
            output_hash: symbol.to_owned(),
            ..FileRecord::default()
        }],
        ..GraphChange::default()
    };
    store.apply_change(&change).unwrap();
    (folder, store)
}

#[test]
fn each_job_is_taken_once_and_in_order() {
    let Some((_, queue)) = queue() else { return };
    let names: Vec<String> = (0..20).map(|_| new_name()).collect();
    for name in &names {
        assert_eq!(queue.add(&job(name, 1)).unwrap().before, None);
        assert_eq!(
            queue.add(&job(name, 1)).unwrap().before,
            Some(JobState::Waiting)
        );
    }
    let first = queue.take("first", LEASE).unwrap().unwrap();
    assert_eq!(first.work, job(&names[0], 1));
    let taken: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..4)
            .map(|number| {
                let queue = &queue;
                scope.spawn(move || {
                    let name = format!("w{number}");
                    let next = || queue.take(&name, LEASE).unwrap();
                    std::iter::from_fn(next)
                        .map(|job| job.work.repository)
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        workers
            .into_iter()
            .flat_map(|w| w.join().unwrap())
            .collect()
    });
    let mut all = taken;
    all.sort();
    let mut rest = names[1..].to_vec();
    rest.sort();
    assert_eq!(all, rest);
    assert_eq!(queue.counts().unwrap(), [0, 20, 0, 0]);
}

#[test]
fn a_worker_that_gives_no_sign_of_life_loses_its_job() {
    let Some((_, queue)) = queue() else { return };
    let name = new_name();
    queue.add(&job(&name, 1)).unwrap();
    let dead = queue.take("dead", OVER).unwrap().unwrap();
    let next = queue.take("next", LEASE).unwrap().unwrap();
    assert_eq!((next.work.clone(), next.attempt), (dead.work.clone(), 2));
    assert!(queue.take("third", LEASE).unwrap().is_none());
    // The worker comes back, but no longer has the job.
    assert!(!queue.renew(&dead, LEASE).unwrap());
    assert!(!queue.fail(&dead, "late").unwrap());
    let (_folder, graph) = local("f");
    let late = queue
        .stores_of(&dead)
        .publish(&name, &of(&graph, Some(&dead.work.commit)));
    assert!(matches!(late, Err(StoreError::Refused(_))), "{late:?}");
    assert!(queue.renew(&next, LEASE).unwrap());
    let done = queue
        .stores_of(&next)
        .publish(&name, &of(&graph, Some(&next.work.commit)));
    assert!(!done.unwrap().was_current);
    let jobs = queue.jobs(9).unwrap();
    assert_eq!((jobs[0].state, jobs[0].publications), (JobState::Done, 1));
    assert!(!queue.renew(&next, LEASE).unwrap());
    // A finished job is not done again.
    let again = queue.add(&job(&name, 1)).unwrap();
    assert_eq!(again.before, Some(JobState::Done));
    assert!(!again.is_queued);
    assert!(queue.take("next", LEASE).unwrap().is_none());
}

#[test]
fn an_older_commit_does_not_replace_a_newer_one() {
    let Some((pool, queue)) = queue() else { return };
    let name = new_name();
    queue.add(&job(&name, 1)).unwrap();
    queue.add(&job(&name, 2)).unwrap();
    let old = queue.take("slow", LEASE).unwrap().unwrap();
    let new = queue.take("fast", LEASE).unwrap().unwrap();
    let publish = |job: &store_postgres::Job, symbol: &str| {
        let (_folder, graph) = local(symbol);
        let stores = queue.stores_of(job);
        stores
            .publish(&name, &of(&graph, Some(&job.work.commit)))
            .unwrap()
    };
    assert!(!publish(&new, "new").was_current);
    assert!(publish(&old, "old").was_current);
    let store = PostgresStore::open_read_only(&pool, &name).unwrap();
    assert_eq!(store.node("n").unwrap().unwrap().symbol, "new");
    let jobs = queue.jobs(9).unwrap();
    let published: Vec<i32> = jobs.iter().map(|job| job.publications).collect();
    assert_eq!(published, [1, 0]);
    assert_eq!(queue.counts().unwrap(), [0, 0, 2, 0]);
}

#[test]
fn the_commit_that_is_asked_for_last_is_published() {
    let Some((pool, queue)) = queue() else { return };
    let name = new_name();
    let publish = |symbol: &str| {
        let job = queue.take("w", LEASE).unwrap().unwrap();
        let (_folder, graph) = local(symbol);
        let stores = queue.stores_of(&job);
        let commit = Some(&*job.work.commit);
        stores.publish(&name, &of(&graph, commit)).unwrap();
    };
    let symbol = || {
        let store = PostgresStore::open_read_only(&pool, &name).unwrap();
        store.node("n").unwrap().unwrap().symbol
    };
    for (number, symbol) in [(1, "first"), (2, "second")] {
        assert!(queue.add(&job(&name, number)).unwrap().is_queued);
        publish(symbol);
    }
    assert!(!queue.add(&job(&name, 2)).unwrap().is_queued);
    let back = queue.add(&job(&name, 1)).unwrap();
    assert_eq!((back.before, back.is_queued), (Some(JobState::Done), true));
    publish("first");
    assert_eq!(symbol(), "first");
    assert_eq!(queue.counts().unwrap(), [0, 0, 2, 0]);
    // A waiting job goes to the end, after those that were added since.
    assert!(queue.add(&job(&name, 3)).unwrap().is_queued);
    assert!(queue.add(&job(&name, 4)).unwrap().is_queued);
    assert!(queue.add(&job(&name, 3)).unwrap().is_queued);
    publish("fourth");
    publish("third");
    assert_eq!(symbol(), "third");
}

#[test]
fn what_fails_is_tried_again_later_and_not_for_ever() {
    let Some((pool, queue)) = queue() else { return };
    let name = new_name();
    queue.add(&job(&name, 1)).unwrap();
    let first = queue.take("w", LEASE).unwrap().unwrap();
    assert!(queue.fail(&first, &"no such host".repeat(1_000)).unwrap());
    // It is not available at once.
    assert!(queue.take("w", LEASE).unwrap().is_none());
    let again = running().unwrap();
    let mut client = again.client_of(&database(&pool));
    let at_once = "UPDATE knotwork.jobs SET run_after = now()";
    for attempt in 2..=MOST_ATTEMPTS {
        client.execute(at_once, &[]).unwrap();
        let taken = queue.take("w", LEASE).unwrap().unwrap();
        assert_eq!(taken.attempt, attempt);
        assert!(queue.fail(&taken, "no such host").unwrap());
    }
    client.execute(at_once, &[]).unwrap();
    assert!(queue.take("w", LEASE).unwrap().is_none());
    let jobs = queue.jobs(9).unwrap();
    assert_eq!(jobs[0].state, JobState::Failed);
    assert_eq!(jobs[0].error.as_deref(), Some("no such host"));
    // A person may ask for it again.
    assert_eq!(
        queue.add(&job(&name, 1)).unwrap().before,
        Some(JobState::Failed)
    );
    let taken = queue.take("w", LEASE).unwrap().unwrap();
    assert_eq!(taken.attempt, 1);
    assert!(queue.give_back(&taken).unwrap());
    // A job whose workers die fails as well.
    for attempt in 1..=MOST_ATTEMPTS {
        assert_eq!(queue.take("dies", OVER).unwrap().unwrap().attempt, attempt);
    }
    assert!(queue.take("w", LEASE).unwrap().is_none());
    let jobs = queue.jobs(9).unwrap();
    assert!(jobs[0].error.as_ref().unwrap().contains("died"));
}

fn database(pool: &Pool) -> String {
    let shown = pool.server().to_string();
    shown.rsplit('/').next().unwrap().to_owned()
}

#[test]
fn a_job_is_about_one_commit_of_one_repository() {
    let Some((_, queue)) = queue() else { return };
    let name = new_name();
    queue.add(&job(&name, 1)).unwrap();
    let taken = queue.take("w", LEASE).unwrap().unwrap();
    let (_folder, graph) = local("f");
    let stores = queue.stores_of(&taken);
    let commit = taken.work.commit.clone();
    for (repository, commit) in [
        (&new_name(), Some(&*commit)),
        (&name, Some("other")),
        (&name, None),
    ] {
        let refused = stores.publish(repository, &of(&graph, commit));
        assert!(
            matches!(refused, Err(StoreError::Refused(_))),
            "{refused:?}"
        );
    }
    assert!(queue.add(&job("two words", 1)).is_err());
}
