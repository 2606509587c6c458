//! The commands, one file or folder for each. A new one is its file and a line in the list below: help, examples, dispatch and the
//! rows of the READMEs come from its `COMMAND`.

mod query;
mod symbol;
#[cfg(test)]
mod tests;

use crate::command::Command;

/// Makes the modules of the commands and the list of them.
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
