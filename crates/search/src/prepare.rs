//! A file read for the index: terms, counts and vectors, ready to be merged. The functions are pure, so
//! the parse stage can call them in parallel.

use crate::comments;
use crate::doc::{ChunkDoc, FileDoc, FileRole};
use crate::embed::{EmbedDoc, EmbedError, Embedder, QuantVec};
use base::varint;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::cell::RefCell;
use text::stem::Stems;
use text::terms::Terms;
use text::tokens::{Token, tokens};

/// Fields of a chunk.
pub(crate) const FIELDS: usize = 4;
/// Names of the definitions inside.
pub(crate) const NAME: usize = 0;
/// Signatures, and the name of the definition around the chunk.
pub(crate) const SIGNATURE: usize = 1;
/// Comments and documentation.
pub(crate) const DOC: usize = 2;
/// The whole text.
pub(crate) const BODY: usize = 3;

/// Fields of a file's path.
pub(crate) const PATH_FIELDS: usize = 2;
/// The file's name without its ending.
pub(crate) const STEM: usize = 0;
/// Its folders.
pub(crate) const FOLDERS: usize = 1;

/// A file ready for [`crate::index::commit`].
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Prepared {
    pub(crate) path: String,
    pub(crate) language: String,
    pub(crate) role: FileRole,
    pub(crate) hash: u64,
    /// Whether most of its lines import or re-export.
    pub(crate) stub: bool,
    pub(crate) chunks: Vec<PreparedChunk>,
    /// Distinct terms in byte order.
    pub(crate) terms: Vec<PreparedTerm>,
    pub(crate) text: String,
    pub(crate) postings: Vec<u8>,
    pub(crate) vectors: Vec<QuantVec>,
}

/// The data of a chunk in the index, besides its terms.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct PreparedChunk {
    pub(crate) start_line: u32,
    pub(crate) end_line: u32,
    pub(crate) hash: u32,
    pub(crate) lengths: [u16; FIELDS],
    pub(crate) container: String,
    pub(crate) definitions: Vec<Definition>,
}

/// A definition as it is in the index.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Definition {
    /// The name.
    pub name: String,
    /// The kind, as a word.
    pub kind: String,
    /// First line.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
    /// Whether other files can use it.
    pub exported: bool,
}

/// A term of one file: the ranges of its text and its postings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PreparedTerm {
    pub(crate) text: (u32, u32),
    pub(crate) path: [u8; PATH_FIELDS],
    pub(crate) postings: (u32, u32),
    pub(crate) count: u32,
}

impl Prepared {
    /// The path of the file.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The hash that the caller gave with the file.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The approximate bytes that it takes in memory.
    pub fn memory_size(&self) -> u64 {
        use std::mem::size_of;
        let chunk = |chunk: &PreparedChunk| {
            let defs = chunk.definitions.iter();
            let defs = defs.map(|d| d.name.len() + d.kind.len() + 16 + size_of::<Definition>());
            chunk.container.len() + defs.sum::<usize>() + size_of::<PreparedChunk>()
        };
        let chunks: usize = self.chunks.iter().map(chunk).sum();
        let vectors = self.vectors.iter();
        let vectors: usize = vectors
            .map(|v| v.values.len() + 8 + size_of::<QuantVec>())
            .sum();
        let terms = self.terms.len() * size_of::<PreparedTerm>();
        let flat = self.path.len() + self.text.len() + self.postings.len() + terms;
        (chunks + vectors + flat + size_of::<Prepared>()) as u64
    }

    /// The same file under another path, with the words of its old path. For benchmarks that repeat
    /// a repository.
    pub fn renamed(&self, path: String) -> Prepared {
        Prepared {
            path,
            ..self.clone()
        }
    }

    pub(crate) fn term_text(&self, term: &PreparedTerm) -> &str {
        &self.text[term.text.0 as usize..term.text.1 as usize]
    }

    /// Sets the vectors of an embedder that was called separately, in the order of [`embed_inputs`].
    ///
    /// Returns false and changes nothing if their number is wrong.
    pub fn set_vectors(&mut self, vectors: Vec<QuantVec>) -> bool {
        let fits = vectors.len() == self.chunks.len();
        if fits {
            self.vectors = vectors;
        }
        fits
    }
}

thread_local! {
    static STEMS: RefCell<Stems> = RefCell::new(Stems::new());
    static TERMS: RefCell<ThreadTerms> = RefCell::new(ThreadTerms::new());
}

/// The terms that a thread remembers from file to file.
struct ThreadTerms {
    terms: Terms,
    /// For each term: its number in the present file plus 1; 0 if the file does not have it.
    in_file: Vec<u32>,
    /// Whether a file is being read, or reading one was aborted.
    busy: bool,
}

impl ThreadTerms {
    fn new() -> ThreadTerms {
        ThreadTerms {
            terms: Terms::new(),
            in_file: Vec::new(),
            busy: false,
        }
    }

    fn begin_file(&mut self) {
        self.terms.forget();
        if std::mem::replace(&mut self.busy, true) {
            self.in_file.fill(0);
        }
    }
}

/// Runs `f` with this thread's stems.
pub(crate) fn with_stems<R>(f: impl FnOnce(&mut Stems) -> R) -> R {
    STEMS.with_borrow_mut(f)
}

/// Reads a file for the index. Without an embedder the file gets no vectors.
pub fn prepare(
    file: &FileDoc<'_>,
    embedder: Option<&dyn Embedder>,
) -> Result<Prepared, EmbedError> {
    let texts: Vec<&str> = file.chunks.iter().map(without_licence).collect();
    let vectors = match embedder {
        Some(embedder) => {
            let documents = embed_docs(file, &texts);
            let inputs: Vec<EmbedDoc<'_>> = documents.iter().map(EmbedInput::as_doc).collect();
            embedder.embed_documents(&inputs)?
        }
        None => Vec::new(),
    };
    let mut prepared = TERMS.with_borrow_mut(|known| {
        known.begin_file();
        FileTermReader::new(file, known).read(&texts)
    });
    prepared.set_vectors(vectors);
    Ok(prepared)
}

/// The input of an embedder for a chunk, owned.
pub struct EmbedInput<'a> {
    code: &'a str,
    names: String,
    path: &'a str,
}

impl EmbedInput<'_> {
    /// The input, borrowed.
    pub fn as_doc(&self) -> EmbedDoc<'_> {
        EmbedDoc {
            code: self.code,
            names: &self.names,
            path: self.path,
        }
    }
}

/// The inputs of an embedder for all chunks of a file, for embedders that are called separately from
/// [`prepare`].
pub fn embed_inputs<'a>(file: &FileDoc<'a>) -> Vec<EmbedInput<'a>> {
    let texts: Vec<&'a str> = file.chunks.iter().map(without_licence).collect();
    embed_docs(file, &texts)
}

fn embed_docs<'a>(file: &FileDoc<'a>, texts: &[&'a str]) -> Vec<EmbedInput<'a>> {
    let chunks = file.chunks.iter().zip(texts).map(|(chunk, text)| {
        let mut names = chunk.container.to_owned();
        for def in chunk.definitions.iter().take(8) {
            names.push(' ');
            names.push_str(def.name);
        }
        EmbedInput {
            code: text,
            names,
            path: file.path,
        }
    });
    chunks.collect()
}

/// The text of a chunk without a licence at the head of the file.
fn without_licence<'a>(chunk: &ChunkDoc<'a>) -> &'a str {
    if chunk.start_line > 1 {
        return chunk.text;
    }
    let lines = comments::leading_licence_len(chunk.text);
    let skip: usize = chunk
        .text
        .split_inclusive('\n')
        .take(lines)
        .map(str::len)
        .sum();
    &chunk.text[skip..]
}

/// The terms of one file by number, with the counts of the chunk that is being read.
struct FileTermReader<'f, 's> {
    file: &'f FileDoc<'f>,
    known: &'s mut ThreadTerms,
    /// The thread's number of each term of the file.
    terms: Vec<u32>,
    /// Identifiers seen, as ranges of `term_numbers`.
    identifiers: FxHashMap<&'f str, (u32, u32)>,
    term_numbers: Vec<u32>,
    counts: Vec<[u16; FIELDS]>,
    touched: Vec<u32>,
    /// Term, chunk and counts, in order of chunks.
    mentions: Vec<(u32, u32, [u16; FIELDS])>,
    path: Vec<[u8; PATH_FIELDS]>,
}

impl<'f, 's> FileTermReader<'f, 's> {
    fn new(file: &'f FileDoc<'f>, known: &'s mut ThreadTerms) -> FileTermReader<'f, 's> {
        // An estimate of the number of terms, so that the tables seldom grow.
        let bytes: usize = file.chunks.iter().map(|c| c.text.len()).sum();
        FileTermReader {
            file,
            known,
            terms: Vec::new(),
            identifiers: FxHashMap::with_capacity_and_hasher(bytes / 64, FxBuildHasher),
            term_numbers: Vec::new(),
            counts: Vec::new(),
            touched: Vec::new(),
            mentions: Vec::new(),
            path: Vec::new(),
        }
    }

    fn read(mut self, texts: &[&'f str]) -> Prepared {
        self.read_path();
        let mut chunks = Vec::with_capacity(texts.len());
        let mut imports = ImportLineCounter::default();
        for (number, (chunk, text)) in self.file.chunks.iter().zip(texts).enumerate() {
            imports.count_line(text);
            chunks.push(self.read_chunk(number as u32, chunk, text));
        }
        self.finish(chunks, imports.is_mostly_imports())
    }

    fn read_path(&mut self) {
        let (folders, name) = match self.file.path.rsplit_once('/') {
            Some((folders, name)) => (folders, name),
            None => ("", self.file.path),
        };
        let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
        let stem = if stem.is_empty() { name } else { stem };
        for (field, text) in [(STEM, stem), (FOLDERS, folders)] {
            for number in self.term_numbers(text) {
                let count = &mut self.path[number as usize][field];
                *count = count.saturating_add(1);
            }
        }
    }

    fn term_numbers(&mut self, text: &'f str) -> Vec<u32> {
        let mut all = Vec::new();
        tokens(text, |token| match token {
            Token::Identifier(name) => {
                let (from, to) = self.identifier_terms(name);
                all.extend_from_slice(&self.term_numbers[from as usize..to as usize]);
            }
            Token::Bigram(gram) => {
                let number = self.number(gram);
                all.push(number);
            }
        });
        all
    }

    fn identifier_terms(&mut self, name: &'f str) -> (u32, u32) {
        if let Some(range) = self.identifiers.get(name) {
            return *range;
        }
        let from = self.term_numbers.len() as u32;
        let known = &mut *self.known;
        let mut own = FileTermNumbers {
            in_file: &mut known.in_file,
            terms: &mut self.terms,
            counts: &mut self.counts,
            path: &mut self.path,
        };
        let numbers = known
            .terms
            .terms_of(name)
            .iter()
            .map(|term| own.number(*term));
        self.term_numbers.extend(numbers);
        let range = (from, self.term_numbers.len() as u32);
        self.identifiers.insert(name, range);
        range
    }

    fn number(&mut self, term: &str) -> u32 {
        let mut own = FileTermNumbers {
            in_file: &mut self.known.in_file,
            terms: &mut self.terms,
            counts: &mut self.counts,
            path: &mut self.path,
        };
        own.number(self.known.terms.number(term))
    }

    /// Counts the terms of a text into a field, and returns how many there were.
    fn count_terms(&mut self, text: &'f str, field: usize) -> u32 {
        let mut total = 0;
        tokens(text, |token| {
            let range = match token {
                Token::Identifier(name) => self.identifier_terms(name),
                Token::Bigram(gram) => {
                    let at = self.term_numbers.len() as u32;
                    let number = self.number(gram);
                    self.term_numbers.push(number);
                    (at, at + 1)
                }
            };
            for at in range.0..range.1 {
                let number = self.term_numbers[at as usize];
                let counts = &mut self.counts[number as usize];
                if *counts == [0; FIELDS] {
                    self.touched.push(number);
                }
                counts[field] = counts[field].saturating_add(1);
            }
            total += range.1 - range.0;
        });
        total
    }

    fn read_chunk(&mut self, number: u32, chunk: &'f ChunkDoc<'f>, text: &'f str) -> PreparedChunk {
        let mut lengths = [0u32; FIELDS];
        for def in &chunk.definitions {
            lengths[NAME] += self.count_terms(def.name, NAME);
            lengths[SIGNATURE] += self.count_terms(def.signature, SIGNATURE);
            lengths[DOC] += self.count_terms(def.doc, DOC);
        }
        lengths[SIGNATURE] += self.count_terms(chunk.container, SIGNATURE);
        comments::for_each_comment(text, |line| lengths[DOC] += self.count_terms(line, DOC));
        lengths[BODY] += self.count_terms(text, BODY);
        self.flush_counts(number);
        PreparedChunk {
            start_line: chunk.start_line,
            end_line: chunk.end_line,
            hash: content_hash(chunk),
            lengths: lengths.map(|l| u16::try_from(l).unwrap_or(u16::MAX)),
            container: chunk.container.to_owned(),
            definitions: chunk.definitions.iter().map(to_definition).collect(),
        }
    }

    /// Stores the counts of the chunk that was read.
    fn flush_counts(&mut self, chunk: u32) {
        for number in self.touched.drain(..) {
            let counts = std::mem::take(&mut self.counts[number as usize]);
            self.mentions.push((number, chunk, counts));
        }
    }

    /// The mentions grouped by term, each group in order of chunks, and the end of each group.
    fn mentions_by_term(&self) -> (Vec<u32>, Vec<u32>) {
        let mut ends = vec![0u32; self.terms.len()];
        for (number, ..) in &self.mentions {
            ends[*number as usize] += 1;
        }
        let mut sum = 0;
        for end in &mut ends {
            // At first each entry is the beginning of its group; it moves on as mentions are placed.
            sum += std::mem::replace(end, sum);
        }
        let mut sorted = vec![0; self.mentions.len()];
        for (at, (number, ..)) in (0..).zip(&self.mentions) {
            let place = &mut ends[*number as usize];
            sorted[*place as usize] = at;
            *place += 1;
        }
        (sorted, ends)
    }

    fn finish(self, chunks: Vec<PreparedChunk>, stub: bool) -> Prepared {
        let (sorted, ends) = self.mentions_by_term();
        let ThreadTerms {
            terms,
            in_file,
            busy,
        } = self.known;
        let mut order: Vec<(&str, u32)> = (self.terms.iter().zip(0..))
            .map(|(term, number)| (terms.text(*term), number))
            .collect();
        order.sort_unstable();
        let mut prepared = Prepared {
            path: self.file.path.to_owned(),
            language: self.file.language.to_owned(),
            role: self.file.role,
            hash: self.file.hash,
            stub,
            chunks,
            terms: Vec::with_capacity(order.len()),
            text: String::with_capacity(order.iter().map(|(name, _)| name.len()).sum()),
            ..Prepared::default()
        };
        for (name, number) in order {
            let number = number as usize;
            let begin = number.checked_sub(1).map_or(0, |before| ends[before]);
            let mentions = &sorted[begin as usize..ends[number] as usize];
            let start = prepared.text.len() as u32;
            prepared.text.push_str(name);
            let from = prepared.postings.len() as u32;
            let mut last = 0;
            for at in mentions {
                let (_, chunk, counts) = &self.mentions[*at as usize];
                put_posting(&mut prepared.postings, chunk - last, counts);
                last = *chunk;
            }
            prepared.terms.push(PreparedTerm {
                text: (start, prepared.text.len() as u32),
                path: self.path[number],
                postings: (from, prepared.postings.len() as u32),
                count: mentions.len() as u32,
            });
        }
        self.terms
            .iter()
            .for_each(|term| in_file[*term as usize] = 0);
        *busy = false;
        prepared.postings = shrink_to_fit(prepared.postings);
        prepared
    }
}

/// The bytes without unused capacity: allocators do not shrink a block to half.
fn shrink_to_fit(bytes: Vec<u8>) -> Vec<u8> {
    if bytes.capacity() > bytes.len() + bytes.len() / 8 {
        bytes.as_slice().into()
    } else {
        bytes
    }
}

/// Numbers for the thread's terms within one file.
struct FileTermNumbers<'r> {
    in_file: &'r mut Vec<u32>,
    terms: &'r mut Vec<u32>,
    counts: &'r mut Vec<[u16; FIELDS]>,
    path: &'r mut Vec<[u8; PATH_FIELDS]>,
}

impl FileTermNumbers<'_> {
    fn number(&mut self, term: u32) -> u32 {
        let at = term as usize;
        if self.in_file.len() <= at {
            self.in_file.resize(at + 1, 0);
        }
        if self.in_file[at] == 0 {
            self.terms.push(term);
            self.counts.push([0; FIELDS]);
            self.path.push([0; PATH_FIELDS]);
            self.in_file[at] = self.terms.len() as u32;
        }
        self.in_file[at] - 1
    }
}

/// Writes a posting: the distance to the chunk before, then the counts. Most postings are one mention in
/// the body.
pub(crate) fn put_posting(bytes: &mut Vec<u8>, distance: u32, counts: &[u16; FIELDS]) {
    let body_only = counts[..BODY].iter().all(|c| *c == 0);
    let code = match (body_only, counts[BODY]) {
        (true, 1) => 0,
        (true, _) => 1,
        (false, _) => 2,
    };
    varint::write_varint(bytes, u64::from(distance) << 2 | code);
    match code {
        0 => {}
        1 => varint::write_varint(bytes, u64::from(counts[BODY])),
        _ => {
            let mask = (0..FIELDS).fold(0u8, |m, f| m | u8::from(counts[f] > 0) << f);
            bytes.push(mask);
            for count in counts.iter().filter(|c| **c > 0) {
                varint::write_varint(bytes, u64::from(*count));
            }
        }
    }
}

fn to_definition(def: &crate::doc::DefDoc<'_>) -> Definition {
    Definition {
        name: def.name.to_owned(),
        kind: def.kind.to_owned(),
        start_line: def.start_line,
        end_line: def.end_line,
        exported: def.exported,
    }
}

fn content_hash(chunk: &ChunkDoc<'_>) -> u32 {
    let hash = blake3::hash(chunk.text.as_bytes());
    let bytes = hash.as_bytes();
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

/// Counts lines that import or re-export, in any language, to tell stubs from sources.
#[derive(Default)]
struct ImportLineCounter {
    lines: u32,
    imports: u32,
    inside: bool,
}

impl ImportLineCounter {
    fn count_line(&mut self, text: &str) {
        let mut block = comments::OpenBlockComment::None;
        for line in text.lines() {
            let line = line.trim();
            if line.is_empty() || comments::comment_text(line, &mut block).is_some() {
                continue;
            }
            self.lines += 1;
            if self.inside {
                self.imports += 1;
                self.inside = !closes_import(line);
                continue;
            }
            if is_import_line(line) {
                self.imports += 1;
                self.inside = (line.contains('{') || line.contains('(')) && !closes_import(line);
            }
        }
    }

    fn is_mostly_imports(&self) -> bool {
        self.lines > 0 && self.imports * 10 >= self.lines * 8
    }
}

fn closes_import(line: &str) -> bool {
    line.contains('}') || line.contains(')')
}

fn is_import_line(line: &str) -> bool {
    const STARTS: [&str; 14] = [
        "import ",
        "from ",
        "export * ",
        "export {",
        "export type {",
        "pub use ",
        "use ",
        "#include",
        "require",
        "package ",
        "using ",
        "mod ",
        "pub mod ",
        "__all__",
    ];
    STARTS.iter().any(|s| line.starts_with(s)) || line.contains("= require(")
}
