//! The weights of ranking in one place, so that an evaluation can switch each off.

use crate::prepare::{FIELDS, PATH_FIELDS};

/// Weights of ranking. [`Tuning::default`] is the product's.
#[derive(Debug, Clone, PartialEq)]
pub struct Tuning {
    /// BM25F of chunks: weights of names, signatures, documentation, body.
    pub chunk_weight: [f32; FIELDS],
    /// Length normalisation of the same.
    pub chunk_b: [f32; FIELDS],
    /// Saturation.
    pub k1: f32,
    /// BM25F of files: weights of names, signatures, documentation, body.
    pub file_weight: [f32; FIELDS],
    /// Length normalisation of the same.
    pub file_b: [f32; FIELDS],
    /// Weights of the file's name and its folders.
    pub path_weight: [f32; PATH_FIELDS],
    /// Saturation over files.
    pub file_k1: f32,
    /// Vector of the best chunk, prose queries.
    pub vector: f32,
    /// The same, where the query is a name.
    pub vector_symbol: f32,
    /// BM25F of the best chunk.
    pub lexical: f32,
    /// BM25F of a chunk for its place within the file.
    pub order: f32,
    /// Vector of a chunk for its place within the file.
    pub order_vector: f32,
    /// The query names a definition of a chunk, for its place within the file.
    pub order_definition: f32,
    /// How far chunks that only import or declare values stand behind others of their file.
    pub order_bare: f32,
    /// How far chunks that declare types and do nothing stand behind others of their file.
    pub order_type: f32,
    /// How far constructors stand behind others of their file.
    pub order_constructor: f32,
    /// How far chunks of few lines stand behind others of their file: what a word or a vector says of them is chance.
    pub order_length: f32,
    /// How far modules of tests stand behind others of their file.
    pub order_test: f32,
    /// How far further chunks of a file stand behind the one before.
    pub decay: f32,
    /// A definition's name has one word of the query, for the chunk's place within the file.
    pub order_word: f32,
    /// BM25F of the file.
    pub file: f32,
    /// Second and third chunk of a file.
    pub several: f32,
    /// The query names a definition.
    pub definition: f32,
    /// How much the share of the query that the words of a name make up counts for what they are worth, 0–1.
    pub name_part: f32,
    /// What a word of a name counts that shortens one of the query.
    pub name_short: f32,
    /// Words of the file's name.
    pub stem: f32,
    /// Words of its folder.
    pub folder: f32,
    /// The file defines what is exported.
    pub exported: f32,
    /// Tests, examples, vendored and generated files, documents.
    pub role: f32,
    /// Files that only import and re-export.
    pub stub: f32,
    /// Compatibility, legacy, deprecated and mock files.
    pub compat: f32,
    /// Variants for other platforms.
    pub platform: f32,
    /// Rare words of the query in the path.
    pub in_path: f32,
    /// Share of the query that the file has.
    pub coverage: f32,
    /// Headers and type stubs.
    pub declaration: f32,
    /// Folders of an older version.
    pub version: f32,
    /// The caller's prior.
    pub prior: f32,
    /// Words that say the same as one of the query.
    pub also: f32,
    /// What a file's best chunk defines, for the file.
    pub file_contents: f32,
}

impl Default for Tuning {
    fn default() -> Tuning {
        Tuning {
            chunk_weight: [3.0, 1.5, 1.5, 1.0],
            chunk_b: [0.5, 0.5, 0.5, 0.75],
            k1: 1.2,
            file_weight: [3.0, 1.0, 1.5, 1.0],
            file_b: [0.5, 0.5, 0.5, 0.75],
            path_weight: [6.0, 2.0],
            file_k1: 2.0,
            vector: 0.3,
            vector_symbol: 0.15,
            lexical: 0.1,
            order: 0.75,
            order_vector: 0.25,
            order_definition: 1.0,
            order_bare: 0.6,
            order_type: 0.9,
            order_constructor: 0.5,
            order_length: 0.4,
            order_word: 0.5,
            order_test: 2.0,
            decay: 1.5,
            file: 1.5,
            several: 1.5,
            definition: 1.5,
            name_part: 0.5,
            name_short: 0.7,
            stem: 1.4,
            folder: 0.35,
            exported: 0.1,
            role: 5.0,
            stub: 0.7,
            compat: 0.5,
            platform: 2.0,
            in_path: 0.7,
            coverage: 0.75,
            declaration: 0.5,
            version: 4.0,
            prior: 1.0,
            file_contents: 0.2,
            also: 0.4,
        }
    }
}

impl Tuning {
    /// BM25 over chunks and nothing else.
    pub fn plain() -> Tuning {
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
            file_contents: 0.0,
            also: 0.0,
            ..Tuning::default()
        }
    }

    /// Every weight by name, for switching off and for trying others.
    pub fn weight(&mut self, name: &str) -> Option<&mut f32> {
        if let Some((name, at)) = name.rsplit_once('.') {
            let at: usize = at.parse().ok()?;
            return match name {
                "chunk_weight" => self.chunk_weight.get_mut(at),
                "chunk_b" => self.chunk_b.get_mut(at),
                "file_weight" => self.file_weight.get_mut(at),
                "file_b" => self.file_b.get_mut(at),
                "path_weight" => self.path_weight.get_mut(at),
                _ => None,
            };
        }
        Some(match name {
            "k1" => &mut self.k1,
            "file_k1" => &mut self.file_k1,
            "vector" => &mut self.vector,
            "vector_symbol" => &mut self.vector_symbol,
            "lexical" => &mut self.lexical,
            "order" => &mut self.order,
            "order_vector" => &mut self.order_vector,
            "order_definition" => &mut self.order_definition,
            "order_bare" => &mut self.order_bare,
            "order_constructor" => &mut self.order_constructor,
            "order_test" => &mut self.order_test,
            "file_contents" => &mut self.file_contents,
            "also" => &mut self.also,
            "decay" => &mut self.decay,
            "order_type" => &mut self.order_type,
            "order_length" => &mut self.order_length,
            "order_word" => &mut self.order_word,
            "name_short" => &mut self.name_short,
            "file" => &mut self.file,
            "several" => &mut self.several,
            "definition" => &mut self.definition,
            "name_part" => &mut self.name_part,
            "stem" => &mut self.stem,
            "folder" => &mut self.folder,
            "exported" => &mut self.exported,
            "boundary" => &mut self.role,
            "stub" => &mut self.stub,
            "compat" => &mut self.compat,
            "platform" => &mut self.platform,
            "in_path" => &mut self.in_path,
            "coverage" => &mut self.coverage,
            "declaration" => &mut self.declaration,
            "version" => &mut self.version,
            "prior" => &mut self.prior,
            _ => return None,
        })
    }

    /// Names of the weights that are rules, each switched off in an ablation.
    pub const RULES: [&'static str; 25] = [
        "vector",
        "lexical",
        "file",
        "several",
        "definition",
        "stem",
        "folder",
        "exported",
        "boundary",
        "stub",
        "compat",
        "platform",
        "in_path",
        "coverage",
        "declaration",
        "version",
        "prior",
        "name_short",
        "order_type",
        "order_constructor",
        "order_length",
        "order_test",
        "order_word",
        "file_contents",
        "also",
    ];
}
