//! The hooks of this program in the settings of Claude Code and Codex, which have the same form.

use crate::client::HookSet;
use crate::edit_error::{EditError, Result};
use crate::jsonc::{self, Json, Step};
use crate::server::is_own_program;

/// Events, with the tools or sources for which the hook is called.
const CLAUDE: &[(&str, Option<&str>)] = &[
    ("UserPromptSubmit", None),
    ("SessionStart", Some("startup|clear|compact")),
    ("PreToolUse", Some("Grep|Read|Bash")),
    ("PostToolUse", Some("Edit|MultiEdit|Write|NotebookEdit")),
];

const CODEX: &[(&str, Option<&str>)] = &[
    ("UserPromptSubmit", None),
    ("SessionStart", Some("startup|clear|compact")),
];

/// The time limit of a hook, in seconds; the hook itself ends earlier.
const TIMEOUT: u32 = 5;

/// The most hooks of this program that are removed from a file: each removal is an edit of the whole
/// text.
const MOST_OWN: usize = 64;

const HOOKS: Step<'static> = Step::Key("hooks");

fn events(set: HookSet) -> &'static [(&'static str, Option<&'static str>)] {
    match set {
        HookSet::Claude => CLAUDE,
        HookSet::Codex => CODEX,
    }
}

/// The command by which a shell starts the hook. On Windows an agent may ask a shell of Unix, `cmd` or PowerShell: all of
/// them read a path with `/`, and the first two one in double quotes.
pub(crate) fn hook_command(program: &str) -> String {
    let on_disk = program.as_bytes().get(1..3) == Some(br":\");
    let program = if on_disk {
        program.replace('\\', "/")
    } else {
        program.to_owned()
    };
    let plain = program
        .chars()
        .all(|c| c.is_alphanumeric() || "/._-+:".contains(c));
    if plain {
        format!("{program} hook")
    } else if on_disk && !program.contains(['$', '`', '%', '!']) {
        format!("\"{program}\" hook")
    } else {
        // Within single quotes a shell only interprets the quote itself.
        format!("'{}' hook", program.replace('\'', "'\\''"))
    }
}

/// Whether a command was installed by this program, from any folder.
pub fn is_own_command(command: &str) -> bool {
    let Some(program) = command.trim().strip_suffix(" hook") else {
        return false;
    };
    // The path is quoted, or has no blank. Anything else starts another program, which may start
    // this one.
    let quoted = |quote: char| program.strip_prefix(quote)?.strip_suffix(quote);
    // A quote within quotes, as `hook_command` writes it.
    let path = quoted('"').map(|path| path.replace('\'', ""));
    let path = path.or_else(|| Some(quoted('\'')?.replace("'\\''", "")));
    match path {
        Some(path) => is_own_program(&path),
        None if program.contains(|c: char| c.is_whitespace() || ";|&$`()<>".contains(c)) => false,
        None => is_own_program(program),
    }
}

fn group(matcher: Option<&str>, command: &str) -> Json {
    let hook = Json::object(vec![
        ("type", Json::text("command")),
        ("command", Json::text(command)),
        ("timeout", Json::number(TIMEOUT)),
    ]);
    let mut members = Vec::new();
    members.extend(matcher.map(|matcher| ("matcher", Json::text(matcher))));
    members.push(("hooks", Json::List(vec![hook])));
    Json::object(members)
}

fn is_own_hook(hook: &Json) -> bool {
    let command = hook.get("command").and_then(Json::as_text);
    command.is_some_and(|command| is_own_command(&command))
}

fn own_hooks(group: &Json) -> impl DoubleEndedIterator<Item = usize> + '_ {
    let hooks = group.get("hooks").map_or(&[][..], Json::items);
    hooks
        .iter()
        .enumerate()
        .filter(|(_, hook)| is_own_hook(hook))
        .map(|(index, _)| index)
}

/// All hooks of the file; an error if they have another form.
fn all(text: &str) -> Result<Vec<(String, Json)>> {
    jsonc::check(text)?;
    match jsonc::read_value(text, &[HOOKS])? {
        None => Ok(Vec::new()),
        Some(Json::Object(events)) => Ok(events),
        Some(_) => Err(EditError::WrongKind {
            value: "hooks".to_owned(),
            wanted: "object",
        }),
    }
}

/// The groups with hooks of this program, by event.
pub(crate) fn own_groups(text: &str) -> Result<Vec<(String, Vec<Json>)>> {
    let found = all(text)?.into_iter().map(|(event, groups)| {
        let own = groups
            .items()
            .iter()
            .filter(|group| own_hooks(group).next().is_some());
        (event, own.cloned().collect::<Vec<Json>>())
    });
    let found: Vec<(String, Vec<Json>)> = found.filter(|(_, own)| !own.is_empty()).collect();
    let groups = found.iter().flat_map(|(_, own)| own);
    let count: usize = groups.map(|group| own_hooks(group).count()).sum();
    if count > MOST_OWN {
        return Err(EditError::TooManyHooks {
            count,
            most: MOST_OWN,
        });
    }
    Ok(found)
}

/// Whether exactly the wanted hooks are there.
pub(crate) fn is_same(text: &str, set: HookSet, command: &str) -> Result<bool> {
    let own = own_groups(text)?;
    let is_wanted = |(event, matcher): &(&str, Option<&str>)| {
        own.iter()
            .any(|(name, groups)| name == event && *groups == [group(*matcher, command)])
    };
    Ok(own.len() == events(set).len() && events(set).iter().all(is_wanted))
}

/// Adds the hooks. Different hooks of this program are replaced.
pub(crate) fn add(text: &str, set: HookSet, command: &str) -> Result<String> {
    let mut text = text.to_owned();
    for (event, matcher) in events(set) {
        let wanted = group(*matcher, command);
        let own = own_groups(&text)?;
        if own
            .iter()
            .any(|(name, groups)| name == event && *groups == [wanted.clone()])
        {
            continue;
        }
        text = remove_of(&text, event)?;
        text = match jsonc::read_value(&text, &[HOOKS, Step::Key(event)])? {
            None => jsonc::insert(&text, &["hooks"], event, &Json::List(vec![wanted]))?,
            Some(Json::List(_)) => jsonc::push(&text, &[HOOKS, Step::Key(event)], &wanted)?,
            Some(_) => {
                return Err(EditError::WrongKind {
                    value: format!("hooks.{event}"),
                    wanted: "list",
                });
            }
        };
    }
    Ok(text)
}

/// Removes the hooks of this program, and objects that become empty by that.
pub(crate) fn remove(text: &str) -> Result<String> {
    let own = own_groups(text)?;
    let mut out = text.to_owned();
    for (event, _) in &own {
        out = remove_of(&out, event)?;
    }
    if !own.is_empty() && jsonc::is_empty(&out, &[HOOKS])? {
        out = jsonc::remove(&out, &[HOOKS])?;
    }
    Ok(out)
}

fn remove_of(text: &str, event: &str) -> Result<String> {
    let path = [HOOKS, Step::Key(event)];
    let Some(groups) = jsonc::read_value(text, &path)? else {
        return Ok(text.to_owned());
    };
    let mut out = text.to_owned();
    for (number, group) in groups.items().iter().enumerate().rev() {
        let of_group = [HOOKS, Step::Key(event), Step::Index(number)];
        let mut removed = false;
        for hook in own_hooks(group).rev() {
            let path = [
                HOOKS,
                Step::Key(event),
                Step::Index(number),
                HOOKS,
                Step::Index(hook),
            ];
            out = jsonc::remove(&out, &path)?;
            removed = true;
        }
        let hooks = [HOOKS, Step::Key(event), Step::Index(number), HOOKS];
        if removed && jsonc::is_empty(&out, &hooks)? {
            out = jsonc::remove(&out, &of_group)?;
        }
    }
    if out != text && jsonc::is_empty(&out, &path)? {
        out = jsonc::remove(&out, &path)?;
    }
    Ok(out)
}

/// Whether two files have the same content, whatever their notation.
pub(crate) fn is_same_otherwise(a: &str, b: &str) -> bool {
    let value = |text: &str| jsonc::read_value(text, &[]).ok().flatten();
    value(a).is_some() && value(a) == value(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    const THEIRS: &str = r#"{
  "model": "opus", // the big one
  "hooks": {
    "Stop": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "say done"
          }
        ]
      }
    ],
    "PreToolUse": [
      {
        "matcher": "Bash",
        "hooks": [
          {
            "type": "command",
            "command": "check-it hook"
          }
        ]
      }
    ]
  },
  "unknown": {
    "b": 1.0,
    "a": []
  }
}"#;

    #[test]
    fn hooks_are_added_beside_those_of_others_and_taken_out() {
        let with = add(THEIRS, HookSet::Claude, "/opt/knotwork hook").unwrap();
        assert!(
            with.contains("check-it hook")
                && with.contains("say done")
                && with.contains("// the big one")
        );
        assert_eq!(with.matches("/opt/knotwork hook").count(), CLAUDE.len());
        assert!(is_same(&with, HookSet::Claude, "/opt/knotwork hook").unwrap());
        assert_eq!(
            add(&with, HookSet::Claude, "/opt/knotwork hook").unwrap(),
            with
        );
        assert_eq!(remove(&with).unwrap(), THEIRS);
        assert_eq!(remove(THEIRS).unwrap(), THEIRS);
    }

    #[test]
    fn every_shell_reads_the_command() {
        for (program, command) in [
            ("/usr/bin/knotwork", "/usr/bin/knotwork hook"),
            (
                "/o'neil/my tools/knotwork",
                "'/o'\\''neil/my tools/knotwork' hook",
            ),
            ("/odd\\name/knotwork", "'/odd\\name/knotwork' hook"),
            (r"C:\tools\knotwork.exe", "C:/tools/knotwork.exe hook"),
            (
                r"C:\Users\o'neil\my tools\knotwork.exe",
                "\"C:/Users/o'neil/my tools/knotwork.exe\" hook",
            ),
            (r"C:\a$b\knotwork.exe", "'C:/a$b/knotwork.exe' hook"),
        ] {
            assert_eq!(hook_command(program), command);
            assert!(is_own_command(command), "{command}");
        }
    }

    #[test]
    fn a_moved_program_is_installed_once() {
        let mut text = String::new();
        for command in [
            "\"/old place/knotwork\" hook",
            "/old/knotwork-0.1 hook",
            "/new/knotwork hook",
        ] {
            text = add(&text, HookSet::Claude, command).unwrap();
        }
        assert_eq!(text.matches("knotwork").count(), CLAUDE.len());
        assert!(!text.contains("old place"));
        assert_eq!(remove(&text).unwrap(), "{}\n");
    }

    #[test]
    fn our_hook_in_a_group_of_others_goes_alone() {
        let text = r#"{"hooks":{"Stop":[{"hooks":[{"command":"a"},{"command":"knotwork hook"}]}],"Other":[]}}"#;
        let expected = r#"{"hooks":{"Stop":[{"hooks":[{"command":"a"}]}],"Other":[]}}"#;
        assert_eq!(remove(text).unwrap(), expected);
    }

    #[test]
    fn what_has_another_form_is_refused() {
        for text in [
            r#"{"hooks":{"PreToolUse":{}}}"#,
            r#"{"hooks":[]}"#,
            "[]",
            "{",
            r#"{"hooks": {}, "h\u006foks": {}}"#,
            &format!(
                r#"{{"hooks":{{"Stop":[{}1]}}}}"#,
                r#"{"hooks":[{"command":"knotwork hook"}]},"#.repeat(65)
            ),
        ] {
            assert!(
                add(text, HookSet::Claude, "knotwork hook").is_err(),
                "{text}"
            );
        }
    }

    #[test]
    fn only_the_program_alone_is_its_own_command() {
        for command in [
            "knotwork hook",
            "/usr/bin/knotwork-0.1.0 hook",
            "'/usr/o'\\''neil/my tools/knotwork' hook",
            "\"C:\\tools\\knotwork.exe\" hook",
        ] {
            assert!(is_own_command(command), "{command}");
        }
        for command in [
            "docker exec -i dev /usr/bin/knotwork hook",
            "nice -n 19 /opt/knotwork hook",
            "tee -a hook.log | /opt/bin/knotwork hook",
            "ssh box /usr/bin/knotwork hook",
            "'echo' '/opt/knotwork' hook",
            "knotwork-audit hook",
        ] {
            assert!(!is_own_command(command), "{command}");
        }
    }
}
