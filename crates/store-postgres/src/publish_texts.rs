//! Publishes texts: files whose text, outline or vectors differ are written anew, the others stay.

use crate::client::{Extent, Transaction};
use crate::copy::{Existing, Table, insert};
use crate::error::Failure;
use crate::texts::{STEPS, path_code, vector_schema};
use crate::write;
use rustc_hash::FxHashMap;
use store::StoreError;
use store::texts::{TextFile, TextNumber, TextSource, TextStamp, TextWord};

const TEXTS: Table = Table {
    name: "texts",
    columns: "number, path, hash, users, outline, content",
    key: "number",
    width: 7,
};

const WORDS: Table = Table {
    name: "words",
    columns: "number, chunks, path, chunk_says, file_says, word, postings",
    key: "number, word",
    width: 8,
};

const VECTORS: Table = Table {
    name: "vectors",
    columns: "number, chunk, embedding",
    key: "number, chunk",
    width: 4,
};

/// Most files in memory at the same time, and about the most bytes of them.
const TOGETHER: usize = 1_024;
const MOST_BYTES: usize = 32 << 20;

/// The longest word that a database index accepts, in bytes.
const LONGEST_WORD: usize = 1_000;

/// The published texts of the repository.
struct PublishedTexts {
    /// Number and stamp of each file.
    files: FxHashMap<String, (TextNumber, TextStamp)>,
    next: TextNumber,
}

/// Report of a write.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct WrittenTexts {
    /// Rows written.
    pub(crate) rows: u64,
    /// Whether anything changed.
    pub(crate) is_changed: bool,
    /// Whether any chunk has a vector.
    pub(crate) has_vectors: bool,
}

/// Makes the texts of a repository equal to those of a source.
pub(crate) fn write_texts(
    transaction: &mut Transaction<'_>,
    repository: i64,
    from: &dyn TextSource,
) -> Result<WrittenTexts, Failure> {
    let has_vectors = from.totals().dimensions > 0 && vector_schema(transaction)?.is_some();
    let fingerprint = fingerprint(from, has_vectors);
    let sql = "SELECT fingerprint, version, model, has_vectors FROM knotwork.searchable WHERE repo_id = $1";
    let mut is_of_this_form = false;
    if let Some(row) = transaction.query_opt(sql, &[&repository])? {
        let is_whole = are_rows_as_written(transaction, repository, has_vectors)?;
        if is_whole && row.try_get::<_, i64>(0)? == fingerprint {
            return Ok(WrittenTexts::default());
        }
        is_of_this_form = is_whole
            && row.try_get::<_, i32>(1)? as u32 == from.totals().version
            && row.try_get::<_, &str>(2)? == from.totals().model
            && row.try_get::<_, bool>(3)? == has_vectors;
    }
    crate::apply::begin_bulk(transaction)?;
    if !is_of_this_form {
        remove_texts(transaction, repository)?;
    }
    let there = read_there(transaction, repository)?;
    let (mut rows, is_whole) =
        write_differences(transaction, repository, from, (there, has_vectors))?;
    // Files that were left out are looked for by the next publication, even if nothing else differs.
    let fingerprint = if is_whole { fingerprint } else { !fingerprint };
    rows += write_totals(transaction, repository, from, (fingerprint, has_vectors))?;
    let sum = checksum(transaction, repository, has_vectors)?;
    write::set_metadata(transaction, repository, CHECKSUM, &sum)?;
    Ok(WrittenTexts {
        rows,
        is_changed: true,
        has_vectors,
    })
}

/// The entry of the metadata with the checksum of the rows as they were last written.
const CHECKSUM: &str = "texts_checksum";

/// Whether the rows of texts are those that a publication left. Rows that somebody or something changed since are written anew.
/// Rows of an earlier version, which has left no checksum, count as they are.
fn are_rows_as_written(
    transaction: &mut Transaction<'_>,
    repository: i64,
    has_vectors: bool,
) -> Result<bool, Failure> {
    let sql = "SELECT value FROM knotwork.metadata WHERE repo_id = $1 AND key = $2";
    let known = transaction.query_opt(sql, &[&repository, &CHECKSUM])?;
    let Some(known) = known else {
        return Ok(true);
    };
    let known: String = known.try_get(0)?;
    // The server reads all rows, which may take longer than another statement.
    crate::apply::begin_bulk(transaction)?;
    Ok(known == checksum(transaction, repository, has_vectors)?)
}

/// A checksum of the rows of texts and words, made by the server, and the number of vectors. It does not depend on the order of
/// rows.
fn checksum(
    transaction: &mut Transaction<'_>,
    repository: i64,
    has_vectors: bool,
) -> Result<String, Failure> {
    const TEXTS: &str = "number, path, hash, users, md5(outline), md5(content)";
    const WORDS: &str = "number, chunks, path, chunk_says, file_says, word, md5(postings)";
    const NUMBERS: &str = "number, chunk";
    let mut tables = vec![("texts", TEXTS), ("words", WORDS)];
    if has_vectors {
        tables.push(("vectors", NUMBERS));
    }
    let mut sums = Vec::new();
    for (table, columns) in tables {
        let sql = format!(
            "SELECT coalesce(sum(hashtextextended(concat_ws(' ', {columns}), 0)::numeric), 0)::text \
             FROM knotwork.{table} WHERE repo_id = $1"
        );
        sums.push(
            transaction
                .query_one(&sql, &[&repository])?
                .try_get::<_, String>(0)?,
        );
    }
    Ok(sums.join(" "))
}

/// Removes the texts of a repository, if it has any.
pub(crate) fn withdraw_texts(
    transaction: &mut Transaction<'_>,
    repository: i64,
) -> Result<WrittenTexts, Failure> {
    let sql = "SELECT 1 FROM knotwork.searchable WHERE repo_id = $1";
    let is_changed = transaction.query_opt(sql, &[&repository])?.is_some();
    if is_changed {
        crate::apply::begin_bulk(transaction)?;
        remove_texts(transaction, repository)?;
    }
    Ok(WrittenTexts {
        is_changed,
        ..WrittenTexts::default()
    })
}

/// Removes all texts of a repository.
pub(crate) fn remove_texts(
    transaction: &mut Transaction<'_>,
    repository: i64,
) -> Result<(), Failure> {
    let mut tables = vec!["words", "texts", "searchable"];
    if vector_schema(transaction)?.is_some() {
        tables.push("vectors");
    }
    for table in tables {
        let sql = format!("DELETE FROM knotwork.{table} WHERE repo_id = $1");
        transaction.execute(&sql, &[&repository])?;
    }
    Ok(())
}

fn fingerprint(from: &dyn TextSource, has_vectors: bool) -> i64 {
    let totals = from.totals();
    let mut hasher = blake3::Hasher::new();
    hasher.update(format!("{totals:?} {has_vectors}").as_bytes());
    for (path, stamp) in from.stamps() {
        hasher.update(path.as_bytes());
        hasher.update(&[0]);
        hasher.update(&stamp.hash.to_le_bytes());
        hasher.update(&stamp.users.to_le_bytes());
    }
    let mut first = [0; 8];
    first.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
    i64::from_le_bytes(first)
}

fn read_there(
    transaction: &mut Transaction<'_>,
    repository: i64,
) -> Result<PublishedTexts, Failure> {
    let sql = "SELECT number, path, hash, users FROM knotwork.texts WHERE repo_id = $1";
    let mut there = PublishedTexts {
        files: FxHashMap::default(),
        next: 0,
    };
    transaction.visit(sql, &[&repository], Extent::Repository, |row| {
        let number: TextNumber = row.try_get(0)?;
        let stamp = TextStamp {
            hash: row.try_get::<_, i64>(2)? as u64,
            users: row.try_get::<_, i32>(3)? as u32,
        };
        there.next = there.next.max(number + 1);
        there.files.insert(row.try_get(1)?, (number, stamp));
        Ok(())
    })?;
    Ok(there)
}

/// Returns the number of rows written, and whether no file changed meanwhile.
fn write_differences(
    transaction: &mut Transaction<'_>,
    repository: i64,
    from: &dyn TextSource,
    (mut there, has_vectors): (PublishedTexts, bool),
) -> Result<(u64, bool), Failure> {
    let mut numbers: FxHashMap<&str, TextNumber> = FxHashMap::default();
    let (mut changed, mut gone): (Vec<&str>, Vec<TextNumber>) = (Vec::new(), Vec::new());
    let (mut used, mut users): (Vec<TextNumber>, Vec<i32>) = (Vec::new(), Vec::new());
    for (path, stamp) in from.stamps() {
        let number = match there.files.remove(path) {
            Some((number, known)) if known.hash == stamp.hash => {
                if known.users != stamp.users {
                    used.push(number);
                    users.push(stamp.users as i32);
                }
                continue;
            }
            Some((number, _)) => {
                gone.push(number);
                number
            }
            None => {
                there.next += 1;
                there.next - 1
            }
        };
        changed.push(path);
        numbers.insert(path, number);
    }
    gone.extend(there.files.values().map(|(number, _)| *number));
    remove_files(transaction, repository, &gone, has_vectors)?;
    let (mut batch, mut taken) = (Batch::default(), 0);
    let (mut rows, mut failed) = (0, None);
    let mut write = |batch: &mut Batch| {
        let files = std::mem::take(batch).files;
        let written = write_files(transaction, repository, &files, has_vectors);
        written.map(|written| rows += written)
    };
    let read = from.read(&changed, &mut |file| {
        if let Some(number) = numbers.get(file.path.as_str()) {
            batch.push(*number, file);
            taken += 1;
        }
        if !batch.is_full() {
            return Ok(());
        }
        write(&mut batch).map_err(|failure| {
            failed = Some(failure);
            StoreError::Backend {
                context: "publishing texts".to_owned(),
                reason: "a table cannot be written".to_owned(),
            }
        })
    });
    if let Some(failure) = failed {
        return Err(failure);
    }
    read?;
    write(&mut batch)?;
    let is_whole = taken == changed.len();
    if !used.is_empty() {
        let sql = "UPDATE knotwork.texts t SET users = u.users FROM unnest($2::integer[], $3::integer[]) AS u (number, users) \
                   WHERE t.repo_id = $1 AND t.number = u.number";
        rows += transaction.execute(sql, &[&repository, &used, &users])?;
    }
    Ok((rows, is_whole))
}

/// Files that are written together.
#[derive(Default)]
struct Batch {
    files: Vec<(TextNumber, TextFile)>,
    bytes: usize,
}

impl Batch {
    fn push(&mut self, number: TextNumber, file: TextFile) {
        let words = file.words.iter();
        let words = words.map(|w| size_of::<TextWord>() + 32 + w.word.len() + w.postings.len());
        let vectors = file.vectors.iter();
        let vectors = vectors.map(|(_, vector)| 32 + size_of_val(vector.as_slice()));
        self.bytes += file.text.len() + file.outline.len();
        self.bytes += words.sum::<usize>() + vectors.sum::<usize>();
        self.files.push((number, file));
    }

    fn is_full(&self) -> bool {
        self.files.len() >= TOGETHER || self.bytes >= MOST_BYTES
    }
}

fn remove_files(
    transaction: &mut Transaction<'_>,
    repository: i64,
    files: &[TextNumber],
    has_vectors: bool,
) -> Result<(), Failure> {
    if files.is_empty() {
        return Ok(());
    }
    let tables = ["words", "texts", "vectors"];
    for table in &tables[..if has_vectors { 3 } else { 2 }] {
        let sql = format!("DELETE FROM knotwork.{table} WHERE repo_id = $1 AND number = ANY($2)");
        transaction.execute(&sql, &[&repository, &files])?;
    }
    Ok(())
}

fn write_files(
    transaction: &mut Transaction<'_>,
    repository: i64,
    files: &[(TextNumber, TextFile)],
    has_vectors: bool,
) -> Result<u64, Failure> {
    let mut written = insert(transaction, &TEXTS, repository, Existing::None, |rows| {
        for (number, file) in files {
            let row = rows.begin().int(*number as u32).text(&file.path);
            let row = row.long(file.stamp.hash as i64).int(file.stamp.users);
            row.bytes(&file.outline).text(&file.text);
        }
    })?;
    // Rows of one word are written together, since they are read together.
    let words = files
        .iter()
        .flat_map(|(number, file)| file.words.iter().map(move |word| (number, word)));
    let mut words: Vec<_> = words
        .filter(|(_, word)| word.word.len() <= LONGEST_WORD)
        .collect();
    words.sort_by(|a, b| (&a.1.word, a.0).cmp(&(&b.1.word, b.0)));
    let steps = |says: f32| (says.clamp(0.0, 1.0) * STEPS).round() as i16;
    written += insert(transaction, &WORDS, repository, Existing::None, |rows| {
        for (number, word) in words {
            let row = rows.begin().int(*number as u32).int(word.chunks);
            let row = row.small(path_code(word.path));
            let row = row
                .small(steps(word.chunk_says))
                .small(steps(word.file_says));
            row.text(&word.word).bytes(&word.postings);
        }
    })?;
    if has_vectors {
        written += insert(transaction, &VECTORS, repository, Existing::None, |rows| {
            for (number, file) in files {
                for (chunk, vector) in &file.vectors {
                    let row = rows.begin().int(*number as u32).int(*chunk);
                    row.vector(vector);
                }
            }
        })?;
    }
    Ok(written)
}

fn write_totals(
    transaction: &mut Transaction<'_>,
    repository: i64,
    from: &dyn TextSource,
    (fingerprint, has_vectors): (i64, bool),
) -> Result<u64, Failure> {
    let totals = from.totals();
    let lengths: Vec<i64> = totals.lengths.iter().map(|n| *n as i64).collect();
    let sql = "INSERT INTO knotwork.searchable \
               (repo_id, fingerprint, has_vectors, files, chunks, lengths, most_users, model, dimensions, version) \
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (repo_id) DO UPDATE SET fingerprint = $2, has_vectors = $3, \
               files = $4, chunks = $5, lengths = $6, most_users = $7, model = $8, dimensions = $9, version = $10";
    transaction.execute(
        sql,
        &[
            &repository,
            &fingerprint,
            &has_vectors,
            &(totals.files as i64),
            &(totals.chunks as i64),
            &lengths,
            &(totals.most_users as i32),
            &totals.model,
            &(totals.dimensions as i32),
            &(totals.version as i32),
        ],
    )
}
