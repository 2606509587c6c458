//! The commands. Each has a file or folder, whose `COMMAND` has its help, its examples, its function and its rows in the READMEs. A
//! new command needs its file and a line in the list below.

mod query;
mod symbol;
#[cfg(test)]
mod tests;

use crate::command::Command;

/// Declares the modules of the commands and makes the list.
macro_rules! commands {
    ($($module:ident)*) => {
        $(mod $module;)*

        /// Every command, in the order of the help.
        pub(crate) const COMMANDS: &[Command] = &[$($module::COMMAND),*];
    };
}

// In the order of the help.
commands! {
    index
    ast_delta
    embedding
    search
    graph_rag
    call_chain
    impact
    bug_locate
    hotspot
    arch_check
    cod
    complexity
    boundary
    pattern
    vuln
    federation
    rerank
    graph_store
    scip
    intent
    hook
    solution
    setup
    doctor
    projects
    purge
    view
    config
    cache
    shims
    daemon
    watch
    worker
    mcp
    serve
    completions
    man
}
