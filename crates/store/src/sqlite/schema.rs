//! The schema: exactly the seeds' tables, with added columns after theirs, and added tables.
//!
//! `tier` and `site` are stored as small integers and read through virtual columns that hold their names. `confidence`
//! is stored only if it differs from that of the tier. A relation has a row for each file that states it (several may
//! state one of a Go method), so that it stays as long as one of them does.

/// Version of the schema this program writes, in `metadata.schema_version`.
pub const SCHEMA_VERSION: &str = "11";

/// The `nodes` table. The default of `flags` is 16 (added by hand), for rows that other programs insert.
pub(super) const NODES: &str = "CREATE TABLE nodes (
  id TEXT PRIMARY KEY,
  symbol TEXT NOT NULL,
  kind TEXT NOT NULL,
  file_path TEXT NOT NULL,
  line_start INTEGER,
  line_end INTEGER,
  created_at INTEGER DEFAULT (strftime('%s', 'now')),
  qualified_name TEXT,
  signature TEXT,
  doc TEXT,
  flags INTEGER NOT NULL DEFAULT 16,
  scip_symbol TEXT
)";

/// The `edges` table. No tier means added by hand.
pub(super) const EDGES: &str = "CREATE TABLE edges (
  id TEXT PRIMARY KEY,
  source_id TEXT NOT NULL,
  target_id TEXT NOT NULL,
  edge_type TEXT NOT NULL CHECK(edge_type IN ('DEFINES', 'IMPORTS', 'CALLS', 'MODIFIES')),
  file_path TEXT,
  line INTEGER,
  created_at INTEGER DEFAULT (strftime('%s', 'now')),
  tier_code INTEGER,
  site_code INTEGER,
  confidence_set REAL,
  more_lines TEXT,
  tier TEXT AS (CASE tier_code WHEN 0 THEN 'scip' WHEN 1 THEN 'typed' WHEN 2 THEN 'scoped' WHEN 3 THEN 'named' ELSE 'manual' END) VIRTUAL,
  site TEXT AS (CASE site_code WHEN 0 THEN 'call' WHEN 1 THEN 'reference' END) VIRTUAL,
  confidence REAL AS (coalesce(confidence_set, CASE tier_code WHEN 1 THEN 0.98 WHEN 2 THEN 0.95 WHEN 3 THEN 0.85 ELSE 1.0 END)) VIRTUAL,
  FOREIGN KEY (source_id) REFERENCES nodes(id),
  FOREIGN KEY (target_id) REFERENCES nodes(id)
)";

/// Secondary indexes of `nodes` and `edges`: a full build makes them after the rows.
pub(super) const INDEXES: &[(&str, &str)] = &[
    ("idx_nodes_file", "nodes(file_path)"),
    ("idx_nodes_symbol", "nodes(symbol)"),
    ("idx_edges_source", "edges(source_id)"),
    ("idx_edges_target", "edges(target_id)"),
    ("idx_edges_type", "edges(edge_type)"),
    ("idx_unresolved_calls_name", "unresolved_calls(name)"),
];

/// All other tables with their indexes. Each statement may be repeated on a database that has them.
pub(super) const OTHER: &str = "
CREATE TABLE IF NOT EXISTS virtual_edges (
    id TEXT PRIMARY KEY,
    source_repo TEXT NOT NULL,
    source_symbol TEXT NOT NULL,
    target_repo TEXT NOT NULL,
    target_symbol TEXT NOT NULL,
    edge_type TEXT NOT NULL,
    contract_type TEXT NOT NULL,
    confidence REAL DEFAULT 1.0,
    created_at TEXT DEFAULT (datetime('now')),
    updated_at TEXT DEFAULT (datetime('now')),
    confidence_level TEXT AS (CASE WHEN confidence >= 0.8 THEN 'high' WHEN confidence >= 0.5 THEN 'medium' ELSE 'low' END) VIRTUAL,
    name_similarity REAL,
    signature_similarity REAL,
    contract_bonus REAL,
    exact_match INTEGER AS (name_similarity >= 1.0) VIRTUAL,
    source_file TEXT,
    source_line INTEGER,
    target_file TEXT,
    target_line INTEGER,
    operation TEXT,
    evidence TEXT
);
CREATE INDEX IF NOT EXISTS idx_virtual_edges_source ON virtual_edges(source_repo, source_symbol);
CREATE INDEX IF NOT EXISTS idx_virtual_edges_target ON virtual_edges(target_repo, target_symbol);
CREATE INDEX IF NOT EXISTS idx_virtual_edges_type ON virtual_edges(edge_type);
CREATE TABLE IF NOT EXISTS metadata (
  key TEXT PRIMARY KEY,
  value TEXT
);
CREATE TABLE IF NOT EXISTS files (
  path TEXT PRIMARY KEY,
  language TEXT NOT NULL,
  hash TEXT NOT NULL,
  size INTEGER NOT NULL,
  stat INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  boundary TEXT NOT NULL,
  source TEXT NOT NULL,
  syntax_errors INTEGER NOT NULL,
  calls INTEGER NOT NULL,
  calls_resolved INTEGER NOT NULL,
  calls_external INTEGER NOT NULL,
  output_hash TEXT NOT NULL DEFAULT '',
  complexity INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS relations (
  source_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  target_id TEXT NOT NULL,
  file_path TEXT NOT NULL,
  tier_code INTEGER,
  tier TEXT AS (CASE tier_code WHEN 0 THEN 'scip' WHEN 1 THEN 'typed' WHEN 2 THEN 'scoped' WHEN 3 THEN 'named' ELSE 'manual' END) VIRTUAL,
  PRIMARY KEY (source_id, kind, target_id, file_path)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS idx_relations_target ON relations(target_id);
CREATE INDEX IF NOT EXISTS idx_relations_file ON relations(file_path);
CREATE TABLE IF NOT EXISTS external_symbols (
  id INTEGER PRIMARY KEY,
  package TEXT NOT NULL,
  symbol TEXT NOT NULL,
  UNIQUE (package, symbol)
);
CREATE TABLE IF NOT EXISTS external_uses (
  source_id TEXT NOT NULL,
  external_id INTEGER NOT NULL,
  line INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (source_id, external_id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS imports (
  source_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  line INTEGER NOT NULL,
  specifier TEXT NOT NULL,
  target_id TEXT,
  kind INTEGER NOT NULL,
  names TEXT NOT NULL,
  flags INTEGER NOT NULL,
  PRIMARY KEY (source_id, position)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS unresolved_calls (
  source_id TEXT NOT NULL,
  name TEXT NOT NULL,
  lines TEXT NOT NULL,
  PRIMARY KEY (source_id, name)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS marks (
  source_id TEXT NOT NULL,
  kind INTEGER NOT NULL,
  name TEXT NOT NULL,
  detail TEXT NOT NULL,
  lines TEXT NOT NULL,
  PRIMARY KEY (source_id, kind, name, detail)
) WITHOUT ROWID;
CREATE VIEW IF NOT EXISTS externals AS
  SELECT u.source_id, s.package, s.symbol, n.file_path, u.line, u.count
  FROM external_uses u JOIN external_symbols s ON s.id = u.external_id JOIN nodes n ON n.id = u.source_id;
INSERT OR IGNORE INTO metadata (key, value) VALUES ('version_stamp', '{}');
";

/// Statements that make the secondary indexes of `nodes` and `edges`.
pub(super) fn create_indexes_sql() -> String {
    INDEXES
        .iter()
        .map(|(name, on)| format!("CREATE INDEX IF NOT EXISTS {name} ON {on};\n"))
        .collect()
}

/// Statements that drop these indexes.
pub(super) fn drop_indexes_sql() -> String {
    INDEXES
        .iter()
        .map(|(name, _)| format!("DROP INDEX IF EXISTS {name};\n"))
        .collect()
}

/// The whole schema, for a new database.
pub(super) fn create_schema_sql() -> String {
    format!("{}{}", create_tables_sql(), create_indexes_sql())
}

/// The schema without the secondary indexes of `nodes` and `edges`.
pub(super) fn create_tables_sql() -> String {
    format!(
        "{NODES};\n{EDGES};\n{OTHER}INSERT OR REPLACE INTO metadata (key, value) VALUES ('schema_version', '{SCHEMA_VERSION}');"
    )
}
