//! A schema with foreign code for a writer to run.

use crate::common::running;
use store::StoreError;
use store_postgres::{PostgresStore, Queue, Users};

#[test]
fn a_schema_with_programs_of_others_is_not_written_to() {
    let Some(running) = running() else { return };
    let database = running.new_database();
    let pool = running.pool_of(&database);
    PostgresStore::open(&pool, "team/project").unwrap();
    let mut client = running.client_of(&database);
    let function =
        "CREATE FUNCTION public.take() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'";
    client.batch_execute(function).unwrap();
    for (plant, remove, named) in [
        (
            "CREATE TRIGGER t BEFORE INSERT ON knotwork.nodes FOR EACH ROW EXECUTE FUNCTION public.take()",
            "DROP TRIGGER t ON knotwork.nodes",
            "the trigger t on nodes",
        ),
        (
            "CREATE RULE r AS ON INSERT TO knotwork.edges DO ALSO SELECT 1",
            "DROP RULE r ON knotwork.edges",
            "the rule r on edges",
        ),
        (
            "ALTER TABLE knotwork.files ALTER size SET DEFAULT length(current_user)",
            "ALTER TABLE knotwork.files ALTER size DROP DEFAULT",
            "a value computed for size of files",
        ),
        (
            "ALTER TABLE knotwork.audit ADD CONSTRAINT c CHECK (length(outcome) > 0)",
            "ALTER TABLE knotwork.audit DROP CONSTRAINT c",
            "the check c on audit",
        ),
        (
            "CREATE INDEX i ON knotwork.nodes (lower(symbol))",
            "DROP INDEX knotwork.i",
            "the computed index i",
        ),
        (
            "CREATE POLICY p ON knotwork.nodes USING (true)",
            "DROP POLICY p ON knotwork.nodes",
            "the policy p on nodes",
        ),
        (
            "ALTER TABLE knotwork.marks RENAME TO kept; CREATE VIEW knotwork.marks AS SELECT * FROM knotwork.kept",
            "DROP VIEW knotwork.marks; ALTER TABLE knotwork.kept RENAME TO marks",
            "on marks",
        ),
    ] {
        client.batch_execute(plant).unwrap();
        let refused = [
            PostgresStore::open(&pool, "team/project").err(),
            Queue::open(&pool).err(),
            Users::open(&pool).err(),
        ];
        for error in refused {
            let error = error.unwrap();
            assert!(matches!(error, StoreError::Foreign { .. }), "{error:?}");
            assert!(error.to_string().contains(named), "{error}");
        }
        client.batch_execute(remove).unwrap();
        PostgresStore::open(&pool, "team/project").unwrap();
    }
}
