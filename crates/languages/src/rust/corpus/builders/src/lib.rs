mod command;

use command::{Command, Stdio};
use std::process;

#[derive(Debug, Default, Clone)]
pub struct Config {
    name: String,
    retries: u32,
    env: Vec<(String, String)>,
}

#[derive(Default)]
pub struct ConfigBuilder {
    name: Option<String>,
    config: Config,
}

impl Config {
    pub fn builder() -> ConfigBuilder {
        ConfigBuilder::default()
    }

    pub fn spawn(&self) -> Command {
        Command::new(&self.name) // calls src/command.rs:Command.new
    }
}

impl ConfigBuilder {
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    pub fn env<K: AsRef<str>>(mut self, key: K, value: &str) -> ConfigBuilder {
        self.config.env.push((key.as_ref().into(), value.into()));
        self
    }

    pub fn build(self) -> Result<Config, String> {
        let name = self.name.ok_or_else(|| missing("name"))?; // calls :missing
        Ok(Config { name, ..self.config })
    }
}

impl From<&str> for Config {
    fn from(name: &str) -> Self {
        Config::builder().name(name).build().unwrap_or_default() // calls :Config.builder, :ConfigBuilder.name, :ConfigBuilder.build
    }
}

fn missing(what: &str) -> String {
    what.to_string()
}

pub fn run() -> Result<(), String> {
    let config = Config::builder() // calls :Config.builder
        .name("a") // calls :ConfigBuilder.name
        .env("K", "v") // calls :ConfigBuilder.env
        .build()?; // calls :ConfigBuilder.build
    config.spawn().arg("x").stdin(Stdio::null()).spawn(); // calls :Config.spawn, src/command.rs:Command.arg, src/command.rs:Command.stdin, src/command.rs:Stdio.null, src/command.rs:Command.spawn
    let mut command = config.spawn(); // calls :Config.spawn
    command.args(["a", "b"]).arg("c"); // calls src/command.rs:Command.args, src/command.rs:Command.arg
    command.output().status(); // calls src/command.rs:Command.output, src/command.rs:Output.status
    let _ = process::Command::new("ls").arg("d").spawn();
    let other: Config = "b".into();
    other.spawn(); // calls :Config.spawn
    Config::from("c").spawn(); // calls :Config.from, :Config.spawn
    Config { retries: 3, ..Default::default() }.spawn(); // calls :Config.spawn
    let defaults = Config { name: missing("d"), ..other.clone() }; // calls :missing
    defaults.clone().spawn(); // calls :Config.spawn
    Ok(())
}
