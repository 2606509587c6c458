//! `gradle.lockfile`: modules with the configurations that resolve to them, without the modules that need them.

use super::table::LockfileBuilder;
use super::{Ecosystem, ParseError, folder_name};

pub(super) fn read(path: &str, text: &str) -> Result<LockfileBuilder, ParseError> {
    let mut table = LockfileBuilder::new(Ecosystem::Maven, "gradle.lockfile");
    let root = folder_name(path);
    table.add_root(&root);
    for (line, at) in text.lines().zip(1..) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') || line.starts_with("empty=") {
            continue;
        }
        let parts = line.split_once('=');
        let module = parts.map(|(module, _)| module.split(':').collect::<Vec<_>>());
        let (Some((_, configurations)), Some([group, artifact, version])) =
            (parts, module.as_deref())
        else {
            let reason = format!("not group:artifact:version=configurations: {line}");
            return Err(ParseError::at_line(at, reason));
        };
        let ships = configurations
            .split(',')
            .any(|c| !c.trim().starts_with("test"));
        let number = table.add_package(&format!("{group}:{artifact}"), version);
        table.add_indirect_dependency(&root, number, !ships);
    }
    Ok(table)
}
