//! Files of the repository for frames of stack traces: found by the end of their path, never by a guess.

use super::gather::EvidenceCollector;
use super::packages::{OwnPackages, PackagedFile};
use crate::EngineError;
use crate::graph_state::GraphState;
use crate::project::Project;
use crate::session::Session;
use analysis::bug_locate::{Frame, SourceMap};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;
use text::list::{self, WordList};

/// The number of matching path components that suffices even if the ones before differ: the name and two folders.
const ENOUGH_PARTS: usize = 3;
/// The most files of one name that are searched for a function.
const MOST_CANDIDATES: usize = 64;
/// The most lines, less one, of a definition that is shown whole.
const SHORT: u32 = 60;
/// Lines shown before and after a frame's line in a longer definition.
const AROUND: u32 = 10;
/// The most bytes of a source map or generated file.
const MOST: u64 = 32 << 20;
/// The most bytes of all of them for one report.
const MOST_OF_ALL: usize = 64 << 20;

/// Files by their names, for look-up by the end of a path.
pub(super) struct PathSuffixIndex<'f> {
    by_name: BTreeMap<&'f str, Vec<&'f str>>,
}

impl<'f> PathSuffixIndex<'f> {
    pub(super) fn new(paths: impl Iterator<Item = &'f str>) -> PathSuffixIndex<'f> {
        let mut by_name: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for path in paths {
            let name = path.rsplit('/').next().unwrap_or(path);
            by_name.entry(name).or_default().push(path);
        }
        PathSuffixIndex { by_name }
    }

    /// The one file that shares the longest end of the path. A matching name alone is not enough where the path has folders that
    /// differ, or where several files have the name.
    pub(super) fn find_by_suffix(&self, path: &str) -> Option<&'f str> {
        match self.find_all_by_suffix(path)[..] {
            [one] => Some(one),
            _ => None,
        }
    }

    /// The files that share the longest end of the path, where that is long enough.
    fn find_all_by_suffix(&self, path: &str) -> Vec<&'f str> {
        self.best_by_suffix(path).unwrap_or_default()
    }

    fn best_by_suffix(&self, path: &str) -> Option<Vec<&'f str>> {
        let path = path.trim_start_matches("../");
        let name = path.rsplit('/').next()?;
        let all = self.by_name.get(name)?;
        let parts = |file: &str| -> usize {
            let same = file.rsplit('/').zip(path.rsplit('/'));
            same.take_while(|(a, b)| a == b).count()
        };
        let most = all.iter().map(|file| parts(file)).max()?;
        let best = all.iter().filter(|file| parts(file) == most).copied();
        // Either one of the two paths matches completely, or enough folders do.
        let theirs = path.matches('/').count() + 1;
        let agrees = |found: &&str| {
            let ours = found.matches('/').count() + 1;
            most == ours.min(theirs) || most >= ENOUGH_PARTS
        };
        let best: Vec<&str> = best.collect();
        best.first().is_some_and(agrees).then_some(best)
    }
}

impl EvidenceCollector<'_> {
    /// Counts the frames of stack traces for the files that they name.
    pub(super) fn score_frames(&mut self, session: &Session<'_>) -> Result<(), EngineError> {
        let files = self.files.clone();
        let former = self.former_paths();
        let tails = PathSuffixIndex::new(files.iter().map(String::as_str));
        let before = PathSuffixIndex::new(former.keys().map(String::as_str));
        let mut maps = SourceMaps::default();
        let mut packages = Packages::default();
        let tuning = &self.tuning.signals;
        for trace in &self.clues.traces {
            let mut nth = 0;
            for frame in &trace.frames {
                let (frame, mapped) = match maps.map_to_source(session.project(), &tails, frame) {
                    Some(source) => (source, true),
                    None => (frame.clone(), false),
                };
                // A trace of an older version may name a file by its former path.
                let renamed = || {
                    former
                        .get(find_frame_file(&before, &frame)?)
                        .map(String::as_str)
                };
                let known = find_frame_file(&tails, &frame)
                    .or_else(renamed)
                    .map(str::to_owned);
                let known = match known {
                    None => self.find_by_function(&session.state, &tails, &frame)?,
                    known => known,
                };
                let (known, frame) = match known {
                    None => packages.find_source(session.project(), &files, frame),
                    known => (known, frame),
                };
                let place = match known {
                    Some(path) => Some((path, None)),
                    None => self
                        .find_moved_function(&session.state, &frame)?
                        .map(|(path, line)| (path, Some(line))),
                };
                let Some((path, moved)) = place else {
                    self.counts.external += 1;
                    continue;
                };
                let path = path.as_str();
                self.counts.in_repository += 1;
                let plain = trace.language.is_plain();
                let aside = base::is_test_path(path);
                let base = if aside { tuning.frame_in_test } else { 1.0 }
                    * if plain { tuning.frame_plain } else { 1.0 };
                let weight = base * tuning.frame_decay.powi(nth);
                nth += i32::from(!aside);
                let own = (&session.state, session.project());
                let moved_within = self.moved_lines(own, path, &frame)?;
                // The line of the frame may be that of a removed file, or of an older state of the file.
                let (frame, how) = match (moved, moved_within) {
                    (Some(line), _) if frame.path.is_empty() => {
                        (Frame { line, ..frame }, ", the only function of that name")
                    }
                    (Some(line), _) => (Frame { line, ..frame }, ", where its function is today"),
                    (None, Some((from, _))) => {
                        let differs = frame.line.is_some_and(|line| line != from);
                        let line = Some(from);
                        let how = if differs {
                            ", by its name and not its line"
                        } else {
                            ""
                        };
                        (Frame { line, ..frame }, how)
                    }
                    (None, None) if mapped => (frame, ", by its source map"),
                    (None, None) => (frame, ""),
                };
                let weight = if moved.is_some() {
                    tuning.frame_moved * weight
                } else {
                    weight
                };
                let lines = moved_within;
                let evidence = FrameEvidence {
                    weight,
                    nth,
                    how,
                    lines,
                };
                self.score_frame(&session.state, path, &frame, evidence)?;
            }
        }
        if maps.cut {
            let warning = "source maps after the first 64 MB were not read";
            self.warnings.push(warning.to_owned());
        }
        let named = self.tuning.reasons.path;
        for path in &self.clues.paths {
            if let Some(path) = tails.find_by_suffix(path) {
                let found = self.evidence_of(path);
                found.signals.path = 1.0;
                found.add_reason(named, format!("named in the report: {path}"));
            }
        }
        Ok(())
    }

    /// Among several files that a path may mean, the one that defines the frame's function.
    fn find_by_function(
        &self,
        state: &GraphState,
        tails: &PathSuffixIndex<'_>,
        frame: &Frame,
    ) -> Result<Option<String>, EngineError> {
        if is_external_frame(frame) || PackagedFile::parse(&frame.path).is_some() {
            return Ok(None);
        }
        let mut found = None;
        let candidates = tails.find_all_by_suffix(&frame.path);
        for path in candidates.into_iter().take(MOST_CANDIDATES) {
            if self.defines_function(state, path, frame)? {
                if found.is_some() {
                    return Ok(None);
                }
                found = Some(path.to_owned());
            }
        }
        Ok(found)
    }

    /// The present file and line of a frame's function whose file history cannot follow: the only definition of that name, in a
    /// file of the same name.
    fn find_moved_function(
        &self,
        state: &GraphState,
        frame: &Frame,
    ) -> Result<Option<(String, Option<u32>)>, EngineError> {
        let name = frame.function.as_deref().unwrap_or_default();
        let name = name.trim_end_matches("()");
        let name = name
            .rsplit(['.', ':', '$', '#', '/'])
            .next()
            .unwrap_or(name);
        // An absolute path may belong to another program.
        let whole = frame.path.starts_with('/') || frame.path.contains([':', '\\']);
        let is_packaged = PackagedFile::parse(&frame.path).is_some();
        if name.is_empty() || whole || is_packaged || is_external_frame(frame) {
            return Ok(None);
        }
        let file_name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
        // Machine code without debug information names no file.
        let fits = |path: &str| frame.path.is_empty() || file_name(path) == file_name(&frame.path);
        let nodes = self.definitions_of(state, name)?;
        Ok(match &nodes[..] {
            [one] if fits(&one.file_path) => Some((one.file_path.clone(), one.line_start)),
            _ => None,
        })
    }

    /// Present paths by former ones, from renames in the history.
    fn former_paths(&self) -> BTreeMap<String, String> {
        let Some(history) = &self.history else {
            return BTreeMap::new();
        };
        let known = history.former.iter().filter_map(|(path, file)| {
            let today = history.files.get(*file as usize)?;
            let renamed = self.files.contains(today) && !self.files.contains(path);
            renamed.then(|| (path.clone(), today.clone()))
        });
        known.collect()
    }

    fn score_frame(
        &mut self,
        state: &GraphState,
        path: &str,
        frame: &Frame,
        FrameEvidence {
            weight,
            nth,
            how,
            lines,
        }: FrameEvidence<'_>,
    ) -> Result<(), EngineError> {
        let around = match frame.line {
            Some(line) => self.enclosing_definition(state, path, line)?,
            None => None,
        };
        let lines = match (&around, frame.line) {
            (None, Some(line)) if lines.is_some() => {
                let (from, to) = lines.unwrap_or((line, line));
                clamp_to_definition(Some(from), Some(to), line)
            }
            (Some(node), Some(line)) => clamp_to_definition(node.line_start, node.line_end, line),
            (None, Some(line)) => (line, line),
            (_, None) => (1, 1),
        };
        if let Some(node) = &around {
            self.add_anchor(&node.id, weight);
        }
        let (places, reasons) = (&self.tuning.places, &self.tuning.reasons);
        let found = self.evidence_of(path);
        found.signals.frame = found.signals.frame.max(weight);
        found.note_location(lines, places.frame * weight);
        let which = match nth {
            0 | 1 => "the innermost frame of the repository".to_owned(),
            n => format!("frame {n} of the repository"),
        };
        let line = frame
            .line
            .map_or_else(String::new, |line| format!(" at line {line}"));
        let name = frame.function.as_deref();
        let name = name.map_or_else(String::new, |name| format!(" ({name})"));
        found.add_reason(reasons.frame * weight, format!("{which}{line}{name}{how}"));
        Ok(())
    }
}

/// The lines of a short definition; for a long one those around the line.
fn clamp_to_definition(start: Option<u32>, end: Option<u32>, line: u32) -> (u32, u32) {
    let (start, end) = (start.unwrap_or(line), end.unwrap_or(line));
    if end.saturating_sub(start) <= SHORT {
        (start, end)
    } else {
        (
            line.saturating_sub(AROUND).max(start),
            (line + AROUND).min(end),
        )
    }
}

/// The file of a frame. Installed packages and the sources of runtimes may have files of the same names. For an installed Python
/// package the whole path within it must exist here too.
fn find_frame_file<'f>(tails: &PathSuffixIndex<'f>, frame: &Frame) -> Option<&'f str> {
    for folder in ["site-packages/", "dist-packages/"] {
        if let Some((_, inner)) = frame.path.rsplit_once(folder) {
            let found = tails
                .find_by_suffix(inner)
                .filter(|_| inner.contains('/'))?;
            let whole = found == inner || found.ends_with(&format!("/{inner}"));
            return whole.then_some(found);
        }
    }
    // The package of a version is known from a manifest only.
    let found = tails.find_by_suffix(&frame.path);
    if is_external_frame(frame) || PackagedFile::parse(&frame.path).is_some() {
        // A copy of the package may be in the repository.
        found.filter(|found| PackagedFile::parse(&format!("/{found}")).is_some())
    } else {
        found
    }
}

/// Parts of paths of installed packages and runtimes.
static INSTALLED: WordList = LazyLock::new(|| list::words(include_str!("installed.txt")).collect());

/// Whether a frame is in an installed package or a runtime.
fn is_external_frame(frame: &Frame) -> bool {
    let path = format!("/{}", frame.path);
    INSTALLED.iter().any(|other| path.contains(other))
}

/// The packages of the repository, read at the first frame in an installed one.
#[derive(Default)]
struct Packages {
    own: Option<OwnPackages>,
}

impl Packages {
    /// The source of a frame in an installed package of this repository, with the frame. The frame loses its line where that is
    /// one of a built file.
    fn find_source(
        &mut self,
        project: &Project,
        files: &BTreeSet<String>,
        frame: Frame,
    ) -> (Option<String>, Frame) {
        let Some(packaged) = PackagedFile::parse(&frame.path) else {
            return (None, frame);
        };
        let own = self
            .own
            .get_or_insert_with(|| OwnPackages::read(project, files));
        own.add_gem_of(project, &packaged);
        match own.find_source(&packaged, files) {
            Some((path, true)) => (Some(path), frame),
            Some((path, false)) => {
                let line = None;
                (Some(path), Frame { line, ..frame })
            }
            None => (None, frame),
        }
    }
}

/// Source maps read for one report.
#[derive(Default)]
struct SourceMaps {
    /// Source maps by the path of the generated file; none for a file without one.
    known: BTreeMap<String, Option<SourceMap>>,
    /// The path inside the project for each path of a frame.
    real: BTreeMap<String, Option<String>>,
    bytes: usize,
    /// Whether some source maps were left unread because of a limit.
    cut: bool,
}

impl SourceMaps {
    /// The place in the source for a place in a generated file, by a source map beside that file or within it.
    fn map_to_source(
        &mut self,
        project: &Project,
        tails: &PathSuffixIndex<'_>,
        frame: &Frame,
    ) -> Option<Frame> {
        let generated = [".js", ".mjs", ".cjs"]
            .iter()
            .any(|e| frame.path.ends_with(e));
        let line = frame.line.filter(|_| generated)?;
        let tail = match self.real.get(&frame.path) {
            Some(known) => known.clone(),
            None => {
                let found = find_project_suffix(project, &frame.path);
                self.real.insert(frame.path.clone(), found.clone());
                found
            }
        }?;
        if !self.known.contains_key(&tail) {
            let map = self.load_map(project, &tail);
            self.known.insert(tail.clone(), map);
        }
        let map = self.known.get(&tail)?.as_ref()?;
        let original = map.find_original_position(line, frame.column)?;
        let folder = tail.rsplit_once('/').map_or("", |(folder, _)| folder);
        let path = resolve_source_path(folder, &original.path);
        tails.find_by_suffix(&path)?;
        Some(Frame {
            path,
            line: Some(original.line),
            column: Some(original.column),
            function: frame.function.clone(),
        })
    }

    fn load_map(&mut self, project: &Project, tail: &str) -> Option<SourceMap> {
        if self.bytes >= MOST_OF_ALL {
            self.cut = true;
            return None;
        }
        match read_text(project, &format!("{tail}.map")) {
            Some(text) => {
                self.bytes += text.len();
                SourceMap::parse(&text)
            }
            None => {
                let text = read_text(project, tail)?;
                self.bytes += text.len();
                parse_inline_map(&text)
            }
        }
    }
}

/// The longest end of a path that is a file of the project.
fn find_project_suffix(project: &Project, path: &str) -> Option<String> {
    let shorter = path.match_indices('/').map(|(at, _)| &path[at + 1..]);
    let mut ends = std::iter::once(path).chain(shorter);
    let real = ends.find(|tail| {
        let is_inside = base::join_path("", tail) == *tail;
        is_inside && project.open(tail).is_ok()
    });
    real.map(str::to_owned)
}

/// A source map in the last line of the file.
fn parse_inline_map(text: &str) -> Option<SourceMap> {
    use base64::Engine as _;
    let (_, rest) = text.rsplit_once("sourceMappingURL=data:application/json")?;
    let (_, data) = rest.split_once("base64,")?;
    let data = data.split_whitespace().next()?;
    let bytes = base64::engine::general_purpose::STANDARD
        .decode(data)
        .ok()?;
    SourceMap::parse(&String::from_utf8(bytes).ok()?)
}

fn read_text(project: &Project, path: &str) -> Option<String> {
    String::from_utf8(project.read_start(path, MOST)?).ok()
}

/// Resolves a source path: `dist` and `../src/a.ts` give `src/a.ts`.
fn resolve_source_path(folder: &str, source: &str) -> String {
    let source = match source.split_once("://") {
        Some((_, rest)) => rest.trim_start_matches('/'),
        None => source,
    };
    base::join_path(folder, source)
}

/// The evidence of a frame for the file that it names.
struct FrameEvidence<'a> {
    weight: f64,
    /// The position among the frames of the repository.
    nth: i32,
    /// The way in which the file was found, for the reason.
    how: &'a str,
    /// The lines of the frame's function, where the frame's line is not in it.
    lines: Option<(u32, u32)>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_by_the_end_of_their_path() {
        let files = [
            "src/app/core.py",
            "lib/core.py",
            "main.go",
            "java/src/com/acme/Main.java",
            "a/index.ts",
            "b/index.ts",
        ];
        let tails = PathSuffixIndex::new(files.into_iter());
        for (path, expected) in [
            ("/srv/u/proj/src/app/core.py", Some("src/app/core.py")),
            ("/x/lib/core.py", Some("lib/core.py")),
            ("core.py", None),
            ("/other/core.py", None),
            ("/srv/main.go", Some("main.go")),
            ("com/acme/Main.java", Some("java/src/com/acme/Main.java")),
            ("org/other/Main.java", None),
            ("/x/index.ts", None),
            ("/x/b/index.ts", Some("b/index.ts")),
            ("none.rs", None),
        ] {
            assert_eq!(tails.find_by_suffix(path), expected, "{path}");
        }
    }

    #[test]
    fn sources_are_relative_to_the_generated_file() {
        assert_eq!(resolve_source_path("dist/js", "../../src/a.ts"), "src/a.ts");
        assert_eq!(
            resolve_source_path("dist", "webpack://app/./src/a.ts"),
            "dist/app/src/a.ts"
        );
        assert_eq!(resolve_source_path("", "a.ts"), "a.ts");
    }
}
