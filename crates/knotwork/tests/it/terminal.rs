//! Shell completions and manual pages.

use crate::common::knotwork;
use testkit::Repo;

#[test]
fn every_shell_has_completions_of_every_command() {
    let repo = Repo::new("");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let said = knotwork(&repo, &["completions", shell]);
        assert_eq!(said.code, 0, "{said:?}");
        for command in ["call-chain", "bug-locate", "solution"] {
            assert!(said.stdout.contains(command), "{shell}: {command}");
        }
    }
    let said = knotwork(&repo, &["completions", "tcsh"]);
    assert_eq!(said.code, 1, "{said:?}");
}

#[test]
fn the_manual_has_a_page_for_every_command() {
    let repo = Repo::new("");
    let said = knotwork(&repo, &["man", "--output", "man1"]);
    assert_eq!(said.code, 0, "{said:?}");
    for page in [
        "knotwork.1",
        "knotwork-call-chain.1",
        "knotwork-index-export.1",
    ] {
        let text = std::fs::read_to_string(repo.path().join("man1").join(page)).unwrap();
        assert!(text.contains(".TH"), "{page}");
    }
}
