//! Lock files read directly: the packages that a project depends on, their versions, and the routes to them.
//!
//! Every format is read into one structure: a graph with the project's own parts as its roots. Facts that a format lacks (which
//! module needs another, in `go.mod`) are not made up: such packages hang on the project and count as indirect.

mod cargo;
mod composer;
mod go;
mod gradle;
mod manifests;
mod maven;
mod names;
mod npm;
mod package_json;
mod pnpm;
mod poetry;
mod pyproject;
mod python;
mod requirements;
mod route;
mod ruby;
mod table;
#[cfg(test)]
mod tests;
mod uv;
mod yaml;
mod yarn;

pub use manifests::Manifests;
pub use names::package_name;
pub use python::normalize_name as python_name;
pub(crate) use route::DependentsIndex;
pub use route::{Route, find_routes};

use serde::{Deserialize, Serialize};

/// A package ecosystem, by its name in the OSV schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Ecosystem {
    /// npm, pnpm, yarn.
    #[serde(rename = "npm")]
    Npm,
    /// Rust.
    #[serde(rename = "crates.io")]
    Cargo,
    /// Python.
    #[serde(rename = "PyPI")]
    PyPi,
    /// Go.
    Go,
    /// PHP.
    Packagist,
    /// Ruby.
    RubyGems,
    /// Maven and Gradle.
    Maven,
}

impl Ecosystem {
    /// The word in every answer.
    pub fn as_str(self) -> &'static str {
        match self {
            Ecosystem::Npm => "npm",
            Ecosystem::Cargo => "crates.io",
            Ecosystem::PyPi => "PyPI",
            Ecosystem::Go => "Go",
            Ecosystem::Packagist => "Packagist",
            Ecosystem::RubyGems => "RubyGems",
            Ecosystem::Maven => "Maven",
        }
    }

    /// The ecosystem of that word, in any case; a release of one (`Go:1.2`) counts as it.
    pub fn parse(word: &str) -> Option<Ecosystem> {
        let word = word.split(':').next().unwrap_or(word);
        let all = [
            Ecosystem::Npm,
            Ecosystem::Cargo,
            Ecosystem::PyPi,
            Ecosystem::Go,
            Ecosystem::Packagist,
            Ecosystem::RubyGems,
            Ecosystem::Maven,
        ];
        all.into_iter()
            .find(|e| e.as_str().eq_ignore_ascii_case(word))
    }

    /// A package's name in normal form: case and marks that the registry treats as equal become equal.
    pub fn normalize_name(self, name: &str) -> String {
        match self {
            Ecosystem::PyPi => python::normalize_name(name),
            Ecosystem::Cargo => name.replace('_', "-").to_lowercase(),
            Ecosystem::Npm | Ecosystem::Packagist | Ecosystem::RubyGems => name.to_lowercase(),
            Ecosystem::Go | Ecosystem::Maven => name.to_owned(),
        }
    }
}

/// A package in one version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockedPackage {
    /// Its name in the registry (`group:artifact` for Maven).
    pub name: String,
    /// Its version; empty if the file pins none.
    pub version: String,
    /// Dependencies: positions in [`Lockfile::packages`], ascending.
    pub dependencies: Vec<u32>,
    /// Whether only development, tests and builds of the project itself lead to it.
    pub dev: bool,
}

/// A part of the repository that asks for packages: a workspace member, a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// Its name.
    pub name: String,
    /// Dependencies.
    pub dependencies: Vec<RootDependency>,
}

/// A dependency of a root.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RootDependency {
    /// Position in [`Lockfile::packages`].
    pub package: u32,
    /// Whether it is for development, tests or the build alone.
    pub dev: bool,
    /// Whether something else needs it, but the file does not say what.
    pub indirect: bool,
}

/// Contents of a lock file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lockfile {
    /// Its path in the project.
    pub path: String,
    /// Ecosystem of the packages.
    pub ecosystem: Ecosystem,
    /// The format, with its version if there are several (`package-lock 3`).
    pub format: String,
    /// Every package, by name and version.
    pub packages: Vec<LockedPackage>,
    /// The repository's parts, by name.
    pub roots: Vec<Root>,
}

/// Why a lock file could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LockProblem {
    /// Its path in the project.
    pub file_path: String,
    /// The line of the error, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Description of the error.
    pub reason: String,
}

impl std::fmt::Display for LockProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file_path, self.reason),
            None => write!(f, "{}: {}", self.file_path, self.reason),
        }
    }
}

/// An error in a text, without the path of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ParseError {
    line: Option<u32>,
    reason: String,
}

impl ParseError {
    fn without_line(reason: impl Into<String>) -> ParseError {
        ParseError {
            line: None,
            reason: reason.into(),
        }
    }

    fn at_line(line: usize, reason: impl Into<String>) -> ParseError {
        ParseError {
            line: u32::try_from(line).ok().filter(|line| *line > 0),
            reason: reason.into(),
        }
    }
}

/// A format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    PackageLock,
    Pnpm,
    Yarn,
    Cargo,
    Poetry,
    Uv,
    Requirements,
    Go,
    Composer,
    Bundler,
    Maven,
    Gradle,
}

/// Whether a path is a file that [`read`] reads.
pub fn is_lock_file(path: &str) -> bool {
    format_of(path).is_some()
}

/// The package manager of a lock file that [`read`] does not read; `None` for other files. Such files are named where
/// others are searched.
pub fn manager_of_unread(path: &str) -> Option<&'static str> {
    let name = file_name(path);
    let is_pylock = name.starts_with("pylock.") && name.ends_with(".toml");
    Some(match name {
        "bun.lock" | "bun.lockb" => "Bun",
        "deno.lock" => "Deno",
        "Pipfile.lock" => "Pipenv",
        "pdm.lock" => "PDM",
        "pixi.lock" => "Pixi",
        "conda-lock.yml" => "conda-lock",
        _ if is_pylock => "the pylock format",
        "packages.lock.json" | "packages.config" => "NuGet",
        "paket.lock" => "Paket",
        "mix.lock" => "Mix",
        "rebar.lock" => "Rebar",
        "pubspec.lock" => "Dart's pub",
        "Podfile.lock" => "CocoaPods",
        "Package.resolved" => "Swift's package manager",
        "Cartfile.resolved" => "Carthage",
        "conan.lock" => "Conan",
        "renv.lock" => "renv",
        "shard.lock" => "Shards",
        "stack.yaml.lock" => "Stack",
        "cabal.project.freeze" => "Cabal",
        "dub.selections.json" => "Dub",
        "Gopkg.lock" => "dep",
        "Manifest.toml" | "JuliaManifest.toml" => "Julia's Pkg",
        "build.sbt.lock" => "sbt-dependency-lock",
        _ => return None,
    })
}

/// Files of the project that a list of requirements includes (`-r other.txt`).
pub fn included_files(path: &str, text: &str) -> Vec<String> {
    match format_of(path) {
        Some(Format::Requirements) | None => requirements::included_files(path, text),
        Some(_) => Vec::new(),
    }
}

/// Reads a list of requirements with any name.
///
/// # Errors
/// As [`read`].
pub fn read_requirements(path: &str, text: &str) -> Result<Lockfile, LockProblem> {
    let text = text.trim_start_matches('\u{feff}');
    finish(path, requirements::read(path, text))
}

/// Whether a path is a manifest that is read together with lock files.
pub fn is_manifest(path: &str) -> bool {
    let names = [
        "package.json",
        "Cargo.toml",
        "pyproject.toml",
        "composer.json",
        "Gemfile",
        "go.sum",
        "pom.xml",
    ];
    names.contains(&file_name(path))
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The folder of a path, with a `/` at its end; empty for the root.
fn folder_of(path: &str) -> &str {
    path.rfind('/').map_or("", |at| &path[..=at])
}

/// Name of a root that declares none: that of its folder.
fn folder_name(path: &str) -> String {
    let folder = folder_of(path).trim_end_matches('/');
    match file_name(folder) {
        "" => "project".to_owned(),
        name => name.to_owned(),
    }
}

fn format_of(path: &str) -> Option<Format> {
    let name = file_name(path);
    Some(match name {
        "package-lock.json" | "npm-shrinkwrap.json" => Format::PackageLock,
        "pnpm-lock.yaml" => Format::Pnpm,
        "yarn.lock" => Format::Yarn,
        "Cargo.lock" => Format::Cargo,
        "poetry.lock" => Format::Poetry,
        "uv.lock" => Format::Uv,
        "go.mod" => Format::Go,
        "composer.lock" => Format::Composer,
        "Gemfile.lock" | "gems.locked" => Format::Bundler,
        "pom.xml" => Format::Maven,
        "gradle.lockfile" | "buildscript-gradle.lockfile" => Format::Gradle,
        _ if is_requirements(path, name) => Format::Requirements,
        _ => return None,
    })
}

/// `requirements.txt`, `dev-requirements.txt`, `requirements_test.txt`, `requirements/dev.txt`.
fn is_requirements(path: &str, name: &str) -> bool {
    let Some(stem) = name.strip_suffix(".txt") else {
        return false;
    };
    let folder = file_name(folder_of(path).trim_end_matches('/'));
    stem.contains("requirements") || folder == "requirements"
}

/// Reads a lock file together with the manifests of the repository.
///
/// # Errors
/// Text that is not in its format, with the line where there is one.
pub fn read(path: &str, text: &str, manifests: &Manifests) -> Result<Lockfile, LockProblem> {
    let text = text.trim_start_matches('\u{feff}');
    let Some(format) = format_of(path) else {
        return Err(LockProblem {
            file_path: path.to_owned(),
            line: None,
            reason: "unknown lock file format".to_owned(),
        });
    };
    manifests.reset_refused();
    let found = match format {
        Format::PackageLock => npm::read(path, text, manifests),
        Format::Pnpm => pnpm::read(path, text, manifests),
        Format::Yarn => yarn::read(path, text, manifests),
        Format::Cargo => cargo::read(path, text, manifests),
        Format::Poetry => poetry::read(path, text, manifests),
        Format::Uv => uv::read(path, text),
        Format::Requirements => requirements::read(path, text),
        Format::Go => go::read(path, text, manifests),
        Format::Composer => composer::read(path, text, manifests),
        Format::Bundler => ruby::read(path, text, manifests),
        Format::Maven => maven::read(path, text, manifests),
        Format::Gradle => gradle::read(path, text),
    };
    let file = finish(path, found)?;
    if manifests.has_refused() {
        return Err(LockProblem {
            file_path: path.to_owned(),
            line: None,
            reason: "the manifests that go with the lock files are too many or too large"
                .to_owned(),
        });
    }
    Ok(file)
}

fn finish(
    path: &str,
    found: Result<table::LockfileBuilder, ParseError>,
) -> Result<Lockfile, LockProblem> {
    let table = found.map_err(|broken| LockProblem {
        file_path: path.to_owned(),
        line: broken.line,
        reason: broken.reason,
    })?;
    if table.is_full() {
        return Err(LockProblem {
            file_path: path.to_owned(),
            line: None,
            reason: format!("more than {} packages", table::MOST_PACKAGES),
        });
    }
    Ok(table.into_lockfile(path))
}

fn parse_json(text: &str) -> Result<serde_json::Value, ParseError> {
    if !crate::json::is_bounded(text.as_bytes()) {
        return Err(ParseError::without_line(crate::json::TOO_MANY));
    }
    serde_json::from_str(text).map_err(|error| {
        let reason = error.to_string();
        let reason = reason
            .split(" at line ")
            .next()
            .unwrap_or(&reason)
            .to_owned();
        ParseError::at_line(error.line(), format!("no JSON: {reason}"))
    })
}

/// The tables of `[[package]]`, as the lock files of Cargo, Poetry and uv have them.
fn packages_of(file: &toml::Table) -> Vec<&toml::Table> {
    let packages = file.get("package").and_then(toml::Value::as_array);
    let packages = packages.into_iter().flatten();
    packages.filter_map(toml::Value::as_table).collect()
}

fn parse_toml(text: &str) -> Result<toml::Table, ParseError> {
    if !crate::json::is_bounded_toml(text) {
        return Err(ParseError::without_line(crate::json::TOO_MANY));
    }
    text.parse::<toml::Table>().map_err(|error| {
        let at = error.span().map_or(0, |span| span.start).min(text.len());
        let line = text.as_bytes()[..at]
            .iter()
            .filter(|b| **b == b'\n')
            .count()
            + 1;
        ParseError::at_line(line, format!("no TOML: {}", error.message()))
    })
}
