//! Types that share their name and namespace with many others, as in folders of examples. The nearest to a file is found by
//! searching in order of paths.

use linker::repo::GlobalDef;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Types of one name in one namespace.
#[derive(Default)]
pub(super) struct Crowd {
    /// By number of type parameters.
    by_count: BTreeMap<usize, Group>,
}

/// Types with equally many type parameters, sorted by path.
#[derive(Default)]
struct Group {
    all: Vec<GlobalDef>,
    by_project: FxHashMap<u32, Vec<GlobalDef>>,
}

impl Crowd {
    /// Sorts types. `key` gives the number of type parameters, the project and the path of each.
    pub(super) fn new<'a>(
        types: &[GlobalDef],
        key: impl Fn(&GlobalDef) -> (usize, u32, &'a str),
    ) -> Crowd {
        let mut keyed: Vec<(&str, GlobalDef)> =
            types.iter().map(|def| (key(def).2, *def)).collect();
        keyed.sort_by_key(|(path, _)| *path);
        let mut out = Crowd::default();
        for (_, def) in keyed {
            let (count, project, _) = key(&def);
            let group = out.by_count.entry(count).or_default();
            group.all.push(def);
            group.by_project.entry(project).or_default().push(def);
        }
        out
    }

    /// The nearest type to a file: one of its project, then the one with most folders in common, then the first. With no
    /// number of type parameters, those with the fewest are meant.
    pub(super) fn nearest<'a>(
        &self,
        count: Option<usize>,
        project: u32,
        here: &str,
        path: impl Fn(&GlobalDef) -> &'a str,
    ) -> Option<GlobalDef> {
        let group = match count {
            Some(count) => self.by_count.get(&count)?,
            None => self.by_count.values().next()?,
        };
        let types = group.by_project.get(&project).unwrap_or(&group.all);
        let at = types.partition_point(|def| path(def) < here);
        let around = [
            at.checked_sub(1).and_then(|before| types.get(before)),
            types.get(at),
        ];
        // Paths with the same beginning stand together.
        let shared = around
            .into_iter()
            .flatten()
            .map(|def| common_segments(here, path(def)));
        let shared = shared.max()?;
        let beginning = beginning_of(here, shared);
        let first = types.partition_point(|def| path(def) < beginning);
        types.get(first).copied()
    }
}

/// How many segments two paths have in common at their beginning.
pub(super) fn common_segments(a: &str, b: &str) -> usize {
    a.split('/')
        .zip(b.split('/'))
        .take_while(|(a, b)| a == b)
        .count()
}

/// The first segments of a path, with the sign behind them.
fn beginning_of(path: &str, segments: usize) -> &str {
    let end = path.match_indices('/').nth(segments.wrapping_sub(1));
    match (segments, end) {
        (0, _) => "",
        (_, Some((at, _))) => &path[..=at],
        (_, None) => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::facts::DefId;
    use linker::repo::FileId;
    use std::cell::Cell;

    fn types(count: u32) -> Vec<GlobalDef> {
        let def = |file| GlobalDef {
            file: FileId(file),
            def: DefId(0),
        };
        (0..count).map(def).collect()
    }

    #[test]
    fn the_nearest_of_many_is_that_with_most_folders_in_common() {
        let paths = [
            "a-b/x/m.cs",
            "a/m.cs",
            "a/x/m.cs",
            "a/x/y/m.cs",
            "b/m.cs",
            "b/x/m.cs",
        ];
        let path = |def: &GlobalDef| paths[def.file.0 as usize];
        let all = types(paths.len() as u32);
        let crowd = Crowd::new(&all, |def| (0, u32::from(def.file.0 == 5), path(def)));
        for (here, project) in [
            ("a/x/z/q.cs", 0),
            ("a/x/m.cs", 0),
            ("a-b/q.cs", 0),
            ("c/q.cs", 0),
            ("a/x/q.cs", 1),
            ("a/x/q.cs", 2),
            ("b/x/q.cs", 0),
        ] {
            let slow = all.iter().min_by_key(|def| {
                let is_far = u32::from(def.file.0 == 5) != project;
                (is_far, usize::MAX - common_segments(here, path(def)))
            });
            assert_eq!(
                crowd.nearest(None, project, here, path),
                slow.copied(),
                "{here}"
            );
        }
    }

    #[test]
    fn a_crowd_is_not_gone_through_for_each_name() {
        let paths: Vec<String> = (0..4_000).map(|n| format!("d{n:04}/m.cs")).collect();
        let seen = Cell::new(0);
        let path = |def: &GlobalDef| {
            seen.set(seen.get() + 1);
            &*paths[def.file.0 as usize]
        };
        let all = types(4_000);
        let crowd = Crowd::new(&all, |def| (0, 0, &*paths[def.file.0 as usize]));
        let found = crowd.nearest(Some(0), 0, "d2000/m.cs", path);
        assert_eq!(found, Some(all[2_000]));
        assert!(seen.get() < 60, "{}", seen.get());
    }
}
