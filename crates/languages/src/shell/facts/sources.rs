//! Files that a script sources and runs.

use super::Walker;
use super::commands::Command;
use base::Visibility;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Endings of scripts.
const ENDINGS: [&str; 4] = ["bash", "sh", "bats", "ksh"];

/// Most loops around a source whose variable is looked for in its path.
const MOST_LOOPS: usize = 4;

impl<'s, 't> Walker<'_, 's, 't> {
    /// `source a`, `. a`. A comment above may say which file that is.
    pub(super) fn source(&mut self, command: &Command<'s, 't>) {
        let mut args = command.args.iter().filter(|arg| self.text(**arg) != "--");
        let Some(first) = args.next().copied() else {
            return;
        };
        let row = command.at.start_position().row;
        let given = self.directive.take();
        let given = given.filter(|given| given.row == row && given.path != "/dev/null");
        let modules = match given {
            Some(given) => vec![given.path.replace("SCRIPTDIR", ".")],
            None => self.modules_of(first),
        };
        for module in modules {
            self.import(&module, Imported::Glob, command.at);
        }
    }

    /// The paths that a word means: several where it has the variable of a loop over words.
    fn modules_of(&mut self, word: Node<'t>) -> Vec<String> {
        let text = self.text(word);
        let mut loops = self.loops.iter().rev().take(MOST_LOOPS);
        let used = loops.find(|(name, _)| {
            let plain = format!("${name}");
            text.contains(&plain) || text.contains(&format!("${{{name}}}"))
        });
        let Some((name, values)) = used.cloned() else {
            return self.path_of(word, 0).module().into_iter().collect();
        };
        let before = self.paths.get(name).cloned();
        let mut found = Vec::new();
        for value in values {
            self.paths.insert(name, value);
            found.extend(self.path_of(word, 0).module());
        }
        match before {
            Some(before) => self.paths.insert(name, before),
            None => self.paths.remove(name),
        };
        found
    }

    /// `load helper` of Bats.
    pub(super) fn load(&mut self, command: &Command<'s, 't>) {
        let Some(first) = command.args.first().copied() else {
            return;
        };
        let Some(module) = self.path_of(first, 0).module() else {
            return;
        };
        if ending(&module).is_none_or(|ending| ENDINGS.contains(&ending)) {
            self.import(&module, Imported::Glob, command.at);
        }
    }

    /// A script that runs by itself: `./build.sh`. Its functions do not come along.
    pub(super) fn run_script(&mut self, script: Node<'t>, at: Node<'t>) {
        let word = match script.kind_name() {
            "command_name" => script.named_child(0).unwrap_or(script),
            _ => script,
        };
        let module = self.path_of(word, 0).module();
        let is_script = |module: &String| ending(module).is_some_and(|e| ENDINGS.contains(&e));
        if let Some(module) = module.filter(is_script) {
            self.import(&module, Imported::Dynamic, at);
        }
    }

    fn import(&mut self, module: &str, what: Imported, at: Node<'_>) {
        let import = Import {
            module: self.o.b.intern_owned_name(module),
            what,
            local: None,
            scope: self.o.b.current_scope(),
            owner: self.o.b.current_owner(),
            level: 0,
            type_only: false,
            unused: false,
            visibility: Visibility::Private,
            line: at.start_position().row as u32 + 1,
            condition: None,
        };
        self.o.b.add_import(import);
    }
}

/// The ending of the last segment of a path.
fn ending(path: &str) -> Option<&str> {
    let name = path.rsplit('/').next()?;
    name.rsplit_once('.').map(|(_, ending)| ending)
}
