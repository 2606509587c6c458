//! A repository linked from its syntax trees alone, without a store.

use anyhow::Result;
use base::Language;
use linker::{LinkedFile, Manifest, Repo};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const MAX_BYTES: u64 = 1 << 20;

const MANIFESTS: [&str; 13] = [
    "package.json",
    "jsconfig.json",
    "pnpm-workspace.yaml",
    "go.mod",
    "go.work",
    "Cargo.toml",
    "pyproject.toml",
    "setup.cfg",
    "setup.py",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "settings.gradle",
];

/// A linked repository.
pub struct Corpus {
    /// Files and their facts.
    pub repo: Repo,
    /// The results of linking, by file.
    pub linked: Vec<LinkedFile>,
}

/// Paths of sources and manifests below `root`, with `/`, sorted, as the product walks a tree.
fn walk(root: &Path) -> Vec<(String, PathBuf)> {
    let mut packages: Vec<(String, PathBuf)> = Vec::new();
    let mut found: Vec<(String, PathBuf)> = ignore::WalkBuilder::new(root)
        .build()
        .filter_map(Result::ok)
        .inspect(|e| {
            // Some repositories track this file although they ignore it.
            let at = e.path().join("package.json");
            if let Ok(path) = at.strip_prefix(root)
                && at.is_file()
            {
                let path = path.to_string_lossy().replace('\\', "/");
                packages.push((path, at.clone()));
            }
        })
        .filter(|e| e.file_type().is_some_and(|t| t.is_file()))
        .filter(|e| e.metadata().is_ok_and(|m| m.len() <= MAX_BYTES))
        .filter_map(|e| {
            let path = e
                .path()
                .strip_prefix(root)
                .ok()?
                .to_str()?
                .replace('\\', "/");
            Some((path, e.into_path()))
        })
        .collect();
    found.extend(packages);
    found.sort();
    found.dedup();
    found
}

fn is_manifest(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    MANIFESTS.contains(&name) || name.starts_with("tsconfig") && name.ends_with(".json")
}

impl Corpus {
    /// Reads, parses and links everything below `root`.
    pub fn link(root: &Path) -> Corpus {
        let all = walk(root);
        let files = all
            .par_iter()
            .filter_map(|(path, at)| {
                let language = Language::from_path(path)?;
                let bytes = std::fs::read(at).ok()?;
                let source = String::from_utf8_lossy(&bytes);
                let facts = Arc::new(languages::extract(language, &source));
                Some((Arc::<str>::from(path.as_str()), facts))
            })
            .collect();
        let manifests = all
            .iter()
            .filter(|(path, _)| is_manifest(path))
            .filter_map(|(path, at)| {
                Some(Manifest {
                    path: path.as_str().into(),
                    text: std::fs::read_to_string(at).ok()?.into(),
                })
            })
            .collect();
        let repo = Repo::new(files, manifests);
        let langs = languages::tables(&repo);
        let linked = linker::link(&repo, &langs, &|| ());
        Corpus { repo, linked }
    }
}
