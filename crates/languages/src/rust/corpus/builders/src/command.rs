use std::process::Output as RealOutput;

pub struct Command {
    words: Vec<String>,
    real: std::process::Command,
}

pub enum Stdio {
    Null,
}

pub struct Output {
    real: Option<RealOutput>,
}

impl Stdio {
    pub const fn null() -> Self {
        Stdio::Null
    }
}

impl Output {
    pub fn status(&self) -> bool {
        self.real.as_ref().is_some_and(|real| real.status.success())
    }
}

impl Command {
    pub fn new(program: &str) -> Self {
        Self { words: Vec::new(), real: std::process::Command::new(program) }
    }

    pub fn arg(&mut self, arg: &str) -> &mut Self {
        self.words.push(arg.to_string());
        self.real.arg(arg);
        self
    }

    pub fn args<'a>(&mut self, args: impl IntoIterator<Item = &'a str>) -> &mut Self {
        for arg in args {
            self.arg(arg); // calls :Command.arg
        }
        self
    }

    pub fn stdin(&mut self, _stdin: Stdio) -> &mut Command {
        self.real.stdin(std::process::Stdio::null());
        self
    }

    pub fn spawn(&mut self) {
        let _ = self.real.spawn();
    }

    pub fn output(&mut self) -> Output {
        Output { real: self.real.output().ok() }
    }
}
