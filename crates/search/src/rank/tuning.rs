//! The tuned numbers of ranking in one table, so that an evaluation can remove each one. All are in docs/tuning.md.

use crate::prepare::{FIELDS, PATH_FIELDS};

/// The relevance below which a hit is noise. Of queries that a repository can answer, one in twenty is below 0.16; of queries about
/// another repository, three in four are below 0.13; nonsense is at 0.
pub const MIN_RELEVANCE: f32 = 0.1;

/// The least relevance of further hits, where one has [`MIN_RELEVANCE`]. Of fifty fresh questions in sentences, the right file was
/// among ten results for 32 without these hits and for 33 with them.
pub const FOLLOWING_RELEVANCE: f32 = 0.04;

/// The neutral value of a limit: it is never reached.
const NONE: f32 = base::tuning::NONE as f32;

base::tuning! {
    /// Numbers of ranking. [`Tuning::default`] is the product's.
    ///
    /// Scores of files are sums. Their unit is the spread of the vectors' cosines over an index, times `vector`. A bonus is neutral
    /// at 0, a factor at 1, and a limit at a value that is never reached.
    pub struct Tuning {
        // Words of chunks and files.
        /// BM25F of chunks: weights of names, signatures, documentation, body. 0 and more.
        chunk_weight: [f32; FIELDS] = [3.0, 1.5, 1.5, 1.0], neutral [0.0; FIELDS];
        /// BM25F of chunks: normalisation by length of the same fields. 0–1.
        chunk_b: [f32; FIELDS] = [0.5, 0.5, 0.5, 0.75], neutral [0.0; FIELDS];
        /// BM25F of chunks: saturation. At 0 a word counts once, however often it stands there.
        k1: f32 = 1.2, neutral 0.0;
        /// BM25F of files: weights of names, signatures, documentation, body. 0 and more.
        file_weight: [f32; FIELDS] = [3.0, 1.0, 1.5, 1.0], neutral [0.0; FIELDS];
        /// BM25F of files: normalisation by length of the same fields. 0–1.
        file_b: [f32; FIELDS] = [0.5, 0.5, 0.5, 0.75], neutral [0.0; FIELDS];
        /// BM25F of files: weights of the file's name and of its folders. 0 and more.
        path_weight: [f32; PATH_FIELDS] = [6.0, 2.0], neutral [0.0; PATH_FIELDS];
        /// BM25F of files: occurrences of a word in a file's name, or in its folders, that count.
        path_count: f32 = 2.0, neutral 1.0;
        /// BM25F of files: saturation.
        file_k1: f32 = 2.0, neutral 0.0;
        /// Weight of two neighbouring words of a query as one name (`real IP` for `RealIP`), beside 1 for a word.
        compound: f32 = 0.6, neutral 0.0;
        /// Weight of words that say the same as one of the query, beside 1 for a word.
        also: f32 = 0.4, neutral 0.0;

        // Evidence of chunks for their file.
        /// Vector of the best chunk, for queries in words. Score for one deviation of the cosines.
        vector: f32 = 0.3, neutral 0.0;
        /// The same where the query is a name or a path.
        vector_symbol: f32 = 0.15, neutral 0.0;
        /// Factor on `vector` where vectors are asked for alone.
        vector_alone: f32 = 2.0, neutral 1.0;
        /// BM25F of the best chunk. Score for the best chunk of the index.
        lexical: f32 = 0.1, neutral 0.0;
        /// BM25F of the file. Score for the best file of the index.
        file: f32 = 1.5, neutral 0.0;
        /// Second best chunk of a file. Factor on its score.
        several: f32 = 1.5, neutral 0.0;
        /// The third best chunk beside the second. Factor.
        several_third: f32 = 0.5, neutral 0.0;
        /// Chunks that are mostly documentation. Score that those lose which are nothing else.
        prose: f32 = 0.2, neutral 0.0;
        /// Share of documentation in a chunk from which on it loses some of `prose`, 0–1.
        prose_least: f32 = 0.5, neutral 0.0;
        /// A chunk has a quoted text, a message or a heading of the query to the letter. Score.
        literal: f32 = 12.0, neutral 0.0;
        /// A piece of a message beside the whole of it. Factor on `literal`.
        literal_piece: f32 = 0.8, neutral 1.0;
        /// A phrase within a line beside one that takes all of it. Factor on `literal`.
        literal_within: f32 = 0.9, neutral 1.0;
        /// Letters of a quoted text, at least.
        literal_quoted_letters: usize = 4, neutral 0;
        /// Words of a heading that is asked for by all of it, at least: shorter ones are topics.
        literal_heading_words: usize = 3, neutral 0;
        /// Words of a text without quotes that may be copied from somewhere, at least.
        literal_copied_words: usize = 4, neutral 0;
        /// Words of a piece of a message, between what changes from case to case, at least.
        literal_piece_words: usize = 3, neutral 0;
        /// Letters of such a piece, at least.
        literal_piece_letters: usize = 12, neutral 0;
        /// What a file's best chunk defines. Factor on what that is worth within the file.
        file_contents: f32 = 0.2, neutral 0.0;
        /// The least that this may be worth before the factor.
        file_contents_least: f32 = -2.0, neutral -NONE;
        /// The most that this may be worth before the factor.
        file_contents_most: f32 = 1.0, neutral NONE;

        // Names that the query gives.
        /// The query names a definition of the file. Score for a name that fits whole.
        definition: f32 = 1.5, neutral 0.0;
        /// Factor on `definition` where the query is a name.
        definition_symbol: f32 = 3.0, neutral 1.0;
        /// One of two names of a query, written as a plain word. Factor.
        name_of_two: f32 = 0.6, neutral 1.0;
        /// One of more names. Factor.
        name_of_many: f32 = 0.3, neutral 1.0;
        /// A name that is written otherwise in capitals. Factor.
        name_case: f32 = 0.8, neutral 1.0;
        /// A name whose words all stand in the query. How well it fits, 0–1.
        name_words: f32 = 0.5, neutral 0.0;
        /// A name of whose words some stand in the query. How well it fits where all did, 0–1.
        name_words_some: f32 = 0.3, neutral 0.0;
        /// How much the share of the query that a name's words make up counts for what they are worth, 0–1.
        name_part: f32 = 0.5, neutral 0.0;
        /// What a word of a name counts that shortens one of the query, 0–1.
        name_short: f32 = 0.7, neutral 0.0;
        /// Letters of a word that may shorten any other, at least: most shorter ones begin others by chance.
        name_short_letters: usize = 4, neutral 0;
        /// Functions, modules and macros, beside 1 for a type. Factor on how well a name fits.
        kind_function: f32 = 0.9, neutral 1.0;
        /// Constants, variables and sections. Factor.
        kind_value: f32 = 0.75, neutral 1.0;
        /// Methods and constructors. Factor.
        kind_method: f32 = 0.7, neutral 1.0;
        /// Blocks of implementation. Factor.
        kind_impl: f32 = 0.55, neutral 1.0;
        /// Every other kind. Factor.
        kind_other: f32 = 0.5, neutral 1.0;
        /// A definition that is not exported. Factor.
        kind_private: f32 = 0.85, neutral 1.0;

        // What a file is.
        /// Words of the file's name that stand in the query. Score for all of them.
        stem: f32 = 1.4, neutral 0.0;
        /// Words of its folder. Score for all of them.
        folder: f32 = 0.35, neutral 0.0;
        /// A word of a path that begins one of the query (`attr`). Share of a whole word, 0–1.
        path_beginning: f32 = 0.75, neutral 0.0;
        /// Letters of such a word, at least: shorter ones begin too many.
        path_beginning_letters: usize = 3, neutral 0;
        /// A word of a path that is initials of the query's words (`fs`). Share of a whole word, 0–1.
        path_initials: f32 = 0.75, neutral 0.0;
        /// Letters of such a word, at least.
        path_initials_letters: usize = 2, neutral 0;
        /// A word of a path that is words run together (`livereload`), of which the query has some. Factor on their share.
        path_joined: f32 = 0.75, neutral 0.0;
        /// Letters of such a word, at least.
        path_joined_letters: usize = 6, neutral 0;
        /// Letters of a word in it, at least.
        path_joined_piece: usize = 3, neutral 0;
        /// Letters of a word of the query that stands in it beside one that the query lacks, at least: shorter ones begin and
        /// end too many.
        path_joined_beside: usize = 4, neutral 0;
        /// How rare a word of a path is that the query lacks, in units of inverse document frequency.
        path_rarity: f32 = 3.0, neutral 1.0;
        /// How rare a word of the query is at least.
        path_rarity_least: f32 = 0.3, neutral 0.0;
        /// The query is this path. Score.
        path: f32 = 6.0, neutral 0.0;
        /// The query is the end of the path. Share of `path`, 0–1.
        path_end: f32 = 0.9, neutral 0.0;
        /// The query stands within the path. Share of `path`, 0–1.
        path_within: f32 = 0.6, neutral 0.0;
        /// Rare words of the query in the path. Score for the rarest word there can be.
        in_path: f32 = 0.7, neutral 0.0;
        /// A word in a folder beside one in the file's name, for `in_path`. Factor.
        in_path_folder: f32 = 0.6, neutral 1.0;
        /// Rarest words in the path that count.
        in_path_most: f32 = 2.5, neutral NONE;
        /// The file has all words of the query. Score.
        coverage: f32 = 0.75, neutral 0.0;
        /// The file defines what is exported. Score.
        exported: f32 = 0.1, neutral 0.0;
        /// Tests, vendored files and configuration. Score that they lose.
        role: f32 = 5.0, neutral 0.0;
        /// Generated files, documents and examples beside these. Factor.
        role_near: f32 = 0.8, neutral 1.0;
        /// Such files where the query has a word of their kind. Factor.
        role_mentioned: f32 = 0.4, neutral 1.0;
        /// Such files where the query is a path. Factor instead of the others.
        role_path: f32 = 0.1, neutral 1.0;
        /// Words of a query whose last word is what it asks for (`parser tests`), at most.
        role_last_of: usize = 3, neutral 0;
        /// Files that only import and re-export. Score that they lose.
        stub: f32 = 0.7, neutral 0.0;
        /// Compatibility, legacy, deprecated and mock files. Score that they lose.
        compat: f32 = 0.5, neutral 0.0;
        /// Variants for other platforms. Score that they lose.
        platform: f32 = 2.0, neutral 0.0;
        /// Headers, type stubs, and files of types alone. Score that they lose.
        declaration: f32 = 0.5, neutral 0.0;
        /// Folders of an older version. Score that they lose.
        version: f32 = 4.0, neutral 0.0;
        /// A file that introduces the project, where the query asks about the whole. Score for the best of them.
        overview: f32 = 8.0, neutral 0.0;
        /// A document that the query names (`architecture`). Share of `overview`, 0–1.
        overview_named: f32 = 1.0, neutral 0.0;
        /// The README at the top. Share of `overview`, 0–1.
        overview_readme: f32 = 0.95, neutral 0.0;
        /// A document that describes the project by its name (`architecture`, `design`). Share of `overview`, 0–1.
        overview_description: f32 = 0.85, neutral 0.0;
        /// The beginning of the documentation (the index of `docs`). Share of `overview`, 0–1.
        overview_documentation: f32 = 0.7, neutral 0.0;
        /// `CONTRIBUTING` at the top. Share of `overview`, 0–1.
        overview_contributing: f32 = 0.6, neutral 0.0;
        /// The README of a folder, as if it stood at the top. Share of `overview`, 0–1.
        overview_folder: f32 = 0.5, neutral 0.0;
        /// What such a README loses with each folder above it. Share of `overview`, 0–1.
        overview_folder_depth: f32 = 0.1, neutral 0.0;
        /// Folders above a document that introduces the project, at most.
        overview_deepest: usize = 2, neutral NONE as usize;
        /// Folders above a README that does, at most.
        overview_folder_deepest: usize = 3, neutral NONE as usize;
        /// Words of a heading that names a part of a document, and says nothing else, at most.
        overview_heading_words: usize = 3, neutral NONE as usize;
        /// Words of a paragraph that describes something, at least: shorter ones are slogans and captions.
        overview_prose_words: usize = 12, neutral 1;
        /// The caller's prior: how central the file is. Score for the most central one.
        prior: f32 = 1.0, neutral 0.0;

        // Sentences about what something does. A sentence asks for a place, the name of a subject for a file about it.
        /// Joining words from which a query is a sentence: one stands in names of subjects, too.
        sentence_words: usize = 2, neutral 1;
        /// `lexical` where the query is a sentence.
        sentence_lexical: f32 = 1.2, neutral 0.0;
        /// `stem` where the query is a sentence.
        sentence_stem: f32 = 0.4, neutral 0.0;
        /// `several_third` where the query is a sentence.
        sentence_third: f32 = 0.0, neutral 0.5;
        /// `prior` where the query is a sentence.
        sentence_prior: f32 = 0.4, neutral 0.0;
        /// `file_contents` where the query is a sentence.
        sentence_contents: f32 = 0.5, neutral 0.0;
        /// Chunks of a file, where the query is a sentence: a large file has all words. Score lost for each e-fold.
        sentence_size: f32 = 0.15, neutral 0.0;

        // The order of chunks within a file.
        /// BM25F of a chunk. Score for the best chunk of the index.
        order: f32 = 0.75, neutral 0.0;
        /// Vector of a chunk. Score for one deviation.
        order_vector: f32 = 0.25, neutral 0.0;
        /// The query names a definition of the chunk. Score for a name that fits whole.
        order_definition: f32 = 1.0, neutral 0.0;
        /// Factor on `order_definition` where the query is a name.
        order_definition_symbol: f32 = 3.0, neutral 1.0;
        /// A definition's name has one word of the query. Score.
        order_word: f32 = 0.5, neutral 0.0;
        /// Chunks that only import or declare values. Score that they lose.
        order_bare: f32 = 0.6, neutral 0.0;
        /// Chunks that declare types and do nothing. Score that they lose.
        order_type: f32 = 0.9, neutral 0.0;
        /// Constructors. Score that they lose.
        order_constructor: f32 = 0.5, neutral 0.0;
        /// Modules of tests. Score that they lose.
        order_test: f32 = 2.0, neutral 0.0;
        /// Lines of a chunk: what a word or a vector says of few is chance. Score for each e-fold.
        order_length: f32 = 0.4, neutral 0.0;
        /// Lines of a chunk that gains and loses nothing by them.
        order_usual_lines: f32 = 30.0, neutral 1.0;
        /// Lines from which a chunk gains no more, and only costs more to read.
        order_most_lines: f32 = 45.0, neutral NONE;
        /// Each further chunk of a file behind the one before, among the chunks of all files. Score that it loses.
        decay: f32 = 1.5, neutral 0.0;

        // What is shown.
        /// How well a name must fit so that its definition is shown and not the whole chunk, 0–1.
        narrow: f32 = 0.6, neutral NONE;
        /// The same where the query is a name or a path.
        narrow_symbol: f32 = 0.4, neutral NONE;
        /// Share of the chunk's words of the query that one definition must have to be shown alone, 0–1.
        focus: f32 = 0.6, neutral NONE;
        /// Words of the query that it must have, at least: one may stand there by chance.
        focus_words: usize = 2, neutral 0;

        // The relevance of an answer.
        /// Share of the query's words that the file has, squared. Relevance for all of them, where there are vectors.
        relevance_words: f32 = 0.55, neutral 0.0;
        /// Vector of the chunk. Relevance at `relevance_near_most`.
        relevance_vector: f32 = 0.45, neutral 0.0;
        /// Cosine of the built-in model that means nothing.
        relevance_near_least: f32 = 0.2, neutral 0.0;
        /// Cosine of the built-in model that means the thing itself.
        relevance_near_most: f32 = 0.6, neutral 1.0;
        /// Share of the query's words that occur anywhere, below which the answer is doubtful, 0–1.
        relevance_known: f32 = 0.6, neutral 0.0;
        /// Relevance. Chunks of an index from which on an unknown word is doubt in full: a small one lacks many words.
        relevance_known_chunks: f32 = 500.0, neutral 0.0;
        /// How well a name must fit so that the answer is sure, 0–1.
        relevance_named: f32 = 0.7, neutral NONE;
        /// Relevance of such an answer.
        relevance_exact: f32 = 0.85, neutral 0.0;
        /// What a name that fits whole adds to it.
        relevance_exact_more: f32 = 0.15, neutral 0.0;
        /// Relevance below which an answer says nothing.
        min_relevance: f32 = MIN_RELEVANCE, neutral 0.0;
    }
}

impl Tuning {
    /// BM25 over chunks alone.
    pub fn bm25_only() -> Tuning {
        Tuning {
            chunk_weight: [0.0, 0.0, 0.0, 1.0],
            file_weight: [0.0, 0.0, 0.0, 1.0],
            path_weight: [0.0, 0.0],
            lexical: 1.0,
            order: 0.0,
            order_vector: 0.0,
            order_definition: 0.0,
            order_bare: 0.0,
            order_type: 0.0,
            order_constructor: 0.0,
            order_length: 0.0,
            order_word: 0.0,
            order_test: 0.0,
            vector: 0.0,
            vector_symbol: 0.0,
            file: 0.0,
            several: 0.0,
            prose: 0.0,
            definition: 0.0,
            stem: 0.0,
            folder: 0.0,
            exported: 0.0,
            role: 0.0,
            stub: 0.0,
            compat: 0.0,
            platform: 0.0,
            in_path: 0.0,
            coverage: 0.0,
            declaration: 0.0,
            version: 0.0,
            prior: 0.0,
            sentence_lexical: 1.0,
            sentence_stem: 0.0,
            sentence_prior: 0.0,
            sentence_contents: 0.0,
            sentence_size: 0.0,
            file_contents: 0.0,
            also: 0.0,
            ..Tuning::default()
        }
    }
}
