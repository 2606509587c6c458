//! Searches texts: words by an inverted table, vectors by pgvector.
//!
//! Every question concerns one repository, and each index begins with it. Vectors are compared exactly, over the whole
//! repository: an approximate index over the vectors of all repositories would find those of others, and leave few or
//! none.

use crate::PostgresStore;
use crate::client::{Client, Extent, Parameter};
use crate::error::Failure;
use crate::read::Read;
use store::StoreError;
use store::texts::{
    ChunkNearness, NearestTexts, OnlyTexts, SearchTexts, TEXT_FIELDS, TextNumber, TextOutline,
    TextTotals, WordCounts, WordPlaces, WordWeight,
};
use tokio_postgres::Row;

type StoreResult<T> = Result<T, StoreError>;

/// Scores of words are stored in this many steps.
pub(crate) const STEPS: f32 = 10_000.0;

/// Most files of one word that are counted to choose among repositories.
const COUNTED: i64 = 100;

/// Most words of a question that are looked up to choose among repositories.
const MOST_WORDS: usize = 32;

/// Selects the schema of pgvector, quoted for use in statements.
pub(crate) const VECTOR_SCHEMA: &str = "SELECT quote_ident(n.nspname) FROM pg_extension e \
     JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector'";

/// Whether there is a table of vectors that has vectors in it. A table that lacks the column counts as none, and is made anew by
/// the next publication.
pub(crate) const HAS_VECTORS: &str = "EXISTS (SELECT 1 FROM pg_attribute \
     WHERE attrelid = to_regclass('knotwork.vectors') AND attname = 'embedding' AND NOT attisdropped)";

/// The schema of pgvector; `None` if there is no table of vectors.
pub(crate) fn vector_schema(client: &mut Client) -> Result<Option<String>, Failure> {
    let sql = format!("{VECTOR_SCHEMA} AND {HAS_VECTORS}");
    let found = client.query_opt(&sql, &[])?;
    Ok(found.map(|row| row.try_get(0)).transpose()?)
}

/// The product of each vector with the parameter `$2`, which is parsed once.
fn product(schema: &str) -> String {
    format!("-(embedding OPERATOR({schema}.<#>) (SELECT $2::real[]::{schema}.vector))")
}

/// The stored form of the counts in the name of a file and in its folders.
pub(crate) fn path_code([stem, folders]: [u8; 2]) -> i16 {
    i16::from_be_bytes([folders, stem])
}

fn path_counts(code: i16) -> [u8; 2] {
    let [folders, stem] = code.to_be_bytes();
    [stem, folders]
}

impl PostgresStore {
    /// The schema of pgvector, and the number of chunks; `None` if this repository has no vectors.
    fn vectors(&self) -> StoreResult<Option<(String, i64)>> {
        let sql = format!(
            "SELECT ({VECTOR_SCHEMA}), chunks FROM knotwork.searchable \
             WHERE repo_id = $1 AND has_vectors AND {HAS_VECTORS}"
        );
        let found = self.all(&sql, &[], |row| {
            let schema: Option<String> = row.try_get(0)?;
            let chunks: i64 = row.try_get(1)?;
            Ok(schema.map(|schema| (schema, chunks)))
        })?;
        Ok(found.into_iter().next().flatten())
    }
}

fn totals(row: &Row) -> Read<TextTotals> {
    let count = |at: usize| -> Read<u64> { Ok(row.try_get::<_, i64>(at)? as u64) };
    let kept: Vec<i64> = row.try_get(2)?;
    let mut lengths = [0; TEXT_FIELDS];
    for (length, kept) in lengths.iter_mut().zip(kept) {
        *length = kept as u64;
    }
    Ok(TextTotals {
        files: count(0)?,
        chunks: count(1)?,
        lengths,
        most_users: row.try_get::<_, i32>(3)? as u32,
        model: row.try_get(4)?,
        dimensions: row.try_get::<_, i32>(5)? as u32,
        version: row.try_get::<_, i32>(6)? as u32,
    })
}

impl SearchTexts for PostgresStore {
    fn text_totals(&self) -> StoreResult<Option<TextTotals>> {
        let sql = "SELECT files, chunks, lengths, most_users, model, dimensions, version FROM knotwork.searchable WHERE repo_id = $1";
        Ok(self.all(sql, &[], totals)?.pop())
    }

    fn count_words(&self, words: &[&str]) -> StoreResult<Vec<WordCounts>> {
        let sql = "SELECT word, count(*), sum(chunks)::bigint, count(*) FILTER (WHERE path <> 0) FROM knotwork.words \
                   WHERE repo_id = $1 AND word = ANY($2) GROUP BY word";
        let found = self.all(sql, &[&words], |row| {
            let count = |at| -> Read<u64> { Ok(row.try_get::<_, i64>(at)? as u64) };
            let counts = WordCounts {
                files: count(1)?,
                chunks: count(2)?,
                paths: count(3)?,
            };
            Ok((row.try_get::<_, String>(0)?, counts))
        })?;
        let known: rustc_hash::FxHashMap<String, WordCounts> = found.into_iter().collect();
        let of = |word: &&str| known.get(*word).copied().unwrap_or_default();
        Ok(words.iter().map(of).collect())
    }

    fn known_words(&self, words: &[&str]) -> StoreResult<Vec<String>> {
        let sql = "SELECT k.word FROM unnest($2::text[]) AS k (word) WHERE EXISTS \
                   (SELECT 1 FROM knotwork.words w WHERE w.repo_id = $1 AND w.word = k.word AND w.chunks > 0)";
        self.all(sql, &[&words], |row| row.try_get(0))
    }

    fn best_by_words(
        &self,
        words: &[WordWeight<'_>],
        (chunk_share, file_share): (f32, f32),
        only: OnlyTexts<'_>,
        most: usize,
    ) -> StoreResult<Vec<TextNumber>> {
        let among = only.map_or("", |_| "WHERE w.number = ANY($9)");
        let sql = format!(
            "WITH given AS MATERIALIZED \
               (SELECT * FROM unnest($2::text[], $3::real[], $4::real[], $5::real[]) AS g (word, chunk, file, path)), \
             scored AS (SELECT w.number, sum(w.chunk_says * g.chunk) AS chunk, sum(w.file_says * g.file) AS file, \
                 sum(CASE WHEN w.path <> 0 THEN g.path ELSE 0 END) AS path \
               FROM given g JOIN knotwork.words w ON w.repo_id = $1 AND w.word = g.word {among} GROUP BY w.number) \
             SELECT number FROM scored ORDER BY $6::real * chunk / greatest(max(chunk) OVER (), 1e-6) \
               + $7::real * file / greatest(max(file) OVER (), 1e-6) + path DESC, number LIMIT $8"
        );
        let texts: Vec<&str> = words.iter().map(|w| w.word).collect();
        let chunks: Vec<f32> = words.iter().map(|w| w.chunk).collect();
        let files: Vec<f32> = words.iter().map(|w| w.file).collect();
        let paths: Vec<f32> = words.iter().map(|w| w.path).collect();
        let most = most as i64;
        let mut given: Vec<Parameter<'_>> = vec![
            &texts,
            &chunks,
            &files,
            &paths,
            &chunk_share,
            &file_share,
            &most,
        ];
        given.extend(only.as_ref().map(|only| only as Parameter<'_>));
        self.all(&sql, &given, |row| row.try_get(0))
    }

    fn nearest(
        &self,
        vector: &[f32],
        only: OnlyTexts<'_>,
        most: usize,
    ) -> StoreResult<Option<NearestTexts>> {
        let Some((schema, chunks)) = self.vectors()? else {
            return Ok(None);
        };
        let among = only.map_or("", |_| "WHERE number = ANY($4)");
        // The sums are over all files, whichever are searched. Without the OFFSET, each product would be computed for
        // each of its uses.
        let sql = format!(
            "SELECT number, total, squares FROM \
               (SELECT number, max(near) AS near, sum(sum(near)) OVER () AS total, sum(sum(near * near)) OVER () AS squares FROM \
                 (SELECT number, {} AS near FROM knotwork.vectors WHERE repo_id = $1 OFFSET 0) AS each_chunk GROUP BY number) AS each_file \
             {among} ORDER BY near DESC, number LIMIT $3",
            product(&schema)
        );
        let most = most as i64;
        let mut given: Vec<Parameter<'_>> = vec![&vector, &most];
        given.extend(only.as_ref().map(|only| only as Parameter<'_>));
        let found = self.all(&sql, &given, |row| {
            let sums: (f64, f64) = (row.try_get(1)?, row.try_get(2)?);
            Ok((row.try_get(0)?, sums))
        })?;
        let (total, squares) = found.first().map_or((0.0, 0.0), |(_, sums)| *sums);
        let chunks = chunks.max(1) as f64;
        let mean = total / chunks;
        Ok(Some(NearestTexts {
            files: found.into_iter().map(|(number, _)| number).collect(),
            mean,
            deviation: (squares / chunks - mean * mean).max(0.0).sqrt(),
        }))
    }

    fn nearness(&self, vector: &[f32], files: &[TextNumber]) -> StoreResult<Vec<ChunkNearness>> {
        let Some((schema, _)) = self.vectors()? else {
            return Ok(Vec::new());
        };
        let sql = format!(
            "SELECT number, chunk, ({})::real FROM knotwork.vectors WHERE repo_id = $1 AND number = ANY($3)",
            product(&schema)
        );
        self.all(&sql, &[&vector, &files], |row| {
            Ok(ChunkNearness {
                file: row.try_get(0)?,
                chunk: row.try_get::<_, i32>(1)? as u32,
                product: row.try_get(2)?,
            })
        })
    }

    fn outlines(&self, files: &[TextNumber]) -> StoreResult<Vec<TextOutline>> {
        let sql = "SELECT number, path, users, outline FROM knotwork.texts WHERE repo_id = $1 AND number = ANY($2)";
        self.all(sql, &[&files], |row| {
            Ok(TextOutline {
                number: row.try_get(0)?,
                path: row.try_get(1)?,
                users: row.try_get::<_, i32>(2)? as u32,
                outline: row.try_get(3)?,
            })
        })
    }

    fn word_places(&self, words: &[&str], files: &[TextNumber]) -> StoreResult<Vec<WordPlaces>> {
        let sql = "SELECT number, word, path, postings FROM knotwork.words WHERE repo_id = $1 AND word = ANY($2) AND number = ANY($3)";
        self.all(sql, &[&words, &files], |row| {
            Ok(WordPlaces {
                number: row.try_get(0)?,
                word: row.try_get(1)?,
                path: path_counts(row.try_get(2)?),
                postings: row.try_get(3)?,
            })
        })
    }

    fn paths(&self) -> StoreResult<Vec<(TextNumber, String)>> {
        let sql = "SELECT number, path FROM knotwork.texts WHERE repo_id = $1";
        self.all_of(Extent::Repository, sql, &[], |row| {
            Ok((row.try_get(0)?, row.try_get(1)?))
        })
    }

    fn text(&self, path: &str) -> StoreResult<Option<String>> {
        let sql = "SELECT content FROM knotwork.texts WHERE repo_id = $1 AND path = $2";
        Ok(self.all(sql, &[&path], |row| row.try_get(0))?.pop())
    }
}

/// The repositories with the highest scores for the words. A word's score depends on how rare it is among repositories,
/// and on how many files have it. Of a long question, the first words count.
pub(crate) fn most_promising(
    client: &mut Client,
    repositories: &[String],
    words: &[&str],
    most: usize,
) -> Result<Vec<String>, Failure> {
    let words = &words[..words.len().min(MOST_WORDS)];
    let sql = "SELECT r.name, k.at, counted.files FROM knotwork.repositories r \
               CROSS JOIN unnest($2::text[]) WITH ORDINALITY AS k (word, at) \
               CROSS JOIN LATERAL (SELECT count(*) AS files FROM (SELECT 1 FROM knotwork.words w \
                 WHERE w.repo_id = r.repo_id AND w.word = k.word LIMIT $3) AS first) AS counted \
               WHERE r.name = ANY($1) AND r.version > 0 AND counted.files > 0";
    let mut found: Vec<(String, usize, i64)> = Vec::new();
    client.visit(
        sql,
        &[&repositories, &words, &COUNTED],
        Extent::Answer,
        |row| {
            let at: i64 = row.try_get(1)?;
            found.push((row.try_get(0)?, at as usize - 1, row.try_get(2)?));
            Ok(())
        },
    )?;
    let mut with = vec![0usize; words.len()];
    found.iter().for_each(|(_, at, _)| with[*at] += 1);
    let all = repositories.len() as f64;
    let mut scores: rustc_hash::FxHashMap<String, f64> = rustc_hash::FxHashMap::default();
    for (name, at, files) in found {
        let with = with[at] as f64;
        let rare = (1.0 + (all - with + 0.5) / (with + 0.5)).ln();
        let files = files as f64;
        *scores.entry(name).or_default() += rare * files / (files + 2.0);
    }
    let mut scores: Vec<(String, f64)> = scores.into_iter().collect();
    scores.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    scores.truncate(most);
    Ok(scores.into_iter().map(|(name, _)| name).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_paths_come_back() {
        for counts in [[0, 0], [1, 0], [0, 1], [255, 255], [7, 200]] {
            assert_eq!(path_counts(path_code(counts)), counts);
            assert_eq!(path_code(counts) == 0, counts == [0, 0]);
        }
    }
}
