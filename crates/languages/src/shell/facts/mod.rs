//! Facts of shell scripts: functions, aliases, variables of the script, tests of Bats, calls, and the files that are sourced.
//!
//! Functions are global, wherever they are defined: all of them are bound in the scope of the file, from the end of their
//! definition on. Those that a test of Bats defines are bound in its scope, since each test is a process of its own. Variables have
//! a scope of their own, since a variable and a function may share a name.

mod code;
mod commands;
mod paths;
mod sources;
mod variables;

use crate::outline::{self, FoundDefinition, Outline};
use base::SymbolKind;
use paths::PathValue;
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::builder::Builder;
use syntax::complexity::Rules;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;
use variables::Assigned;

/// The scope of the variables of the script.
pub(super) const VARIABLES: ScopeId = ScopeId(1);

static OUTLINE: Outline = Outline {
    complexity: &COMPLEXITY,
    ..Outline::NEUTRAL
};

static COMPLEXITY: Rules = Rules {
    nesting: &[
        "if_statement",
        "for_statement",
        "c_style_for_statement",
        "while_statement",
        "case_statement",
        "ternary_expression",
    ],
    no_path: &["case_statement"],
    arms: &["case_item"],
    elses: &["elif_clause", "else_clause"],
    else_paths: &["elif_clause"],
    logical: (&["list", "binary_expression"], &["&&", "||"]),
    jumps: &[],
    functions: &["function_definition"],
    words: &[
        "if", "for", "while", "until", "select", "case", "elif", "else",
    ],
    signs: &["?", "&&", "||", ")"],
};

/// Reads a whole file.
pub(super) fn walk(builder: &mut Builder<'_>, root: Node<'_>) {
    builder.open_scope(ScopeKind::Module, None);
    builder.close_scope();
    let may_load = builder.source.contains("bats") || builder.source.contains("@test");
    let mut walker = Walker {
        o: outline::Walker::new(builder, &OUTLINE),
        functions: Vec::new(),
        conditions: 0,
        subshells: 0,
        test: None,
        directive: None,
        paths: FxHashMap::default(),
        loops: Vec::new(),
        globals: FxHashSet::default(),
        assigned: FxHashMap::default(),
        dynamic: Vec::new(),
        may_load,
    };
    walker.children(root);
    walker.close_test(root);
    walker.add_dynamic_calls();
}

/// A function that the walk is in.
struct Function<'s> {
    def: DefId,
    /// Its local variables so far.
    locals: FxHashSet<&'s str>,
}

/// The path that a comment gives for the file that is sourced behind it.
struct Directive<'s> {
    /// The row behind the comment.
    row: usize,
    path: &'s str,
}

/// The state of the walk.
struct Walker<'b, 's, 't> {
    o: outline::Walker<'b, 's>,
    /// The functions around the walk's position, innermost last.
    functions: Vec<Function<'s>>,
    /// The number of enclosing branches and loops.
    conditions: usize,
    /// The number of enclosing subshells.
    subshells: usize,
    /// The test of Bats that is open.
    test: Option<DefId>,
    directive: Option<Directive<'s>>,
    /// The paths that variables hold.
    paths: FxHashMap<&'s str, PathValue>,
    /// The variables of the enclosing loops over few words, with the paths that the words mean.
    loops: Vec<(&'s str, Vec<PathValue>)>,
    /// The variables of the script that are defined so far.
    globals: FxHashSet<&'s str>,
    /// The values of variables that are called.
    assigned: FxHashMap<variables::Key<'s>, Assigned<'s>>,
    /// Calls of variables.
    dynamic: Vec<variables::DynamicCall<'s, 't>>,
    /// Whether the file may belong to Bats, whose `load` sources a file.
    may_load: bool,
}

impl<'s, 't> Walker<'_, 's, 't> {
    fn text(&self, node: Node<'_>) -> &'s str {
        self.o.b.text(node)
    }

    /// Reads the contents of a node.
    fn children(&mut self, node: Node<'t>) {
        let mut cursor = node.walk();
        let children: Vec<Node<'t>> = node.named_children(&mut cursor).collect();
        for child in children {
            self.visit(child);
        }
    }

    /// Reads a node.
    fn visit(&mut self, node: Node<'t>) {
        if !self.o.b.enter_level() {
            return;
        }
        match node.kind_name() {
            "comment" => self.comment(node),
            "function_definition" => self.function(node),
            "command" => self.command(node),
            "declaration_command" => self.declaration(node),
            "unset_command" => self.unset(node),
            "variable_assignment" => self.assignment(node),
            "for_statement" => self.loop_over(node),
            "if_statement" | "case_statement" | "while_statement" | "c_style_for_statement" => {
                self.branches(node);
            }
            "list" => self.list(node),
            "subshell" | "command_substitution" | "process_substitution" => {
                self.subshells += 1;
                self.children(node);
                self.subshells -= 1;
            }
            "variable_name" => self.variable(node),
            "expansion" => self.expansion(node),
            _ => self.children(node),
        }
        self.o.b.leave_level();
    }

    fn comment(&mut self, node: Node<'t>) {
        self.o.comment(node);
        let text = self.text(node);
        let rest = text.trim_start_matches('#').trim_start();
        if let Some(keys) = rest.strip_prefix("shellcheck ")
            && let Some(path) = keys
                .split_whitespace()
                .find_map(|key| key.strip_prefix("source="))
        {
            let row = node.end_position().row + 1;
            self.directive = Some(Directive { row, path });
        }
    }

    /// Contents of which some may not run.
    fn branches(&mut self, node: Node<'t>) {
        self.conditions += 1;
        self.children(node);
        self.conditions -= 1;
    }

    /// `a && b`: only the first part is sure to run.
    fn list(&mut self, node: Node<'t>) {
        let mut cursor = node.walk();
        let parts: Vec<Node<'t>> = node.named_children(&mut cursor).collect();
        for (at, part) in parts.into_iter().enumerate() {
            let is_conditional = usize::from(at > 0);
            self.conditions += is_conditional;
            self.visit(part);
            self.conditions -= is_conditional;
        }
    }

    fn function(&mut self, node: Node<'t>) {
        let Some(name) = node.field("name") else {
            return self.children(node);
        };
        let mut found = FoundDefinition::new(node, name, SymbolKind::Function);
        found.body = node.field("body");
        if self.conditions + self.subshells > 0 {
            found.flags.set(DefFlags::CONDITIONAL);
        }
        let def = self.define_function(&found, node.end_byte());
        self.o.b.open_def(def, ScopeKind::Function);
        self.functions.push(Function {
            def,
            locals: FxHashSet::default(),
        });
        // Whether the function is defined says nothing of what it does when it runs.
        let outer = (
            std::mem::take(&mut self.conditions),
            std::mem::take(&mut self.subshells),
        );
        let mut cursor = node.walk();
        let children: Vec<Node<'t>> = node.named_children(&mut cursor).collect();
        for child in children.into_iter().filter(|child| *child != name) {
            self.visit(child);
        }
        (self.conditions, self.subshells) = outer;
        self.functions.pop();
        self.o.b.close_def();
    }

    /// Adds a function or an alias, which is there from a byte on.
    fn define_function(&mut self, found: &FoundDefinition<'_, '_>, from: usize) -> DefId {
        let def = self.o.declare(found);
        let name = self.o.b.facts().def(def).name;
        let to = Bound::Def(def);
        let test = self.test.and_then(|test| self.o.b.facts().def(test).body);
        let scope = test.unwrap_or(FILE_SCOPE);
        self.o
            .b
            .bind_in(scope, name, Namespace::VALUE, from as u32, to);
        def
    }

    /// `@test "name" {`. The grammar reads the braces as words.
    fn open_test(&mut self, node: Node<'t>, name: Node<'t>) {
        self.close_test(node);
        let text = self.text(name);
        let text = text.trim_matches(['"', '\'']);
        let mut found = FoundDefinition::new(node, name, SymbolKind::Function);
        found.name = Some(text);
        found.flags.set(DefFlags::TEST);
        found.flags.set(DefFlags::ENTRY);
        let def = self.o.declare(&found);
        let signature = self.text(node).trim_end_matches(['{', ' ']).len();
        let made = self.o.b.def_mut(def);
        made.signature.1 = made.signature.0 + signature as u32;
        self.o.b.open_def(def, ScopeKind::Function);
        self.functions.push(Function {
            def,
            locals: FxHashSet::default(),
        });
        self.test = Some(def);
    }

    /// Closes the open test, if there is one, at the end of a node.
    fn close_test(&mut self, last: Node<'t>) {
        let Some(def) = self.test.take() else {
            return;
        };
        self.functions.pop();
        self.o.b.close_def();
        let span = syntax::builder::span_of(last);
        let made = self.o.b.def_mut(def);
        made.span.end_byte = span.end_byte.max(made.span.end_byte);
        made.span.end_line = span.end_line.max(made.span.end_line);
    }

    /// The function around the walk's position.
    fn current_function(&self) -> Option<&Function<'s>> {
        self.functions.last()
    }

    /// A mention of a function by its name.
    fn mention(&mut self, node: Node<'_>, name: &str) {
        let name = self.o.b.intern_owned_name(name);
        let (scope, at) = (self.o.b.current_scope(), node.start_byte() as u32);
        let made = self.o.b.add_expr(Expr::Name { name, scope, at });
        self.o.b.add_reference(RefTarget::Expr(made), node);
    }

    /// A call of a function by its name. `runner` is the function that calls it, if it is Bats's.
    fn call(&mut self, node: Node<'_>, name: &str, argc: usize, runner: Option<ExprId>) -> ExprId {
        let name = self.o.b.intern_owned_name(name);
        let (scope, at) = (self.o.b.current_scope(), node.start_byte() as u32);
        let callee = self.o.b.add_expr(Expr::Name { name, scope, at });
        self.add_call(node, callee, argc, runner);
        callee
    }

    fn add_call(&mut self, node: Node<'_>, callee: ExprId, argc: usize, runner: Option<ExprId>) {
        let made = self.o.b.add_expr(Expr::Call {
            callee,
            args: runner.into_iter().collect(),
            type_args: Box::default(),
        });
        self.o.b.add_call(made, CallKind::Call, argc, node);
    }
}

/// Whether a text can be the name of a command that a reader understands without running the script.
fn is_plain_name(text: &str) -> bool {
    let is_special = |c: char| c.is_whitespace() || "\"'`$\\(){}<>|&;*?=#~".contains(c);
    !text.is_empty() && !text.contains(is_special)
}
