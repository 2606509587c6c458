//! Runs the program's own commands for a wrapper.

use super::arguments::Arguments;
use super::{Answer, Reply};
use crate::environment;
use serde_json::Value;

/// A call of the program's own commands.
pub(super) struct Own {
    words: Vec<String>,
    variables: Vec<(&'static str, String)>,
}

/// Features that `--enable-all-features` switches on, whatever a configuration says.
const FEATURES: [&str; 7] = [
    "features.graph_store.enabled",
    "features.scip_parser.enabled",
    "features.orphan_detection.enabled",
    "features.pattern_discovery.enabled",
    "graph_rag.enabled",
    "intent.enabled",
    "reranker.enabled",
];

impl Own {
    pub(super) fn new(words: &[&str]) -> Own {
        Own {
            words: words.iter().map(|word| (*word).to_owned()).collect(),
            variables: Vec::new(),
        }
    }

    pub(super) fn arg(mut self, word: &str) -> Own {
        self.words.push(word.to_owned());
        self
    }

    pub(super) fn args(mut self, words: impl IntoIterator<Item = String>) -> Own {
        self.words.extend(words);
        self
    }

    pub(super) fn variable(mut self, name: &'static str, value: Option<&str>) -> Own {
        self.variables
            .extend(value.map(|value| (name, value.to_owned())));
        self
    }

    /// The project and the switches that every script takes.
    pub(super) fn common(self, given: &Arguments) -> Own {
        let folder = given.option("--cwd").or(given.option("--project-root"));
        let mut own = match folder {
            Some(folder) => self.arg("-C").arg(folder),
            None => self,
        };
        let all = given.has("--enable-all-features")
            || environment::is_variable_on("DEVBOOKS_ENABLE_ALL_FEATURES");
        for feature in FEATURES.iter().filter(|_| all) {
            own = own.arg("--set").arg(&format!("{feature}=true"));
        }
        own
    }

    /// Runs it.
    pub(super) fn run(self) -> Answer {
        let program = std::env::current_exe()
            .map_err(|e| Reply::failure(3, format!("cannot find this program: {e}")))?;
        let folder = std::env::current_dir()
            .map_err(|e| Reply::failure(1, format!("the current folder does not exist: {e}")))?;
        let mut command = guard::program::respawn_command(&program);
        command.current_dir(folder);
        command.args(&self.words).envs(self.variables);
        for (name, value) in environment::shim_variables() {
            command.env(name, value);
        }
        let done = command
            .output()
            .map_err(|e| Reply::failure(3, format!("cannot run this program: {e}")))?;
        Ok(Reply {
            out: String::from_utf8_lossy(&done.stdout).into_owned(),
            err: String::from_utf8_lossy(&done.stderr).into_owned(),
            code: u8::try_from(done.status.code().unwrap_or(3)).unwrap_or(3),
        })
    }

    /// Runs it for its answer in JSON; a failure is passed on.
    pub(super) fn json(self) -> Result<Value, Reply> {
        let reply = self.arg("--format").arg("json").run()?;
        if reply.code != 0 {
            return Err(without_json(reply));
        }
        serde_json::from_str(&reply.out)
            .map_err(|e| Reply::failure(3, format!("no JSON ({e}): {}", reply.out)))
    }

    /// Runs it and passes on what it prints; without notes where it succeeds.
    pub(super) fn quiet(self) -> Answer {
        let reply = self.run()?;
        Ok(if reply.code == 0 {
            Reply {
                err: String::new(),
                ..reply
            }
        } else {
            without_json(reply)
        })
    }
}

/// A failure says what is wrong on standard error alone.
fn without_json(reply: Reply) -> Reply {
    Reply {
        out: String::new(),
        ..reply
    }
}
