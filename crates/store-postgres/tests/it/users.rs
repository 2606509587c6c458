//! Users of servers for a team: tokens, rates, and the audit log.

use crate::common::running;
use store_postgres::{Admission, AuditEntry, NewUser, Users};

fn user(name: &str, rate: i32) -> NewUser {
    NewUser {
        name: name.to_owned(),
        repositories: Some(vec!["team/*".to_owned()]),
        requests_per_minute: rate,
    }
}

#[test]
fn a_token_is_stored_as_a_hash_and_can_be_taken_back() {
    let Some(running) = running() else { return };
    let database = running.new_database();
    let users = Users::open(&running.pool_of(&database)).unwrap();
    let token = "0123456789abcdef-secret";
    assert!(users.add(&user("ann", 100), token).unwrap());
    let Admission::Admitted(ann) = users.admit(token).unwrap() else {
        panic!("not admitted");
    };
    assert_eq!(ann.name, "ann");
    assert!(ann.may_read("team/x") && !ann.may_read("other/x"));
    for wrong in ["", "0123456789abcdef-secre", "' OR true --"] {
        assert_eq!(users.admit(wrong).unwrap(), Admission::Unknown, "{wrong}");
    }
    // Nothing in the database contains the token.
    let mut client = running.client_of(&database);
    let rows = "SELECT u::text || encode(token_hash, 'escape') FROM knotwork.users u";
    for row in client.query(rows, &[]).unwrap() {
        assert!(!row.get::<_, String>(0).contains("secret"));
    }
    // The new token replaces the old one.
    assert!(!users.add(&user("ann", 100), "another-token").unwrap());
    assert_eq!(users.admit(token).unwrap(), Admission::Unknown);
    assert_eq!(users.list().unwrap(), [user("ann", 100)]);
    assert!(users.remove("ann").unwrap() && !users.remove("ann").unwrap());
    assert_eq!(users.admit("another-token").unwrap(), Admission::Unknown);
    for name in ["", "two words", "line\nbreak", &"x".repeat(101)] {
        assert!(users.add(&user(name, 100), "t").is_err(), "{name:?}");
    }
    assert!(users.add(&user("bob", 0), "t").is_err());
}

#[test]
fn servers_count_the_requests_of_a_user_together() {
    let Some(running) = running() else { return };
    let database = running.new_database();
    let first = Users::open(&running.pool_of(&database)).unwrap();
    let second = Users::open(&running.pool_of(&database)).unwrap();
    first.add(&user("ann", 6), "ann's").unwrap();
    first.add(&user("bob", 6), "bob's").unwrap();
    // More than the rate for two minutes, in case a minute begins meanwhile.
    let admitted = (0..20).filter(|n| {
        let server = if n % 2 == 0 { &first } else { &second };
        match server.admit("ann's").unwrap() {
            Admission::Admitted(_) => true,
            Admission::TooMany(who, seconds) => {
                assert!(who.name == "ann" && (1..=60).contains(&seconds));
                false
            }
            Admission::Unknown => panic!("unknown"),
        }
    });
    let admitted = admitted.count();
    assert!((6..=12).contains(&admitted), "{admitted}");
    assert!(matches!(
        second.admit("bob's").unwrap(),
        Admission::Admitted(_)
    ));
}

#[test]
fn what_was_asked_is_logged() {
    let Some(running) = running() else { return };
    let database = running.new_database();
    let users = Users::open(&running.pool_of(&database)).unwrap();
    let entry = AuditEntry {
        user: Some("ann".to_owned()),
        address: "10.0.0.7".to_owned(),
        tool: "ci_impact".to_owned(),
        repository: format!("team/{}\0", "é".repeat(1_000)),
        outcome: "ok".to_owned(),
        milliseconds: 7,
    };
    users.log(&entry).unwrap();
    users
        .log(&AuditEntry {
            user: None,
            ..entry
        })
        .unwrap();
    let mut client = running.client_of(&database);
    let sql = "SELECT count(*) FROM knotwork.audit WHERE tool = 'ci_impact' AND outcome = 'ok' AND length(repository) <= 500";
    assert_eq!(client.query_one(sql, &[]).unwrap().get::<_, i64>(0), 2);
    users.check().unwrap();
    assert_eq!(users.repositories().unwrap(), []);
}
