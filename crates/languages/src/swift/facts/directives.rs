//! Conditional compilation: which branches of `#if` are built on Linux.

/// The open branches of `#if`, innermost last.
#[derive(Default)]
pub(super) struct Branches {
    open: Vec<Branch>,
}

struct Branch {
    /// Whether an earlier branch of the same `#if` is built.
    is_decided: bool,
    /// Whether this branch is built.
    is_built: bool,
}

/// Modules that are there on systems of Apple only.
const APPLE: [&str; 14] = [
    "Darwin",
    "UIKit",
    "AppKit",
    "Network",
    "SwiftUI",
    "Combine",
    "os",
    "ObjectiveC",
    "Security",
    "CryptoKit",
    "CoreFoundation",
    "WatchKit",
    "CoreGraphics",
    "CommonCrypto",
];

impl Branches {
    pub(super) fn len(&self) -> usize {
        self.open.len()
    }

    /// Closes branches that are open beyond a number.
    pub(super) fn close(&mut self, open: usize) {
        self.open.truncate(open);
    }

    /// Reads a directive.
    pub(super) fn read(&mut self, text: &str) {
        let text = text.trim().trim_start_matches('#').trim_start();
        let (word, condition) = text.split_once([' ', '(']).unwrap_or((text, ""));
        match word {
            "if" => {
                let is_built = holds(condition);
                self.open.push(Branch {
                    is_decided: is_built,
                    is_built,
                });
            }
            "elseif" | "else" => {
                if let Some(branch) = self.open.last_mut() {
                    let applies = word == "else" || holds(condition);
                    branch.is_built = !branch.is_decided && applies;
                    branch.is_decided |= branch.is_built;
                }
            }
            "endif" => {
                self.open.pop();
            }
            _ => {}
        }
    }

    /// Whether the place is in a branch that is not built on Linux, or not by default.
    pub(super) fn is_left_out(&self) -> bool {
        self.open.iter().any(|branch| !branch.is_built)
    }
}

/// Whether a condition may hold on Linux. What is not known may hold.
fn holds(condition: &str) -> bool {
    let condition = &condition[..floor(condition, 400)];
    condition
        .split("||")
        .any(|all| all.split("&&").all(one_holds))
}

fn floor(text: &str, most: usize) -> usize {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    end
}

fn one_holds(condition: &str) -> bool {
    let text = condition.trim().trim_start_matches('(').trim();
    if let Some(rest) = text.strip_prefix('!') {
        return !known(rest.trim().trim_start_matches('(')).unwrap_or(false);
    }
    known(text).unwrap_or(true)
}

/// Whether a condition holds on Linux, if that is known.
fn known(text: &str) -> Option<bool> {
    let (word, rest) = text.split_once('(')?;
    let argument = rest.split([')', ',']).next().unwrap_or("").trim();
    match word.trim() {
        "os" => Some(argument == "Linux"),
        "targetEnvironment" => Some(false),
        "canImport" if APPLE.contains(&argument) => Some(false),
        "canImport" if matches!(argument, "Glibc" | "Foundation" | "FoundationNetworking") => {
            Some(true)
        }
        "canImport"
            if matches!(
                argument,
                "WinSDK" | "Musl" | "Android" | "WASILibc" | "Bionic"
            ) =>
        {
            Some(false)
        }
        "swift" | "compiler" => Some(argument.starts_with('>')),
        "arch" => Some(matches!(argument, "x86_64" | "arm64")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::Branches;

    #[test]
    fn branches_of_linux_are_built() {
        let built = |directives: &[&str]| {
            let mut branches = Branches::default();
            directives.iter().for_each(|text| branches.read(text));
            !branches.is_left_out()
        };
        assert!(built(&["#if os(Linux)"]) && !built(&["#if os(Linux)", "#else"]));
        assert!(!built(&["#if canImport(Darwin)"]) && built(&["#if canImport(Darwin)", "#else"]));
        assert!(built(&["#if os(macOS) || os(Linux)"]) && !built(&["#if os(macOS) && DEBUG"]));
        assert!(built(&["#if DEBUG"]) && !built(&["#if DEBUG", "#elseif swift(>=6)"]));
        assert!(built(&["#if !canImport(Darwin)"]) && built(&["#if os(iOS)", "#endif"]));
    }
}
