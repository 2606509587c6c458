//! The tuned numbers of ranking in one table, so that an evaluation can take each one out. All stand in
//! docs/tuning.md.

use crate::prepare::{FIELDS, PATH_FIELDS};

/// The relevance below which an answer says nothing: of queries that a repository can answer, one
/// in twenty stays below 0.16; of queries about another one, three in four below 0.13; nonsense at 0.
pub const MIN_RELEVANCE: f32 = 0.1;

/// The same for hits after those that have it, where there is one. Of fifty fresh questions in sentences the right file was among ten
/// for 32 without them and for 33 with them.
pub const FOLLOWING_RELEVANCE: f32 = 0.04;

/// The neutral value of a limit: it is never reached.
const NONE: f32 = base::tuning::NONE as f32;

base::tuning! {
    /// Numbers of ranking. [`Tuning::default`] is the product's.
    ///
    /// Scores of files are sums. Their unit is the spread of the vectors' cosines over an index, times `vector`. A bonus is
    /// neutral at 0, a factor at 1, a limit where it is never reached.
    pub struct Tuning {
        // Words of chunks and files.
        /// BM25F of chunks: weights of names, signatures, documentation, body. 0 and more.
        chunk_weight: [f32; FIELDS] = [3.0, 1.5, 1.5, 1.0], neutral [0.0; FIELDS];
        /// BM25F of chunks: normalisation by length of the same fields. 0–1.
        chunk_b: [f32; FIELDS] = [0.5, 0.5, 0.5, 0.75], neutral [0.0; FIELDS];
        /// BM25F of chunks: saturation. At 0 a word counts once, however often it occurs.
        k1: f32 = 1.2, neutral 0.0;
        /// BM25F of files: weights of names, signatures, documentation, body. 0 and more.
        file_weight: [f32; FIELDS] = [3.0, 1.0, 1.5, 1.0], neutral [0.0; FIELDS];
        /// BM25F of files: normalisation by length of the same fields. 0–1.
        file_b: [f32; FIELDS] = [0.5, 0.5, 0.5, 0.75], neutral [0.0; FIELDS];
        /// BM25F of files: weights of the file's name and of its folders. 0 and more.
        path_weight: [f32; PATH_FIELDS] = [6.0, 2.0], neutral [0.0; PATH_FIELDS];
        /// BM25F of files: maximum number of occurrences of a word that count in a file's name, or in its folders.
        path_count: f32 = 2.0, neutral 1.0;
        /// BM25F of files: saturation.
        file_k1: f32 = 2.0, neutral 0.0;
        /// Weight of two neighbouring words of a query as one name (`real IP` for `RealIP`); a word has 1.
        compound: f32 = 0.6, neutral 0.0;
        /// Weight of synonyms of a word of the query; the word itself has 1.
        also: f32 = 0.4, neutral 0.0;

        // What chunks say for their file.
        /// Vector of the best chunk, for queries in words. Score for one deviation of the cosines.
        vector: f32 = 0.3, neutral 0.0;
        /// The same if the query is a name or a path.
        vector_symbol: f32 = 0.15, neutral 0.0;
        /// Factor on `vector` in a search by vectors alone.
        vector_alone: f32 = 2.0, neutral 1.0;
        /// BM25F of the best chunk. Score for the best chunk of the index.
        lexical: f32 = 0.1, neutral 0.0;
        /// BM25F of the file. Score for the best file of the index.
        file: f32 = 1.5, neutral 0.0;
        /// Second best chunk of a file. Factor on its score.
        several: f32 = 1.5, neutral 0.0;
        /// The third best chunk, relative to the second. Factor.
        several_third: f32 = 0.5, neutral 0.0;
        /// Chunks that are mostly documentation. Score that a chunk of documentation alone loses.
        prose: f32 = 0.2, neutral 0.0;
        /// Least share of documentation for a chunk to lose some of `prose`, 0–1.
        prose_least: f32 = 0.5, neutral 0.0;
        /// A chunk has exactly a quoted text, a message or a heading of the query. Score.
        literal: f32 = 12.0, neutral 0.0;
        /// Only a piece of a message matches. Factor on `literal`.
        literal_piece: f32 = 0.8, neutral 1.0;
        /// The phrase is only a part of the line. Factor on `literal`.
        literal_within: f32 = 0.9, neutral 1.0;
        /// Minimum number of letters of a quoted text.
        literal_quoted_letters: usize = 4, neutral 0;
        /// Minimum number of words of a heading that a query matches as a whole: shorter ones are topics.
        literal_heading_words: usize = 3, neutral 0;
        /// Minimum number of words of a text without quotes that may have been copied.
        literal_copied_words: usize = 4, neutral 0;
        /// Minimum number of words of a piece of a message, between the parts that vary.
        literal_piece_words: usize = 3, neutral 0;
        /// Minimum number of letters of such a piece.
        literal_piece_letters: usize = 12, neutral 0;
        /// Definitions of a file's best chunk. Factor on their score within the file.
        file_contents: f32 = 0.2, neutral 0.0;
        /// Least value of this score before the factor.
        file_contents_least: f32 = -2.0, neutral -NONE;
        /// Greatest value of this score before the factor.
        file_contents_most: f32 = 1.0, neutral NONE;

        // Names that the query gives.
        /// The query names a definition of the file. Score for a name that matches as a whole.
        definition: f32 = 1.5, neutral 0.0;
        /// Factor on `definition` if the query is a name.
        definition_symbol: f32 = 3.0, neutral 1.0;
        /// One of two names in a query, written as a plain word. Factor.
        name_of_two: f32 = 0.6, neutral 1.0;
        /// One of three or more names. Factor.
        name_of_many: f32 = 0.3, neutral 1.0;
        /// The name differs in upper and lower case. Factor.
        name_case: f32 = 0.8, neutral 1.0;
        /// All words of the name are in the query. Match, 0–1.
        name_words: f32 = 0.5, neutral 0.0;
        /// Some words of the name are in the query. Match if all were, 0–1.
        name_words_some: f32 = 0.3, neutral 0.0;
        /// How much the share of the query that the name covers counts for its score, 0–1.
        name_part: f32 = 0.5, neutral 0.0;
        /// Weight of a word of a name that abbreviates a word of the query, 0–1.
        name_short: f32 = 0.7, neutral 0.0;
        /// Minimum number of letters of such an abbreviation: most shorter ones begin other words by chance.
        name_short_letters: usize = 4, neutral 0;
        /// Functions, modules and macros; a type has 1. Factor on the match of a name.
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
        /// Share of the words of the file's name that are in the query. Score if all are.
        stem: f32 = 1.4, neutral 0.0;
        /// The same for the words of its folder.
        folder: f32 = 0.35, neutral 0.0;
        /// A word of the path is the beginning of a word of the query (`attr`). Share of a whole word, 0–1.
        path_beginning: f32 = 0.75, neutral 0.0;
        /// Minimum number of letters of such a word: shorter ones begin too many.
        path_beginning_letters: usize = 3, neutral 0;
        /// A word of the path is the initials of the query's words (`fs`). Share of a whole word, 0–1.
        path_initials: f32 = 0.75, neutral 0.0;
        /// Minimum number of letters of such a word.
        path_initials_letters: usize = 2, neutral 0;
        /// A word of the path is several words run together (`livereload`), and the query has some. Factor on their share.
        path_joined: f32 = 0.75, neutral 0.0;
        /// Minimum number of letters of such a word.
        path_joined_letters: usize = 6, neutral 0;
        /// Minimum number of letters of a word within it.
        path_joined_piece: usize = 3, neutral 0;
        /// Minimum number of letters of such a word if the query lacks the rest: shorter ones begin and end too many.
        path_joined_beside: usize = 4, neutral 0;
        /// Assumed rarity of a word of the path that the query lacks, in units of inverse document frequency.
        path_rarity: f32 = 3.0, neutral 1.0;
        /// Least rarity of a word of the query.
        path_rarity_least: f32 = 0.3, neutral 0.0;
        /// The query is this path. Score.
        path: f32 = 6.0, neutral 0.0;
        /// The query is the end of the path. Share of `path`, 0–1.
        path_end: f32 = 0.9, neutral 0.0;
        /// The query is a part of the path. Share of `path`, 0–1.
        path_within: f32 = 0.6, neutral 0.0;
        /// Rare words of the query in the path. Score for the rarest possible word.
        in_path: f32 = 0.7, neutral 0.0;
        /// For `in_path`: the word is in a folder, not in the file's name. Factor.
        in_path_folder: f32 = 0.6, neutral 1.0;
        /// For `in_path`: largest number of rare words that counts.
        in_path_most: f32 = 2.5, neutral NONE;
        /// The file has all words of the query. Score.
        coverage: f32 = 0.75, neutral 0.0;
        /// The file defines exported symbols. Score.
        exported: f32 = 0.1, neutral 0.0;
        /// Tests, vendored files and configuration. Score that they lose.
        role: f32 = 5.0, neutral 0.0;
        /// Generated files, documents and examples, relative to these. Factor.
        role_near: f32 = 0.8, neutral 1.0;
        /// Such files if the query has a word of their kind. Factor.
        role_mentioned: f32 = 0.4, neutral 1.0;
        /// Such files if the query is a path. Factor instead of the others.
        role_path: f32 = 0.1, neutral 1.0;
        /// Maximum number of words of a query whose last word names the kind of file (`parser tests`).
        role_last_of: usize = 3, neutral 0;
        /// Files that only import and re-export. Score that they lose.
        stub: f32 = 0.7, neutral 0.0;
        /// Compatibility, legacy, deprecated and mock files. Score that they lose.
        compat: f32 = 0.5, neutral 0.0;
        /// Variants for other platforms. Score that they lose.
        platform: f32 = 2.0, neutral 0.0;
        /// Headers, type stubs, and files with only types. Score that they lose.
        declaration: f32 = 0.5, neutral 0.0;
        /// Folders of an older version. Score that they lose.
        version: f32 = 4.0, neutral 0.0;
        /// A file that introduces the project, if the query asks about the whole. Score for the best of them.
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
        /// The README of a folder, before the loss below. Share of `overview`, 0–1.
        overview_folder: f32 = 0.5, neutral 0.0;
        /// Loss of such a README for each folder above it. Share of `overview`, 0–1.
        overview_folder_depth: f32 = 0.1, neutral 0.0;
        /// Maximum number of folders above a document that introduces the project.
        overview_deepest: usize = 2, neutral NONE as usize;
        /// Maximum number of folders above a README that introduces the project.
        overview_folder_deepest: usize = 3, neutral NONE as usize;
        /// Maximum number of words of a heading that only names a part of a document.
        overview_heading_words: usize = 3, neutral NONE as usize;
        /// Minimum number of words of a paragraph that describes something: shorter ones are slogans and captions.
        overview_prose_words: usize = 12, neutral 1;
        /// The caller's prior: how central the file is. Score for the most central one.
        prior: f32 = 1.0, neutral 0.0;

        // Sentences about what something does. A sentence asks for a place, the name of a subject for a file about it.
        /// Minimum number of joining words of a sentence: names of subjects may have one, too.
        sentence_words: usize = 2, neutral 1;
        /// `lexical` if the query is a sentence.
        sentence_lexical: f32 = 1.2, neutral 0.0;
        /// `stem` if the query is a sentence.
        sentence_stem: f32 = 0.4, neutral 0.0;
        /// `several_third` if the query is a sentence.
        sentence_third: f32 = 0.0, neutral 0.5;
        /// `prior` if the query is a sentence.
        sentence_prior: f32 = 0.4, neutral 0.0;
        /// `file_contents` if the query is a sentence.
        sentence_contents: f32 = 0.5, neutral 0.0;
        /// Number of a file's chunks, if the query is a sentence: a large file has all words. Score lost for each e-fold.
        sentence_size: f32 = 0.15, neutral 0.0;

        // The order of chunks within a file.
        /// BM25F of a chunk. Score for the best chunk of the index.
        order: f32 = 0.75, neutral 0.0;
        /// Vector of a chunk. Score for one deviation.
        order_vector: f32 = 0.25, neutral 0.0;
        /// The query names a definition of the chunk. Score for a name that matches as a whole.
        order_definition: f32 = 1.0, neutral 0.0;
        /// Factor on `order_definition` if the query is a name.
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
        /// Number of a chunk's lines: a word or vector of few lines may match by chance. Score for each e-fold.
        order_length: f32 = 0.4, neutral 0.0;
        /// Number of lines at which a chunk neither gains nor loses.
        order_usual_lines: f32 = 30.0, neutral 1.0;
        /// Number of lines above which a chunk gains no more: it only takes longer to read.
        order_most_lines: f32 = 45.0, neutral NONE;
        /// Each further chunk of a file. Score that it loses, relative to the one before, among the chunks of all files.
        decay: f32 = 1.5, neutral 0.0;

        // What is shown.
        /// Least match of a name for its definition to be shown instead of the whole chunk, 0–1.
        narrow: f32 = 0.6, neutral NONE;
        /// The same if the query is a name or a path.
        narrow_symbol: f32 = 0.4, neutral NONE;
        /// Least share of the matching words of a chunk in one definition, for it to be shown alone, 0–1.
        focus: f32 = 0.6, neutral NONE;
        /// Minimum number of words of the query in that definition: one may be there by chance.
        focus_words: usize = 2, neutral 0;

        // How sure an answer is.
        /// Share of the query's words that the file has, squared. Relevance if it has all, with vectors.
        relevance_words: f32 = 0.55, neutral 0.0;
        /// Vector of the chunk. Relevance at `relevance_near_most`.
        relevance_vector: f32 = 0.45, neutral 0.0;
        /// Cosine of the built-in model up to which two texts are unrelated.
        relevance_near_least: f32 = 0.2, neutral 0.0;
        /// Cosine of the built-in model at which two texts mean the same.
        relevance_near_most: f32 = 0.6, neutral 1.0;
        /// Share of the query's words that occur anywhere; below it the answer is doubtful, 0–1.
        relevance_known: f32 = 0.6, neutral 0.0;
        /// Relevance. Chunks of an index from which an unknown word counts in full: a small index lacks many words.
        relevance_known_chunks: f32 = 500.0, neutral 0.0;
        /// Least match of a name for a sure answer, 0–1.
        relevance_named: f32 = 0.7, neutral NONE;
        /// Relevance of such an answer.
        relevance_exact: f32 = 0.85, neutral 0.0;
        /// Relevance that a name adds if it matches as a whole.
        relevance_exact_more: f32 = 0.15, neutral 0.0;
        /// Relevance below which results are not shown.
        min_relevance: f32 = MIN_RELEVANCE, neutral 0.0;
    }
}

impl Tuning {
    /// BM25 over chunks and nothing else.
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
