//! The tables. The first are those of the original server, unchanged. The others are this program's: that server never touches
//! them, but its writes keep them up to date through triggers.

/// The schema's version; raised when a table of this program changes.
pub(super) const VERSION: i64 = 1;

/// Tables, index and triggers of the original design.
pub(super) const ORIGINAL: &str = "
CREATE TABLE solutions (
    id TEXT PRIMARY KEY,           -- UUID
    title TEXT NOT NULL,           -- 问题标题
    problem TEXT NOT NULL,         -- 问题描述
    root_cause TEXT,               -- 根因分析
    solution TEXT NOT NULL,        -- 解决方案
    error_messages TEXT,           -- 错误信息 (JSON array)
    project_name TEXT,             -- 来源项目
    created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
    updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP
);
CREATE TABLE tags (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT UNIQUE NOT NULL,
    category TEXT NOT NULL         -- 'tech_stack' | 'problem_type' | 'error_code'
);
CREATE TABLE solution_tags (
    solution_id TEXT REFERENCES solutions(id) ON DELETE CASCADE,
    tag_id INTEGER REFERENCES tags(id) ON DELETE CASCADE,
    PRIMARY KEY (solution_id, tag_id)
);
CREATE INDEX idx_solutions_created_at ON solutions(created_at DESC);
CREATE INDEX idx_tags_category ON tags(category);
CREATE VIRTUAL TABLE solutions_fts USING fts5(
    title,
    problem,
    solution,
    error_messages,
    content='solutions',
    content_rowid='rowid'
);
CREATE TRIGGER solutions_ai AFTER INSERT ON solutions BEGIN
    INSERT INTO solutions_fts(rowid, title, problem, solution, error_messages)
    VALUES (NEW.rowid, NEW.title, NEW.problem, NEW.solution, NEW.error_messages);
END;
CREATE TRIGGER solutions_ad AFTER DELETE ON solutions BEGIN
    INSERT INTO solutions_fts(solutions_fts, rowid, title, problem, solution, error_messages)
    VALUES ('delete', OLD.rowid, OLD.title, OLD.problem, OLD.solution, OLD.error_messages);
END;
";

/// Tables of this program. `rid` is the row number in `solutions`.
///
/// - `solution_words`: stems, parts of identifiers, pairs of Chinese, Japanese and Korean characters.
/// - `solution_codes`, `solution_prints`: codes and exceptions that occur; fingerprints of problems.
/// - `solution_vectors`: signed bytes with a scale.
/// - `solution_changes`: the latest change of each row, for processes that keep rows in memory.
/// - `solution_pending`: solutions whose vector is to be made, sent or removed.
/// - `solution_versions`, `solution_uses`: earlier states; the number of times that a solution was opened.
pub(super) const OURS: &str = "
CREATE TABLE solution_meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE VIRTUAL TABLE solution_words USING fts5(title, problem, solution, errors, columnsize=1);
CREATE TABLE solution_codes (code TEXT NOT NULL, rid INTEGER NOT NULL, PRIMARY KEY (code, rid)) WITHOUT ROWID;
CREATE INDEX idx_solution_codes_rid ON solution_codes(rid);
CREATE TABLE solution_prints (rid INTEGER PRIMARY KEY, print INTEGER NOT NULL);
CREATE INDEX idx_solution_prints ON solution_prints(print);
CREATE TABLE solution_vectors (
    rid INTEGER PRIMARY KEY,
    model TEXT NOT NULL,
    scale REAL NOT NULL,
    vector BLOB NOT NULL
);
CREATE TABLE solution_changes (seq INTEGER PRIMARY KEY AUTOINCREMENT, rid INTEGER NOT NULL UNIQUE);
CREATE TABLE solution_pending (solution_id TEXT PRIMARY KEY, words INTEGER NOT NULL DEFAULT 0);
CREATE TABLE solution_versions (
    solution_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    replaced_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
    why TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (solution_id, version)
);
CREATE TABLE solution_uses (
    solution_id TEXT PRIMARY KEY,
    opened INTEGER NOT NULL,
    last_opened TIMESTAMP DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX IF NOT EXISTS idx_solution_tags_tag ON solution_tags(tag_id);
CREATE TRIGGER solutions_au AFTER UPDATE OF title, problem, solution, error_messages ON solutions BEGIN
    INSERT INTO solutions_fts(solutions_fts, rowid, title, problem, solution, error_messages)
    VALUES ('delete', OLD.rowid, OLD.title, OLD.problem, OLD.solution, OLD.error_messages);
    INSERT INTO solutions_fts(rowid, title, problem, solution, error_messages)
    VALUES (NEW.rowid, NEW.title, NEW.problem, NEW.solution, NEW.error_messages);
END;
CREATE TRIGGER solution_noted_insert AFTER INSERT ON solutions BEGIN
    INSERT OR REPLACE INTO solution_pending(solution_id) VALUES (NEW.id);
    INSERT OR REPLACE INTO solution_changes(rid) VALUES (NEW.rowid);
END;
CREATE TRIGGER solution_noted_update AFTER UPDATE OF title, problem, solution, error_messages ON solutions BEGIN
    INSERT OR REPLACE INTO solution_pending(solution_id) VALUES (NEW.id);
    INSERT OR REPLACE INTO solution_changes(rid) VALUES (NEW.rowid);
END;
CREATE TRIGGER solution_noted_delete AFTER DELETE ON solutions BEGIN
    DELETE FROM solution_words WHERE rowid = OLD.rowid;
    DELETE FROM solution_codes WHERE rid = OLD.rowid;
    DELETE FROM solution_prints WHERE rid = OLD.rowid;
    DELETE FROM solution_vectors WHERE rid = OLD.rowid;
    DELETE FROM solution_tags WHERE solution_id = OLD.id;
    INSERT OR REPLACE INTO solution_pending(solution_id) VALUES (OLD.id);
    INSERT OR REPLACE INTO solution_changes(rid) VALUES (OLD.rowid);
END;
CREATE TRIGGER solution_vector_insert AFTER INSERT ON solution_vectors BEGIN
    INSERT OR REPLACE INTO solution_changes(rid) VALUES (NEW.rid);
END;
CREATE TRIGGER solution_vector_delete AFTER DELETE ON solution_vectors BEGIN
    INSERT OR REPLACE INTO solution_changes(rid) VALUES (OLD.rid);
END;
";
