//! A code base on one page: packages, folders or files with the uses between them, folded to fit a screen.
//!
//! Pieces are chosen from the top down: the largest folder is opened as long as its contents still fit. Contents that do not
//! fit become one piece that tells its size.

mod d3;
mod edges;
mod pieces;
mod render;
mod spans;
mod symbols;
#[cfg(test)]
mod tests;
mod tree;

pub use d3::{D3Group, D3Link, D3Metadata, D3Node, Folded, OverviewD3};
pub use edges::{FileLink, UseCounts, file_links};
pub use spans::TopSpans;
pub use symbols::{SymbolInfo, symbol_links, top_level_symbols};

use edges::{Edge, edges_between_pieces, keep_heaviest_edges};
use pieces::{Piece, PieceSelection, PrunedPicture};

/// Level of detail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OverviewLevel {
    /// Packages, or the largest folders.
    System,
    /// Folders.
    Modules,
    /// Files.
    Files,
}

impl OverviewLevel {
    /// The level of that number, 1–3.
    pub fn from_number(number: u32) -> Option<OverviewLevel> {
        Some(match number {
            1 => OverviewLevel::System,
            2 => OverviewLevel::Modules,
            3 => OverviewLevel::Files,
            _ => return None,
        })
    }

    fn number(self) -> u32 {
        match self {
            OverviewLevel::System => 1,
            OverviewLevel::Modules => 2,
            OverviewLevel::Files => 3,
        }
    }
}

/// A file that takes part.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct OverviewFile {
    /// Its path.
    pub path: String,
    /// Lines.
    pub lines: u32,
    /// Sum of the cyclomatic complexity of its functions.
    pub complexity: u32,
    /// Heat, 0–1.
    pub heat: f64,
}

/// A package of the repository: a folder with a manifest.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct OverviewPackage {
    /// Its folder; empty for the root.
    pub folder: String,
    /// The name in its manifest.
    pub name: String,
    /// Endings of the files that belong to it. Files of another language in its folder belong to a package further up.
    pub endings: &'static [&'static str],
}

/// Options of an overview.
#[derive(Debug, Clone, PartialEq)]
pub struct OverviewOptions {
    /// Level of detail.
    pub level: OverviewLevel,
    /// A folder or file to look into; empty for everything.
    pub module: String,
    /// Most pieces.
    pub limit: usize,
    /// Whether code that changes often and is complex is coloured.
    pub hotspots: bool,
    /// Whether the complexity of pieces is shown.
    pub complexity: bool,
}

/// Input of an overview. Links and symbols refer to files by their index.
#[derive(Debug, Clone, Default)]
pub struct OverviewInput {
    /// Files in order of path.
    pub files: Vec<OverviewFile>,
    /// Uses between files.
    pub links: Vec<FileLink>,
    /// Packages in order of folder.
    pub packages: Vec<OverviewPackage>,
    /// Definitions of the module's files, if it has few.
    pub symbols: Vec<SymbolInfo>,
    /// Uses between these definitions, by their index.
    pub symbol_links: Vec<FileLink>,
}

/// An overview, ready to be drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Overview {
    level: OverviewLevel,
    module: String,
    pieces: Vec<Piece>,
    edges: Vec<Edge>,
    /// Number of edges that are not drawn.
    edges_folded: usize,
    files: usize,
    hotspots: bool,
    complexity: bool,
}

/// Edges drawn for each piece: more would be a thicket.
const EDGES_PER_PIECE: usize = 2;
/// Most pieces outside of a module that are shown.
const OUTSIDE: usize = 8;
/// Number of files below which a module is shown by its definitions.
pub const FEW_FILES: usize = 6;

/// Chooses pieces and adds up the uses between them.
pub fn overview(input: &OverviewInput, options: &OverviewOptions) -> Overview {
    let limit = options.limit.max(2);
    let choice = match options.module.as_str() {
        "" => pieces::choose_pieces(input, options.level, limit),
        module if input.symbols.is_empty() => pieces::choose_module_pieces(input, module, limit),
        module => pieces::choose_symbol_pieces(input, module, limit),
    };
    let PieceSelection {
        pieces,
        file_piece,
        symbol_piece,
    } = choice;
    let mut found = edges_between_pieces(&input.links, &file_piece);
    found.extend(edges_between_pieces(&input.symbol_links, &symbol_piece));
    let PrunedPicture { pieces, edges } =
        pieces::drop_weak_outsiders(pieces, edges::merge_edges(found), OUTSIDE);
    let most = pieces.len() * EDGES_PER_PIECE;
    let all = edges.len();
    let edges = keep_heaviest_edges(edges, most.max(12));
    Overview {
        level: options.level,
        module: options.module.clone(),
        edges_folded: all - edges.len(),
        edges,
        pieces,
        files: input.files.len(),
        hotspots: options.hotspots,
        complexity: options.complexity,
    }
}

impl Overview {
    /// Renders a Mermaid flowchart.
    pub fn to_mermaid(&self) -> String {
        render::render_mermaid(self)
    }

    /// Converts to nodes and links for D3. `generated_at` is a time as text.
    pub fn to_d3(&self, generated_at: &str) -> OverviewD3 {
        d3::to_d3(self, generated_at)
    }

    /// Number of pieces.
    pub fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Whether there is nothing to show.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }
}
