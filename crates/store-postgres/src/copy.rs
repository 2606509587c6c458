//! Writes rows in bulk, in the binary form of COPY.

use crate::client::{CopyIn, Transaction};
use crate::error::Failure;

/// Bytes that are collected before they are sent.
const PIECE: usize = 256 << 10;

/// A table, and its columns after `repo_id`, in the order in which rows are written.
pub(crate) struct Table {
    pub(crate) name: &'static str,
    pub(crate) columns: &'static str,
    /// The columns of its key after `repo_id`.
    pub(crate) key: &'static str,
    /// Number of columns, `repo_id` included.
    pub(crate) width: i16,
}

impl Table {
    /// The query for the rows of the repository `$1`, with the columns in order.
    pub(crate) fn select(&self) -> String {
        let Table { name, columns, .. } = self;
        format!("SELECT {columns} FROM knotwork.{name} WHERE repo_id = $1")
    }
}

/// Writes rows to a table.
pub(crate) struct Rows<'t> {
    writer: CopyIn<'t>,
    buffer: Vec<u8>,
    width: i16,
    repository: i64,
    failed: Option<Failure>,
}

/// How rows with an existing key are handled.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Existing<'f> {
    /// No row exists; an existing one is an error.
    None,
    /// An existing row stays as it is.
    Stays,
    /// The existing rows of this scope are replaced by the given ones.
    Replaced(Scope<'f>),
}

/// Inserts rows into a table. Returns their number.
pub(crate) fn insert(
    transaction: &mut Transaction<'_>,
    table: &Table,
    repository: i64,
    existing: Existing<'_>,
    fill: impl FnOnce(&mut Rows<'_>),
) -> Result<u64, Failure> {
    let Table { name, columns, .. } = table;
    match existing {
        Existing::None => {
            let into = format!("knotwork.{name}");
            return copy(transaction, &into, table, repository, fill);
        }
        Existing::Replaced(scope) => return replace(transaction, table, repository, scope, fill),
        Existing::Stays => {}
    }
    let (staging, _) = stage(transaction, table, repository, fill)?;
    let sql = format!(
        "INSERT INTO knotwork.{name} (repo_id, {columns}) SELECT repo_id, {columns} FROM {staging} ON CONFLICT DO NOTHING"
    );
    let done = transaction.execute(&sql, &[])?;
    transaction.batch_execute(&format!("TRUNCATE {staging}"))?;
    Ok(done)
}

/// The existing rows that are compared with the given ones: those of whole repositories, or of some files.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Scope<'f> {
    /// Everything that the indexer wrote.
    Everything,
    /// Everything that it wrote for these files. Their former nodes are in the table `pg_temp.former_nodes`.
    Files(&'f [&'f str]),
}

impl Scope<'_> {
    /// The condition on a row `t` of a table; it excludes rows that were added by hand. `$2` is the list of files.
    fn condition(self, table: &Table) -> String {
        let by_indexer = match table.name {
            "nodes" => format!("t.flags & {} = 0", store::NodeFlags::MANUAL),
            "edges" => "t.tier_code IS NOT NULL".to_owned(),
            _ => "true".to_owned(),
        };
        let of_files = match (self, table.name) {
            (Scope::Everything, _) | (_, "files") => "$2::text[] IS NOT NULL",
            (_, "nodes" | "relations") => "t.file_path = ANY($2)",
            _ => "$2::text[] IS NOT NULL AND t.source_id IN (SELECT id FROM pg_temp.former_nodes)",
        };
        format!("{by_indexer} AND {of_files}")
    }

    fn files(self) -> Vec<String> {
        match self {
            Scope::Everything => Vec::new(),
            Scope::Files(files) => files.iter().map(|file| (*file).to_owned()).collect(),
        }
    }
}

/// Makes the rows of a table equal to the given ones. A row that differs is updated in place: if its page has room, and
/// no indexed column differs, no index is touched. Superfluous rows are deleted, and missing ones inserted. Returns the
/// number of written rows.
fn replace(
    transaction: &mut Transaction<'_>,
    table: &Table,
    repository: i64,
    scope: Scope<'_>,
    fill: impl FnOnce(&mut Rows<'_>),
) -> Result<u64, Failure> {
    let Table {
        name, columns, key, ..
    } = *table;
    let (staging, staged) = stage(transaction, table, repository, fill)?;
    // The planner needs the number of rows and the distribution of their keys. Statistics of all columns would take a
    // tenth of the time.
    transaction.batch_execute(&format!("ANALYZE {staging} ({key})"))?;
    let keys: Vec<&str> = key.split(',').map(str::trim).collect();
    let all: Vec<&str> = columns.split(',').map(str::trim).collect();
    let others: Vec<&str> = all.iter().copied().filter(|c| !keys.contains(c)).collect();
    let joined = |columns: &[&str], form: &dyn Fn(&str) -> String, between: &str| -> String {
        columns
            .iter()
            .map(|c| form(c))
            .collect::<Vec<_>>()
            .join(between)
    };
    let same_key = joined(&keys, &|c| format!("s.{c} = t.{c}"), " AND ");
    let condition = scope.condition(table);
    let files = scope.files();
    let mut written = 0;
    if !others.is_empty() {
        let set = joined(&others, &|c| format!("{c} = s.{c}"), ", ");
        let differs = joined(
            &others,
            &|c| format!("t.{c} IS DISTINCT FROM s.{c}"),
            " OR ",
        );
        let change = format!(
            "UPDATE knotwork.{name} t SET {set} FROM {staging} s WHERE t.repo_id = $1 AND {same_key} AND {condition} AND ({differs})"
        );
        written += transaction.execute(&change, &[&repository, &files])?;
    }
    // If every row was updated in place, none is missing, and a count shows whether there are superfluous ones.
    let all_changed = written == staged;
    let there =
        format!("SELECT count(*) FROM knotwork.{name} t WHERE t.repo_id = $1 AND {condition}");
    let is_done = all_changed && {
        let there = transaction.query_one(&there, &[&repository, &files])?;
        there.try_get::<_, i64>(0)? as u64 == staged
    };
    if !is_done {
        let gone = format!(
            "DELETE FROM knotwork.{name} t WHERE t.repo_id = $1 AND {condition} AND NOT EXISTS \
             (SELECT 1 FROM {staging} s WHERE {same_key})"
        );
        transaction.execute(&gone, &[&repository, &files])?;
    }
    if !all_changed {
        let theirs = joined(&all, &|c| format!("s.{c}"), ", ");
        let come = format!(
            "INSERT INTO knotwork.{name} (repo_id, {columns}) SELECT s.repo_id, {theirs} FROM {staging} s WHERE NOT EXISTS \
             (SELECT 1 FROM knotwork.{name} t WHERE t.repo_id = $1 AND {same_key}) ON CONFLICT DO NOTHING"
        );
        written += transaction.execute(&come, &[&repository])?;
    }
    transaction.batch_execute(&format!("TRUNCATE {staging}"))?;
    Ok(written)
}

/// Copies rows into a temporary table; returns its name and their number.
fn stage(
    transaction: &mut Transaction<'_>,
    table: &Table,
    repository: i64,
    fill: impl FnOnce(&mut Rows<'_>),
) -> Result<(String, u64), Failure> {
    let name = table.name;
    let staging = format!("pg_temp.staging_{name}");
    transaction.batch_execute(&format!(
        "CREATE TEMP TABLE IF NOT EXISTS staging_{name} (LIKE knotwork.{name}) ON COMMIT DELETE ROWS"
    ))?;
    let rows = copy(transaction, &staging, table, repository, fill)?;
    Ok((staging, rows))
}

fn copy(
    transaction: &mut Transaction<'_>,
    into: &str,
    table: &Table,
    repository: i64,
    fill: impl FnOnce(&mut Rows<'_>),
) -> Result<u64, Failure> {
    let columns = table.columns;
    let sql = format!("COPY {into} (repo_id, {columns}) FROM STDIN (FORMAT binary)");
    let mut rows = Rows {
        writer: transaction.copy_in(&sql)?,
        buffer: Vec::with_capacity(PIECE + 4_096),
        width: table.width,
        repository,
        failed: None,
    };
    // Signature, no flags, no extension.
    rows.buffer.extend_from_slice(b"PGCOPY\n\xff\r\n\0");
    rows.buffer.extend_from_slice(&[0; 8]);
    fill(&mut rows);
    rows.buffer.extend_from_slice(&(-1i16).to_be_bytes());
    rows.send();
    match rows.failed {
        Some(failure) => Err(failure),
        None => rows.writer.finish(),
    }
}

impl Rows<'_> {
    /// Begins a row; its columns follow in the order of the table.
    pub(crate) fn begin(&mut self) -> &mut Self {
        if self.buffer.len() >= PIECE {
            self.send();
        }
        let (width, repository) = (self.width, self.repository);
        self.buffer.extend_from_slice(&width.to_be_bytes());
        self.long(repository)
    }

    fn send(&mut self) {
        let part = std::mem::replace(&mut self.buffer, Vec::with_capacity(PIECE + 4_096));
        if self.failed.is_none() {
            self.failed = self.writer.send(part).err();
        }
    }

    fn field(&mut self, bytes: &[u8]) -> &mut Self {
        let length = bytes.len() as i32;
        self.buffer.extend_from_slice(&length.to_be_bytes());
        self.buffer.extend_from_slice(bytes);
        self
    }

    fn null(&mut self) -> &mut Self {
        self.buffer.extend_from_slice(&(-1i32).to_be_bytes());
        self
    }

    /// Appends a text. PostgreSQL cannot store the character 0 in texts: U+FFFD replaces it.
    pub(crate) fn text(&mut self, text: &str) -> &mut Self {
        if text.as_bytes().contains(&0) {
            return self.field(text.replace('\0', "\u{fffd}").as_bytes());
        }
        self.field(text.as_bytes())
    }

    pub(crate) fn text_or_null(&mut self, text: Option<&str>) -> &mut Self {
        match text {
            Some(text) => self.text(text),
            None => self.null(),
        }
    }

    pub(crate) fn long(&mut self, number: i64) -> &mut Self {
        self.field(&number.to_be_bytes())
    }

    /// Appends a 32-bit number. Its bits are kept, whatever its sign.
    pub(crate) fn int(&mut self, number: u32) -> &mut Self {
        self.field(&number.to_be_bytes())
    }

    pub(crate) fn int_or_null(&mut self, number: Option<u32>) -> &mut Self {
        match number {
            Some(number) => self.int(number),
            None => self.null(),
        }
    }

    pub(crate) fn short(&mut self, number: u8) -> &mut Self {
        self.small(i16::from(number))
    }

    /// Appends a 16-bit number.
    pub(crate) fn small(&mut self, number: i16) -> &mut Self {
        self.field(&number.to_be_bytes())
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.field(bytes)
    }

    /// Appends a vector of pgvector.
    pub(crate) fn vector(&mut self, values: &[f32]) -> &mut Self {
        let mut bytes = Vec::with_capacity(4 + 4 * values.len());
        bytes.extend_from_slice(&(values.len() as u16).to_be_bytes());
        bytes.extend_from_slice(&[0, 0]);
        values
            .iter()
            .for_each(|value| bytes.extend_from_slice(&value.to_be_bytes()));
        self.field(&bytes)
    }

    pub(crate) fn short_or_null(&mut self, number: Option<u8>) -> &mut Self {
        match number {
            Some(number) => self.short(number),
            None => self.null(),
        }
    }

    pub(crate) fn real_or_null(&mut self, number: Option<f64>) -> &mut Self {
        match number {
            Some(number) => self.field(&number.to_be_bytes()),
            None => self.null(),
        }
    }
}
