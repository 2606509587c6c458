//! Which file a class is loaded from, by the manifests of Composer.

use linker::repo::Repo;
use serde_json::Value;

/// Most rules of one repository.
const MOST_RULES: usize = 4_000;
/// Most bytes of memory that one manifest may take when it is decoded.
const MOST_DECODED: usize = 32 << 20;

/// The rules of all manifests: classes whose names begin with a prefix lie in a folder.
#[derive(Default)]
pub(super) struct Autoload {
    rules: Vec<Rule>,
}

struct Rule {
    /// A prefix of whole names, with its last separator.
    prefix: Box<str>,
    /// A folder, with its last separator, or an empty text for the root.
    folder: Box<str>,
    /// PSR-0: the prefix is a part of the path.
    keeps_prefix: bool,
}

impl Autoload {
    /// Reads the manifests.
    pub(super) fn new(repo: &Repo) -> Autoload {
        let mut out = Autoload::default();
        for manifest in repo.manifests.iter() {
            let Some(folder) = manifest.path.strip_suffix("composer.json") else {
                continue;
            };
            out.read(folder, &manifest.text);
        }
        out
    }

    fn read(&mut self, folder: &str, text: &str) {
        if base::json::decoded_size(text.as_bytes()) > MOST_DECODED {
            return;
        }
        let Ok(manifest) = serde_json::from_str::<Value>(text) else {
            return;
        };
        for section in ["autoload", "autoload-dev"] {
            for (standard, keeps_prefix) in [("psr-4", false), ("psr-0", true)] {
                let Some(Value::Object(rules)) =
                    manifest.get(section).and_then(|s| s.get(standard))
                else {
                    continue;
                };
                for (prefix, folders) in rules {
                    self.add_rules(folder, prefix, folders, keeps_prefix);
                }
            }
        }
    }

    fn add_rules(&mut self, base: &str, prefix: &str, folders: &Value, keeps_prefix: bool) {
        let folders: Vec<&str> = match folders {
            Value::String(one) => vec![one],
            Value::Array(all) => all.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        for folder in folders {
            if self.rules.len() == MOST_RULES {
                return;
            }
            let folder = folder.trim_start_matches("./").trim_end_matches('/');
            let end = if folder.is_empty() { "" } else { "/" };
            self.rules.push(Rule {
                prefix: prefix.into(),
                folder: format!("{base}{folder}{end}").into(),
                keeps_prefix,
            });
        }
    }

    /// Whether the class of that whole name is loaded from that file.
    pub(super) fn loads(&self, class: &str, path: &str) -> bool {
        self.rules.iter().any(|rule| {
            let Some(rest) = class.strip_prefix(&*rule.prefix) else {
                return false;
            };
            let named = if rule.keeps_prefix { class } else { rest };
            path.strip_prefix(&*rule.folder)
                .and_then(|path| path.strip_suffix(".php"))
                .is_some_and(|path| is_path_of(path, named))
        })
    }
}

/// Whether a path is a name with `/` between its parts.
fn is_path_of(path: &str, name: &str) -> bool {
    path.len() == name.len()
        && path
            .bytes()
            .zip(name.bytes())
            .all(|(p, n)| p == n || p == b'/' && n == b'\\')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_stands_for_its_folder() {
        let mut rules = Autoload::default();
        let manifest =
            r#"{"autoload": {"psr-4": {"App\\": ["src", "lib/"]}, "psr-0": {"Old_": ""}}}"#;
        rules.read("sub/", manifest);
        assert!(rules.loads("App\\A\\B", "sub/src/A/B.php"));
        assert!(rules.loads("App\\A", "sub/lib/A.php"));
        assert!(!rules.loads("App\\A", "src/A.php"));
        assert!(rules.loads("Old_A", "sub/Old_A.php"));
        rules.read("", "{ damaged");
        assert!(!rules.loads("Other\\A", "sub/src/A.php"));
    }
}
