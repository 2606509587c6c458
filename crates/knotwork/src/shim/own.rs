//! Runs the program's own commands for a wrapper.

use super::arguments::Arguments;
use super::{Answer, Reply};
use crate::environment;
use serde_json::Value;
use std::io::Write;
use std::process::{Command, Output, Stdio};

/// A call of the program's own commands.
pub(super) struct OwnCall {
    words: Vec<String>,
    /// Names and paths that the command is about. They follow `--`, so that none is taken for an option.
    operands: Vec<String>,
    input: Option<String>,
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

impl OwnCall {
    pub(super) fn new(words: &[&str]) -> OwnCall {
        OwnCall {
            words: words.iter().map(|word| (*word).to_owned()).collect(),
            operands: Vec::new(),
            input: None,
            variables: Vec::new(),
        }
    }

    /// Adds a name or path that the command is about.
    pub(super) fn operand(mut self, word: &str) -> OwnCall {
        self.operands.push(word.to_owned());
        self
    }

    pub(super) fn operands(mut self, words: impl IntoIterator<Item = String>) -> OwnCall {
        self.operands.extend(words);
        self
    }

    /// An option with its value in one word: the value may begin with `-`.
    pub(super) fn value(self, name: &str, value: &str) -> OwnCall {
        self.arg(&format!("{name}={value}"))
    }

    /// Sets the text for standard input. Arguments are limited in length, and other users of the machine can read
    /// them.
    pub(super) fn input(mut self, text: String) -> OwnCall {
        self.input = Some(text);
        self
    }

    pub(super) fn arg(mut self, word: &str) -> OwnCall {
        self.words.push(word.to_owned());
        self
    }

    pub(super) fn args(mut self, words: impl IntoIterator<Item = String>) -> OwnCall {
        self.words.extend(words);
        self
    }

    pub(super) fn variable(mut self, name: &'static str, value: Option<&str>) -> OwnCall {
        self.variables
            .extend(value.map(|value| (name, value.to_owned())));
        self
    }

    /// Adds the project and the switches that all scripts accept.
    pub(super) fn common(self, given: &Arguments) -> OwnCall {
        let mut own = match given.folder() {
            Some(folder) => self.value("--project", folder),
            None => self,
        };
        let all = given.has("--enable-all-features")
            || environment::is_variable_on("DEVBOOKS_ENABLE_ALL_FEATURES");
        for feature in FEATURES.iter().filter(|_| all) {
            own = own.value("--set", &format!("{feature}=true"));
        }
        own
    }

    /// Runs the command.
    pub(super) fn output(self) -> Answer {
        let program = std::env::current_exe()
            .map_err(|e| Reply::failure(3, format!("cannot find this program: {e}")))?;
        let folder = std::env::current_dir()
            .map_err(|e| Reply::failure(1, format!("the current folder does not exist: {e}")))?;
        let mut command = guard::program::respawn_command(&program);
        command.current_dir(folder);
        command.args(&self.words).envs(self.variables);
        if !self.operands.is_empty() {
            command.arg("--").args(&self.operands);
        }
        for (name, value) in environment::shim_variables() {
            command.env(name, value);
        }
        let done = output_of(command, self.input)
            .map_err(|e| Reply::failure(3, format!("cannot run this program: {e}")))?;
        Ok(Reply {
            out: String::from_utf8_lossy(&done.stdout).into_owned(),
            err: String::from_utf8_lossy(&done.stderr).into_owned(),
            code: u8::try_from(done.status.code().unwrap_or(3)).unwrap_or(3),
        })
    }

    /// Runs the command and returns its JSON answer. A failure is passed on.
    pub(super) fn json(self) -> Result<Value, Reply> {
        let reply = self.arg("--format").arg("json").output()?;
        if reply.code != 0 {
            return Err(without_json(reply));
        }
        serde_json::from_str(&reply.out)
            .map_err(|e| Reply::failure(3, format!("no JSON ({e}): {}", reply.out)))
    }

    /// Runs the command and passes on its output; drops the notes if it succeeds.
    pub(super) fn quiet(self) -> Answer {
        let reply = self.output()?;
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

/// The output of a program that reads `input`.
fn output_of(mut command: Command, input: Option<String>) -> std::io::Result<Output> {
    let Some(input) = input else {
        return command.output();
    };
    command.stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let pipe = child.stdin.take();
    // A thread of its own writes, so that neither side waits for the other. The program may end before it has read
    // all.
    let writer = std::thread::spawn(move || pipe.map(|mut pipe| pipe.write_all(input.as_bytes())));
    let done = child.wait_with_output();
    drop(writer.join());
    done
}

/// A failure is reported on standard error alone.
fn without_json(reply: Reply) -> Reply {
    Reply {
        out: String::new(),
        ..reply
    }
}
