//! Chooses the pieces that are shown, and the files and definitions that belong to each.

use super::edges::Edge;
use super::tree::{Part, Tree, split_into_parts};
use super::{OverviewInput, OverviewLevel, OverviewPackage, SymbolInfo};
use std::collections::BTreeMap;

/// The least packages for level 1 to show packages; otherwise folders are shown.
const FEW_PACKAGES: usize = 2;
/// The most pieces at level 1.
const SYSTEM_LIMIT: usize = 14;
/// Most names that are listed for folded parts.
const NAMED: usize = 12;

/// Kind of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PieceKind {
    Package,
    Folder,
    File,
    Symbol,
    /// Parts that did not fit, folded into one piece.
    Rest,
    /// Outside of the module that is shown in detail.
    Outside,
}

impl PieceKind {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            PieceKind::Package => "package",
            PieceKind::Folder => "folder",
            PieceKind::File => "file",
            PieceKind::Symbol => "symbol",
            PieceKind::Rest => "rest",
            PieceKind::Outside => "outside",
        }
    }
}

/// A node of the picture.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Piece {
    pub(super) id: String,
    pub(super) label: String,
    /// Id of its group; empty for none.
    pub(super) group: String,
    pub(super) kind: PieceKind,
    /// The kind of a definition.
    pub(super) symbol_kind: String,
    pub(super) files: usize,
    pub(super) lines: u64,
    pub(super) complexity: u64,
    /// 0–1.
    pub(super) heat: f64,
    /// Names of the parts that are folded into it, and their number.
    pub(super) folded: (Vec<String>, usize),
}

/// Pieces, with the piece of each file and definition.
pub(super) struct PieceSelection {
    pub(super) pieces: Vec<Piece>,
    pub(super) file_piece: Vec<Option<u32>>,
    pub(super) symbol_piece: Vec<Option<u32>>,
}

/// Pieces with the edges between them.
pub(super) struct PrunedPicture {
    pub(super) pieces: Vec<Piece>,
    pub(super) edges: Vec<Edge>,
}

struct Builder<'a> {
    input: &'a OverviewInput,
    choice: PieceSelection,
}

impl<'a> Builder<'a> {
    fn new(input: &'a OverviewInput) -> Builder<'a> {
        Builder {
            input,
            choice: PieceSelection {
                pieces: Vec::new(),
                file_piece: vec![None; input.files.len()],
                symbol_piece: vec![None; input.symbols.len()],
            },
        }
    }

    /// A piece made of files.
    fn add_piece(
        &mut self,
        id: String,
        label: String,
        group: String,
        kind: PieceKind,
        files: &[u32],
    ) {
        let number = self.choice.pieces.len() as u32;
        let all = || files.iter().map(|f| &self.input.files[*f as usize]);
        let mut heats: Vec<f64> = all().map(|f| f.heat).collect();
        heats.sort_by(|a, b| b.total_cmp(a));
        // One hot file does not make a whole folder hot: the mean of its hottest three counts.
        let few = heats.len().clamp(1, 3);
        self.choice.pieces.push(Piece {
            id,
            label,
            group,
            kind,
            symbol_kind: String::new(),
            files: files.len(),
            lines: all().map(|f| u64::from(f.lines)).sum(),
            complexity: all().map(|f| u64::from(f.complexity)).sum(),
            heat: heats.iter().take(few).sum::<f64>() / few as f64,
            folded: (Vec::new(), 0),
        });
        for file in files {
            self.choice.file_piece[*file as usize] = Some(number);
        }
    }

    fn set_folded_names(&mut self, mut names: Vec<String>) {
        names.sort_unstable();
        let count = names.len();
        names.truncate(NAMED);
        if let Some(piece) = self.choice.pieces.last_mut() {
            piece.folded = (names, count);
        }
    }

    /// Parts of a tree as pieces, with names relative to their group.
    fn add_parts(&mut self, tree: &Tree<'_>, parts: &[Part], group: &dyn Fn(&str) -> String) {
        for part in parts {
            match part {
                Part::Folder(folder) => {
                    let path = tree.folders[*folder].path;
                    let files = tree.all_files(*folder);
                    let group = group(path);
                    let label = strip_folder(&group, path);
                    self.add_piece(display_path(path), label, group, PieceKind::Folder, &files);
                }
                Part::Own(folder) => {
                    let here = &tree.folders[*folder];
                    let group = group(here.path);
                    let label = match here.path {
                        "" => "files of the root".to_owned(),
                        path => format!("{} (own files)", strip_folder(&group, path)),
                    };
                    let id = format!("{}/*", display_path(here.path));
                    self.add_piece(id, label, group, PieceKind::Folder, &here.files);
                }
                Part::File(file) => {
                    let path = &self.input.files[*file as usize].path;
                    let group = group(path);
                    let label = strip_folder(&group, path);
                    self.add_piece(path.clone(), label, group, PieceKind::File, &[*file]);
                }
                Part::Rest(folder, rest) => {
                    let path = tree.folders[*folder].path;
                    let mut files = Vec::new();
                    let mut names = Vec::new();
                    for part in rest {
                        let (name, inside) = self.folded_part(tree, part);
                        names.push(strip_folder(path, &name));
                        files.extend(inside);
                    }
                    files.sort_unstable();
                    let label = format!("… {} more in {}", rest.len(), display_path(path));
                    let id = format!("{}/…", display_path(path));
                    self.add_piece(id, label, group(path), PieceKind::Rest, &files);
                    self.set_folded_names(names);
                }
            }
        }
    }

    fn folded_part(&self, tree: &Tree<'_>, part: &Part) -> (String, Vec<u32>) {
        match part {
            Part::Folder(f) => (tree.folders[*f].path.to_owned(), tree.all_files(*f)),
            Part::Own(f) | Part::Rest(f, _) => {
                let here = &tree.folders[*f];
                (format!("{}/*", here.path), here.files.clone())
            }
            Part::File(f) => (self.input.files[*f as usize].path.clone(), vec![*f]),
        }
    }
}

/// A path as it is shown: the root has a name too.
fn display_path(path: &str) -> String {
    if path.is_empty() { "." } else { path }.to_owned()
}

/// A path without the folder that it is known to lie in.
fn strip_folder(group: &str, path: &str) -> String {
    let rest = path.strip_prefix(group);
    let rest = rest.and_then(|rest| rest.strip_prefix('/'));
    match rest.filter(|_| !group.is_empty()) {
        Some(rest) => rest.to_owned(),
        None if path == group && !path.is_empty() => {
            path.rsplit('/').next().unwrap_or(path).to_owned()
        }
        None => display_path(path),
    }
}

/// The nearest package above a path with files of its language; if there is none, the nearest package of
/// any language.
fn package_of<'p>(packages: &'p [OverviewPackage], path: &str) -> Option<&'p OverviewPackage> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let mut nearest = None;
    let mut folder = path;
    loop {
        let first = packages.partition_point(|p| p.folder.as_str() < folder);
        let here = packages[first..].iter().take_while(|p| p.folder == folder);
        for package in here {
            // A folder has no language.
            if ending.is_empty() || package.endings.contains(&ending) {
                return Some(package);
            }
            nearest = nearest.or(Some(package));
        }
        if folder.is_empty() {
            return nearest;
        }
        folder = folder.rfind('/').map_or("", |slash| &folder[..slash]);
    }
}

/// Chooses the pieces of the whole code base, at a level.
pub(super) fn choose_pieces(
    input: &OverviewInput,
    level: OverviewLevel,
    limit: usize,
) -> PieceSelection {
    let mut builder = Builder::new(input);
    let places = 0..input.files.len() as u32;
    let lines = |file: u32| u64::from(input.files[file as usize].lines);
    if level == OverviewLevel::System {
        if add_packages(&mut builder, limit.min(SYSTEM_LIMIT * 2)) {
            return builder.choice;
        }
        let tree = Tree::new(&input.files, places);
        let parts = split_into_parts(&tree, 0, limit.min(SYSTEM_LIMIT), false, true, &lines);
        builder.add_parts(&tree, &parts, &|_| String::new());
        return builder.choice;
    }
    let tree = Tree::new(&input.files, places);
    let parts = split_into_parts(
        &tree,
        0,
        limit,
        level == OverviewLevel::Files,
        false,
        &lines,
    );
    let top = tree.folders[tree.skip_single_folders(0)].path;
    let several = used_packages(input).len() >= FEW_PACKAGES;
    let group = |path: &str| {
        if several {
            package_of(&input.packages, path).map_or_else(String::new, |p| p.folder.clone())
        } else {
            first_folder_below(top, path)
        }
    };
    builder.add_parts(&tree, &parts, &group);
    builder.choice
}

/// The first folder of a path below another folder.
fn first_folder_below(top: &str, path: &str) -> String {
    let inner = strip_folder(top, path);
    let first = inner.split('/').next().unwrap_or_default();
    if first == inner && !path.contains('/') || inner == "." || path == top {
        return top.to_owned();
    }
    match top {
        "" => first.to_owned(),
        top => format!("{top}/{first}"),
    }
}

/// For each package: the files that belong to it and to no package inside it.
fn used_packages(input: &OverviewInput) -> BTreeMap<Option<&OverviewPackage>, Vec<u32>> {
    let mut all: BTreeMap<Option<&OverviewPackage>, Vec<u32>> = BTreeMap::new();
    for (file, at) in input.files.iter().zip(0..) {
        let package = package_of(&input.packages, &file.path);
        all.entry(package).or_default().push(at);
    }
    all
}

/// Adds packages as pieces. Returns whether there are enough to show.
fn add_packages(builder: &mut Builder<'_>, limit: usize) -> bool {
    let input = builder.input;
    let all = used_packages(input);
    let total = input.files.len();
    let largest = all.values().map(Vec::len).max().unwrap_or(0);
    // A repository that is one package with some helpers is shown better by its folders.
    if all.keys().flatten().count() < FEW_PACKAGES || largest * 10 > total * 9 {
        return false;
    }
    let lines = |files: &[u32]| -> u64 {
        let of = |f: &u32| u64::from(input.files[*f as usize].lines);
        files.iter().map(of).sum()
    };
    let mut order: Vec<(Option<&OverviewPackage>, Vec<u32>)> = all.into_iter().collect();
    order.sort_by_key(|(package, files)| (std::cmp::Reverse(lines(files)), *package));
    let rest = if order.len() > limit {
        order.split_off(limit - 1)
    } else {
        Vec::new()
    };
    order.sort_by_key(|(package, _)| *package);
    for (package, files) in &order {
        let (id, label) = match package {
            Some(package) => (display_path(&package.folder), package.name.clone()),
            None => (".".to_owned(), "outside of packages".to_owned()),
        };
        builder.add_piece(id, label, String::new(), PieceKind::Package, files);
    }
    if !rest.is_empty() {
        let files: Vec<u32> = rest.iter().flat_map(|(_, f)| f).copied().collect();
        let names = rest.iter().flat_map(|(p, _)| p);
        let names: Vec<String> = names.map(|p| p.name.clone()).collect();
        let label = format!("… {} more packages", rest.len());
        builder.add_piece(
            "…".to_owned(),
            label,
            String::new(),
            PieceKind::Rest,
            &files,
        );
        builder.set_folded_names(names);
    }
    true
}

/// Whether a path is a module or lies in it.
fn is_in(module: &str, path: &str) -> bool {
    let rest = path.strip_prefix(module);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Chooses the files of a folder, and the pieces around them that use them or that they use.
pub(super) fn choose_module_pieces(
    input: &OverviewInput,
    module: &str,
    limit: usize,
) -> PieceSelection {
    let mut builder = Builder::new(input);
    let inside = |at: &u32| is_in(module, &input.files[*at as usize].path);
    let places = 0..input.files.len() as u32;
    let tree = Tree::new(&input.files, places.clone().filter(inside));
    let lines = |file: u32| u64::from(input.files[file as usize].lines);
    let parts = split_into_parts(&tree, 0, limit, true, false, &lines);
    let parent = |path: &str| {
        let folder = path.rfind('/').map_or("", |slash| &path[..slash]);
        if is_in(module, folder) {
            folder.to_owned()
        } else {
            module.to_owned()
        }
    };
    builder.add_parts(&tree, &parts, &parent);
    add_outside_pieces(&mut builder, module);
    builder.choice
}

/// Chooses the definitions of a few files, and the pieces around them that use them or that they use.
pub(super) fn choose_symbol_pieces(
    input: &OverviewInput,
    module: &str,
    limit: usize,
) -> PieceSelection {
    let mut builder = Builder::new(input);
    let mut order: Vec<usize> = (0..input.symbols.len()).collect();
    let most = input.symbols.iter().map(|s| s.complexity).max();
    let most = most.unwrap_or(0).max(1);
    let size = |at: &usize| {
        let symbol = &input.symbols[*at];
        (std::cmp::Reverse(symbol.lines), *at)
    };
    order.sort_by_key(size);
    let rest = if order.len() > limit {
        order.split_off(limit - 1)
    } else {
        Vec::new()
    };
    order.sort_unstable();
    for at in order {
        let symbol = &input.symbols[at];
        let file = &input.files[symbol.file as usize];
        let number = builder.choice.pieces.len() as u32;
        builder.choice.symbol_piece[at] = Some(number);
        builder.choice.pieces.push(symbol_piece(symbol, file, most));
    }
    if !rest.is_empty() {
        let number = builder.choice.pieces.len() as u32;
        let names = rest.iter().map(|at| input.symbols[*at].name.clone());
        let names: Vec<String> = names.collect();
        for at in &rest {
            builder.choice.symbol_piece[*at] = Some(number);
        }
        let all = || rest.iter().map(|at| &input.symbols[*at]);
        builder.choice.pieces.push(Piece {
            id: format!("{module}/…"),
            label: format!("… {} more in {module}", rest.len()),
            group: String::new(),
            kind: PieceKind::Rest,
            symbol_kind: String::new(),
            files: 0,
            lines: all().map(|s| u64::from(s.lines)).sum(),
            complexity: all().map(|s| u64::from(s.complexity)).sum(),
            heat: 0.0,
            folded: (Vec::new(), 0),
        });
        builder.set_folded_names(names);
    }
    builder.choice
}

/// The piece of a definition. The history is known for files only: in a hot file, a complex definition is
/// hot.
fn symbol_piece(symbol: &SymbolInfo, file: &super::OverviewFile, most: u32) -> Piece {
    let share = f64::from(symbol.complexity) / f64::from(most);
    Piece {
        id: format!("{}#{}", file.path, symbol.name),
        label: symbol.name.clone(),
        group: file.path.clone(),
        kind: PieceKind::Symbol,
        symbol_kind: symbol.kind.clone(),
        files: 0,
        lines: u64::from(symbol.lines),
        complexity: u64::from(symbol.complexity),
        heat: file.heat * share.sqrt(),
        folded: (Vec::new(), 0),
    }
}

/// Adds folders outside of a module, each as one piece: packages if there are some, else folders beside it.
fn add_outside_pieces(builder: &mut Builder<'_>, module: &str) {
    let input = builder.input;
    let mut near = vec![false; input.files.len()];
    for link in &input.links {
        let ends = [link.from, link.to];
        let inside = ends.map(|end| builder.choice.file_piece[end as usize].is_some());
        if inside[0] != inside[1] {
            ends.iter().for_each(|end| near[*end as usize] = true);
        }
    }
    let mut groups: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for (file, at) in input.files.iter().zip(0..) {
        if near[at as usize] && builder.choice.file_piece[at as usize].is_none() {
            groups
                .entry(sibling_folder(module, &file.path))
                .or_default()
                .push(at);
        }
    }
    for (folder, files) in groups {
        let label = display_path(&folder);
        builder.add_piece(
            label.clone(),
            label,
            String::new(),
            PieceKind::Outside,
            &files,
        );
    }
}

/// The folder of a path beside the module: the first folder that the two paths do not share.
fn sibling_folder(module: &str, path: &str) -> String {
    let mut shared = 0;
    for (a, b) in module.split('/').zip(path.split('/')) {
        if a != b {
            break;
        }
        shared += a.len() + 1;
    }
    match path[shared.min(path.len())..].find('/') {
        Some(end) => path[..shared + end].to_owned(),
        None => path.to_owned(),
    }
}

/// Drops outside pieces with few connections, and shows their number as one piece.
pub(super) fn drop_weak_outsiders(
    mut pieces: Vec<Piece>,
    edges: Vec<Edge>,
    most: usize,
) -> PrunedPicture {
    let outside: Vec<u32> = (0..pieces.len() as u32)
        .filter(|n| pieces[*n as usize].kind == PieceKind::Outside)
        .collect();
    if outside.len() <= most {
        return PrunedPicture { pieces, edges };
    }
    let mut weight = vec![0u64; pieces.len()];
    for edge in &edges {
        let uses = u64::from(edge.weight.total());
        weight[edge.from as usize] += uses;
        weight[edge.to as usize] += uses;
    }
    let mut order = outside;
    order.sort_by_key(|n| (std::cmp::Reverse(weight[*n as usize]), *n));
    let rest = order.split_off(most - 1);
    let mut place: Vec<u32> = vec![0; pieces.len()];
    let mut kept = Vec::with_capacity(pieces.len());
    let names: Vec<String> = rest
        .iter()
        .map(|n| pieces[*n as usize].id.clone())
        .collect();
    let mut stranger = Piece {
        id: "…".to_owned(),
        label: format!("… {} more outside", rest.len()),
        group: String::new(),
        kind: PieceKind::Outside,
        symbol_kind: String::new(),
        files: 0,
        lines: 0,
        complexity: 0,
        heat: 0.0,
        folded: (names.iter().take(NAMED).cloned().collect(), names.len()),
    };
    let last = (pieces.len() - rest.len()) as u32;
    let mut is_rest = vec![false; pieces.len()];
    rest.iter().for_each(|n| is_rest[*n as usize] = true);
    for (number, piece) in pieces.drain(..).enumerate() {
        if is_rest[number] {
            stranger.files += piece.files;
            stranger.lines += piece.lines;
            stranger.complexity += piece.complexity;
            place[number] = last;
        } else {
            place[number] = kept.len() as u32;
            kept.push(piece);
        }
    }
    kept.push(stranger);
    let moved = edges.into_iter().map(|edge| Edge {
        from: place[edge.from as usize],
        to: place[edge.to as usize],
        ..edge
    });
    let edges = moved.filter(|edge| edge.from != edge.to).collect();
    PrunedPicture {
        pieces: kept,
        edges: super::edges::merge_edges(edges),
    }
}
