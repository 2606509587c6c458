//! An agent's entry that starts the server.

/// A program with its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Server {
    pub(crate) command: String,
    pub(crate) args: Vec<String>,
    /// Whether the entry has further settings for the program: variables, a folder, an address. `setup` writes none
    /// of these.
    pub(crate) has_more: bool,
}

/// Names of further settings that decide which program starts.
pub(crate) const DECIDING: [&str; 8] = [
    "cwd",
    "env",
    "envFile",
    "env_keys",
    "environment",
    "envs",
    "headers",
    "url",
];

impl Server {
    /// Whether `setup` may have written this entry, for a copy of this program in any folder.
    pub(crate) fn is_ours(&self) -> bool {
        let args: Vec<&str> = self.args.iter().map(String::as_str).collect();
        !self.has_more
            && is_own_program(&self.command)
            && matches!(args[..], ["mcp"] | ["mcp", "-C", _])
    }
}

/// Whether a path leads to a program of this name, with or without a version after it.
pub(crate) fn is_own_program(path: &str) -> bool {
    if path.contains(['"', '\'']) {
        return false;
    }
    let name = path.rsplit(['/', '\\']).next();
    let rest = name.and_then(|name| name.strip_prefix(crate::NAME));
    let rest = rest.map(|rest| rest.strip_suffix(".exe").unwrap_or(rest));
    // A copy may have its version after the name; `knotwork-audit` is another program.
    let is_version = |rest: &str| {
        let version = rest.trim_start_matches(['-', '_', 'v']);
        version.starts_with(|c: char| c.is_ascii_digit())
            && version
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "._-+".contains(c))
    };
    rest.is_some_and(|rest| rest.is_empty() || is_version(rest))
}
