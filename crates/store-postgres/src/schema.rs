//! The schema, in versions. Every key begins with the repository, so that a distributed database can place rows by it.
//!
//! There are no foreign keys: the writer checks ends itself, and rows are copied in bulk. Texts are compared by their
//! bytes (`COLLATE "C"`), as in every other backend.

use crate::client::Client;
use crate::config::Server;
use crate::error::Failure;
use crate::texts::{HAS_VECTORS, VECTOR_SCHEMA};
use store::StoreError;

/// Version of the schema that this program reads and writes.
pub const SCHEMA_VERSION: i32 = 4;

/// Tables with rows of repositories, besides `repositories` itself and those of texts.
pub(crate) const TABLES: &[&str] = &[
    "nodes",
    "edges",
    "relations",
    "external_uses",
    "imports",
    "unresolved_calls",
    "marks",
    "files",
    "metadata",
    "virtual_edges",
];

/// Statements that upgrade each version to the next, the first one from nothing to 1.
const MIGRATIONS: &[&str] = &[FIRST, SERVICE, ROOM, TEXTS];

/// Leaves room on each page. When code moves down, most rows of a file change, but no indexed column. A row that is
/// updated within its page touches no index.
const ROOM: &str = "ALTER TABLE knotwork.nodes SET (fillfactor = 50); ALTER TABLE knotwork.edges SET (fillfactor = 50)";

/// Texts for search. A word has a row for each file that has it; the index stores the word once, followed by the
/// positions. Vectors are separate, see [`ensure_vectors`].
const TEXTS: &str = r#"
CREATE TABLE knotwork.searchable (
  repo_id BIGINT PRIMARY KEY,
  fingerprint BIGINT NOT NULL,
  has_vectors BOOLEAN NOT NULL,
  files BIGINT NOT NULL,
  chunks BIGINT NOT NULL,
  lengths BIGINT[] NOT NULL,
  most_users INTEGER NOT NULL,
  model TEXT NOT NULL,
  dimensions INTEGER NOT NULL,
  version INTEGER NOT NULL
);
CREATE TABLE knotwork.texts (
  repo_id BIGINT NOT NULL,
  number INTEGER NOT NULL,
  path TEXT COLLATE "C" NOT NULL,
  hash BIGINT NOT NULL,
  users INTEGER NOT NULL,
  outline BYTEA NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (repo_id, number)
);
CREATE UNIQUE INDEX idx_texts_path ON knotwork.texts (repo_id, path);
CREATE TABLE knotwork.words (
  repo_id BIGINT NOT NULL,
  number INTEGER NOT NULL,
  chunks INTEGER NOT NULL,
  path SMALLINT NOT NULL,
  chunk_says SMALLINT NOT NULL,
  file_says SMALLINT NOT NULL,
  word TEXT COLLATE "C" NOT NULL,
  postings BYTEA NOT NULL
);
CREATE INDEX idx_words_word ON knotwork.words (repo_id, word);
CREATE INDEX idx_words_text ON knotwork.words (repo_id, number);
"#;

/// The queue, and data of servers for a team. These tables are small; a distributed database keeps them in one place.
const SERVICE: &str = r#"
CREATE TABLE knotwork.jobs (
  repo_id BIGINT NOT NULL,
  commit TEXT COLLATE "C" NOT NULL,
  seq BIGINT GENERATED ALWAYS AS IDENTITY,
  repository TEXT NOT NULL,
  source TEXT NOT NULL,
  state SMALLINT NOT NULL DEFAULT 0,
  attempts INTEGER NOT NULL DEFAULT 0,
  publications INTEGER NOT NULL DEFAULT 0,
  worker TEXT,
  lease_until TIMESTAMPTZ,
  run_after TIMESTAMPTZ NOT NULL DEFAULT now(),
  added_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  started_at TIMESTAMPTZ,
  finished_at TIMESTAMPTZ,
  error TEXT,
  PRIMARY KEY (repo_id, commit)
);
CREATE INDEX idx_jobs_repository ON knotwork.jobs (repo_id, seq);
CREATE INDEX idx_jobs_open ON knotwork.jobs (seq) WHERE state < 2;
CREATE TABLE knotwork.users (
  name TEXT PRIMARY KEY,
  token_hash BYTEA NOT NULL UNIQUE,
  repositories TEXT[],
  requests_per_minute INTEGER NOT NULL,
  created_at TIMESTAMPTZ NOT NULL DEFAULT now()
);
CREATE TABLE knotwork.user_requests (
  name TEXT NOT NULL REFERENCES knotwork.users (name) ON DELETE CASCADE,
  minute TIMESTAMPTZ NOT NULL,
  requests INTEGER NOT NULL,
  PRIMARY KEY (name, minute)
);
CREATE TABLE knotwork.audit (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at TIMESTAMPTZ NOT NULL DEFAULT now(),
  name TEXT,
  address TEXT,
  tool TEXT,
  repository TEXT,
  outcome TEXT NOT NULL,
  milliseconds INTEGER
);
CREATE INDEX idx_audit_at ON knotwork.audit (at);
"#;

const FIRST: &str = r#"
CREATE TABLE knotwork.repositories (
  repo_id BIGINT PRIMARY KEY,
  name TEXT NOT NULL,
  version BIGINT NOT NULL DEFAULT 0,
  fingerprint TEXT,
  commit TEXT,
  published_at TIMESTAMPTZ,
  created_at TIMESTAMPTZ NOT NULL DEFAULT now()
);
CREATE TABLE knotwork.nodes (
  repo_id BIGINT NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  symbol TEXT COLLATE "C" NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  file_path TEXT COLLATE "C" NOT NULL,
  line_start INTEGER,
  line_end INTEGER,
  qualified_name TEXT COLLATE "C",
  signature TEXT,
  doc TEXT,
  flags INTEGER NOT NULL,
  scip_symbol TEXT COLLATE "C",
  PRIMARY KEY (repo_id, id)
);
CREATE INDEX idx_nodes_symbol ON knotwork.nodes (repo_id, symbol);
CREATE INDEX idx_nodes_file ON knotwork.nodes (repo_id, file_path);
CREATE TABLE knotwork.edges (
  repo_id BIGINT NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  source_id TEXT COLLATE "C" NOT NULL,
  target_id TEXT COLLATE "C" NOT NULL,
  edge_type SMALLINT NOT NULL CHECK (edge_type BETWEEN 0 AND 3),
  tier_code SMALLINT,
  site_code SMALLINT,
  line INTEGER,
  confidence_set DOUBLE PRECISION,
  file_path TEXT COLLATE "C",
  more_lines TEXT,
  PRIMARY KEY (repo_id, id)
);
CREATE INDEX idx_edges_source ON knotwork.edges (repo_id, source_id);
CREATE INDEX idx_edges_target ON knotwork.edges (repo_id, target_id);
CREATE TABLE knotwork.relations (
  repo_id BIGINT NOT NULL,
  source_id TEXT COLLATE "C" NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  target_id TEXT COLLATE "C" NOT NULL,
  file_path TEXT COLLATE "C" NOT NULL,
  tier_code SMALLINT,
  PRIMARY KEY (repo_id, source_id, kind, target_id, file_path)
);
CREATE INDEX idx_relations_target ON knotwork.relations (repo_id, target_id);
CREATE INDEX idx_relations_file ON knotwork.relations (repo_id, file_path);
CREATE TABLE knotwork.external_uses (
  repo_id BIGINT NOT NULL,
  source_id TEXT COLLATE "C" NOT NULL,
  package TEXT COLLATE "C" NOT NULL,
  symbol TEXT COLLATE "C" NOT NULL,
  line INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (repo_id, source_id, package, symbol)
);
CREATE TABLE knotwork.imports (
  repo_id BIGINT NOT NULL,
  source_id TEXT COLLATE "C" NOT NULL,
  position INTEGER NOT NULL,
  line INTEGER NOT NULL,
  specifier TEXT COLLATE "C" NOT NULL,
  target_id TEXT COLLATE "C",
  kind SMALLINT NOT NULL,
  names TEXT COLLATE "C" NOT NULL,
  flags SMALLINT NOT NULL,
  PRIMARY KEY (repo_id, source_id, position)
);
CREATE TABLE knotwork.unresolved_calls (
  repo_id BIGINT NOT NULL,
  source_id TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  lines TEXT NOT NULL,
  PRIMARY KEY (repo_id, source_id, name)
);
CREATE INDEX idx_unresolved_calls_name ON knotwork.unresolved_calls (repo_id, name);
CREATE TABLE knotwork.marks (
  repo_id BIGINT NOT NULL,
  source_id TEXT COLLATE "C" NOT NULL,
  kind SMALLINT NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  detail TEXT COLLATE "C" NOT NULL,
  lines TEXT NOT NULL,
  PRIMARY KEY (repo_id, source_id, kind, name, detail)
);
CREATE TABLE knotwork.files (
  repo_id BIGINT NOT NULL,
  path TEXT COLLATE "C" NOT NULL,
  language TEXT NOT NULL,
  hash TEXT NOT NULL,
  size BIGINT NOT NULL,
  stat BIGINT NOT NULL,
  lines INTEGER NOT NULL,
  boundary TEXT NOT NULL,
  source TEXT NOT NULL,
  syntax_errors INTEGER NOT NULL,
  calls INTEGER NOT NULL,
  calls_resolved INTEGER NOT NULL,
  calls_external INTEGER NOT NULL,
  output_hash TEXT NOT NULL,
  complexity INTEGER NOT NULL,
  PRIMARY KEY (repo_id, path)
);
CREATE TABLE knotwork.metadata (
  repo_id BIGINT NOT NULL,
  key TEXT COLLATE "C" NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (repo_id, key)
);
CREATE TABLE knotwork.virtual_edges (
  repo_id BIGINT NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  source_repo TEXT COLLATE "C" NOT NULL,
  source_symbol TEXT COLLATE "C" NOT NULL,
  target_repo TEXT COLLATE "C" NOT NULL,
  target_symbol TEXT COLLATE "C" NOT NULL,
  edge_type TEXT NOT NULL,
  contract_type TEXT NOT NULL,
  confidence DOUBLE PRECISION NOT NULL,
  name_similarity DOUBLE PRECISION,
  signature_similarity DOUBLE PRECISION,
  contract_bonus DOUBLE PRECISION,
  source_file TEXT,
  source_line INTEGER,
  target_file TEXT,
  target_line INTEGER,
  operation TEXT,
  evidence TEXT,
  PRIMARY KEY (repo_id, id)
);
"#;

/// The lock of every process that creates or upgrades the schema.
const LOCK: &str = "SELECT pg_advisory_xact_lock(7598823422184510836)";

/// Finds foreign objects that would run with the rights of a writer to our tables. A relation of another kind in the
/// place of a table counts, and so does a column whose type may have rules.
const FOREIGN: &str = "\
  WITH ours AS (SELECT c.oid, c.relname, c.relkind FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
    WHERE n.nspname = 'knotwork') \
  SELECT format('the trigger %s on %s', t.tgname, o.relname) FROM pg_trigger t JOIN ours o ON o.oid = t.tgrelid \
    WHERE NOT t.tgisinternal \
  UNION ALL SELECT format('the rule %s on %s', r.rulename, o.relname) FROM pg_rewrite r JOIN ours o ON o.oid = r.ev_class \
  UNION ALL SELECT format('the policy %s on %s', p.polname, o.relname) FROM pg_policy p JOIN ours o ON o.oid = p.polrelid \
  UNION ALL SELECT format('%s, which is no table', relname) FROM ours WHERE relkind NOT IN ('r', 'p', 'i', 'I', 'S', 't', 'c') \
  UNION ALL SELECT format('a value computed for %s of %s', a.attname, o.relname) FROM pg_attrdef d JOIN ours o ON o.oid = d.adrelid \
    JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum \
    WHERE pg_get_expr(d.adbin, d.adrelid) NOT IN ('0', 'now()') \
  UNION ALL SELECT format('the check %s on %s', k.conname, o.relname) FROM pg_constraint k JOIN ours o ON o.oid = k.conrelid \
    WHERE k.contype = 'c' AND pg_get_constraintdef(k.oid) <> 'CHECK (((edge_type >= 0) AND (edge_type <= 3)))' \
  UNION ALL SELECT format('the computed index %s', o.relname) FROM pg_index i JOIN ours o ON o.oid = i.indexrelid \
    WHERE i.indexprs IS NOT NULL OR pg_get_expr(i.indpred, i.indrelid) <> '(state < 2)' \
  UNION ALL SELECT format('the type of %s of %s', a.attname, o.relname) FROM pg_attribute a JOIN ours o ON o.oid = a.attrelid \
    JOIN pg_type y ON y.oid = a.atttypid JOIN pg_namespace n ON n.oid = y.typnamespace \
    WHERE a.attnum > 0 AND NOT a.attisdropped AND n.nspname <> 'pg_catalog' AND NOT (o.relname LIKE 'vectors%' AND EXISTS \
      (SELECT 1 FROM pg_depend p JOIN pg_extension e ON e.oid = p.refobjid AND p.refclassid = 'pg_extension'::regclass \
        WHERE p.classid = 'pg_type'::regclass AND p.objid = y.oid AND p.deptype = 'e' AND e.extname = 'vector')) \
  LIMIT 1";

/// Refuses a schema with foreign code that a writer would run.
fn refuse_foreign(client: &mut Client, server: &Server) -> Result<(), Failure> {
    let Some(row) = client.query_opt(FOREIGN, &[])? else {
        return Ok(());
    };
    Err(Failure::Store(StoreError::Foreign {
        server: server.to_string(),
        what: row.try_get(0)?,
    }))
}

/// The version of a database; 0 if it has no schema of ours.
fn version(client: &mut Client) -> Result<i32, Failure> {
    let newest = "SELECT coalesce(max(version), 0) FROM knotwork.schema_versions";
    match client.query_one(newest, &[]) {
        Ok(row) => Ok(row.try_get(0)?),
        Err(failure) if failure.is_missing_table() => Ok(0),
        Err(failure) => Err(failure),
    }
}

fn mismatch(server: &Server, found: i32) -> Failure {
    Failure::Store(StoreError::Schema {
        path: server.to_string(),
        found: found.to_string(),
        wanted: SCHEMA_VERSION.to_string(),
    })
}

/// Creates or upgrades the schema, in one transaction; one process at a time does so.
pub(crate) fn migrate(client: &mut Client, server: &Server) -> Result<(), Failure> {
    migrate_to(client, server, MIGRATIONS)
}

fn migrate_to(client: &mut Client, server: &Server, migrations: &[&str]) -> Result<(), Failure> {
    let newest = migrations.len() as i32;
    let found = version(client)?;
    if found > newest {
        return Err(mismatch(server, found));
    }
    if found == newest {
        ensure_vectors(client, server)?;
        return refuse_foreign(client, server);
    }
    let mut transaction = client.transaction()?;
    transaction.allow_bulk();
    transaction.batch_execute("SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0")?;
    transaction.batch_execute(LOCK)?;
    transaction.batch_execute(
        "CREATE SCHEMA IF NOT EXISTS knotwork; \
         CREATE TABLE IF NOT EXISTS knotwork.schema_versions \
         (version INTEGER PRIMARY KEY, applied_at TIMESTAMPTZ NOT NULL DEFAULT now())",
    )?;
    // Another process may have upgraded it meanwhile.
    let found = version(&mut transaction)?;
    for (step, sql) in (1..).zip(migrations).skip(found.max(0) as usize) {
        transaction.batch_execute(sql)?;
        let done = "INSERT INTO knotwork.schema_versions (version) VALUES ($1)";
        transaction.execute(done, &[&step])?;
    }
    // Existing objects may not be ours.
    refuse_foreign(&mut transaction, server)?;
    transaction.commit()?;
    ensure_vectors(client, server)
}

/// Whether pgvector is installed, and whether it is available.
const EXTENSION: &str = "EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'vector'), \
     EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = 'vector')";

/// Creates the table of vectors if pgvector is available. If it is not, or this role may not create the table, search
/// uses words alone.
fn ensure_vectors(client: &mut Client, server: &Server) -> Result<(), Failure> {
    // The schema is older than the tables of texts.
    if version(client)? < 4 {
        return Ok(());
    }
    let sql = format!("SELECT {HAS_VECTORS}, {EXTENSION}");
    let row = client.query_one(&sql, &[])?;
    let (is_there, is_installed, is_available) =
        (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
    if is_there || !(is_installed || is_available) {
        return Ok(());
    }
    // A schema with foreign code is left as it is.
    refuse_foreign(client, server)?;
    match make_vectors(client, is_installed) {
        Err(failure) if failure.is_from_server() => Ok(()),
        done => done,
    }
}

fn make_vectors(client: &mut Client, is_installed: bool) -> Result<(), Failure> {
    let mut transaction = client.transaction()?;
    transaction.batch_execute(LOCK)?;
    if !is_installed {
        transaction.batch_execute("CREATE EXTENSION IF NOT EXISTS vector SCHEMA public")?;
    }
    let schema: String = transaction.query_one(VECTOR_SCHEMA, &[])?.try_get(0)?;
    // Without its column the table holds nothing of use.
    let sql = format!("SELECT {HAS_VECTORS}");
    if !transaction.query_one(&sql, &[])?.try_get::<_, bool>(0)? {
        transaction.batch_execute("DROP TABLE IF EXISTS knotwork.vectors")?;
    }
    transaction.batch_execute(&format!(
        "CREATE TABLE IF NOT EXISTS knotwork.vectors (repo_id BIGINT NOT NULL, number INTEGER NOT NULL, chunk INTEGER NOT NULL, \
         embedding {schema}.vector NOT NULL, PRIMARY KEY (repo_id, number, chunk))"
    ))?;
    transaction.commit()
}

/// Checks that the schema is the one that this program reads.
pub(crate) fn check(client: &mut Client, server: &Server) -> Result<(), Failure> {
    match version(client)? {
        0 => Err(StoreError::Missing(format!("{server}: it has no tables of Knotwork")).into()),
        SCHEMA_VERSION => Ok(()),
        found => Err(mismatch(server, found)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_begins_with_the_repository() {
        assert_eq!(MIGRATIONS.len() as i32, SCHEMA_VERSION);
        let keys = FIRST.matches("PRIMARY KEY (repo_id").count();
        assert_eq!(keys, TABLES.len());
        assert_eq!(FIRST.matches("PRIMARY KEY (").count(), keys);
        let lines = FIRST.lines().chain(TEXTS.lines());
        for index in lines.filter(|line| line.contains(" INDEX ")) {
            assert!(index.contains("(repo_id, "), "{index}");
        }
        for table in TABLES {
            assert!(FIRST.contains(&format!("CREATE TABLE knotwork.{table} (\n  repo_id")));
        }
        let of_texts = TEXTS.matches("CREATE TABLE").count();
        assert_eq!(TEXTS.matches("(\n  repo_id BIGINT").count(), of_texts);
    }
}
