//! The project of a server that was started outside any: the folders that are open in the client name it.

use percent_encoding::percent_decode_str;
use rmcp::model::ProtocolVersion;
use rmcp::service::{RequestContext, RoleServer};
use std::path::PathBuf;
use std::time::Duration;

/// The longest that a client may take to say which folders are open.
const PATIENCE: Duration = Duration::from_secs(5);

/// The folders that are open in the client, in its order. Empty if the client names none.
///
/// Since the revision 2026-07-28 of the protocol, servers do not ask clients.
#[expect(
    deprecated,
    reason = "clients of the revisions before 2026-07-28 have nothing else"
)]
pub(super) async fn open_folders(context: &RequestContext<RoleServer>) -> Vec<PathBuf> {
    let asks = context
        .protocol_version()
        .is_some_and(|version| version.as_str() < ProtocolVersion::V_2026_07_28.as_str());
    let offers = context.peer.peer_info();
    if !asks || offers.is_none_or(|client| client.capabilities.roots.is_none()) {
        return Vec::new();
    }
    match tokio::time::timeout(PATIENCE, context.peer.list_roots()).await {
        Ok(Ok(listed)) => {
            let folders = listed.roots.iter().filter_map(|root| path_of(&root.uri));
            folders.filter(|folder| folder.is_dir()).collect()
        }
        _ => Vec::new(),
    }
}

/// The path of a `file` URI on this machine.
fn path_of(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let path = rest.strip_prefix("localhost").unwrap_or(rest);
    let path = percent_decode_str(path).decode_utf8().ok()?;
    let path = platform::file::from_uri_path(&path);
    path.is_absolute().then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_this_machine_have_paths() {
        assert_eq!(path_of("file:///a/b%20c"), Some("/a/b c".into()));
        assert_eq!(path_of("file://localhost/a"), Some("/a".into()));
        for uri in ["file://other/a", "https://a/b", "/a", "file:///%ff"] {
            assert_eq!(path_of(uri), None, "{uri}");
        }
    }
}
