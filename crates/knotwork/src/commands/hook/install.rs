//! Adding the hooks to Claude Code's settings, and removing them.

use super::json::Json;
use crate::environment::{self, GlobalArgs};
use crate::format::TEXT_OR_JSON;
use crate::printer::{CommandResult, Printer};
use engine::EngineError;
use serde_json::json;
use std::path::{Path, PathBuf};

/// Events, with the tools or sources for which the hook is called.
const EVENTS: [(&str, Option<&str>); 4] = [
    ("UserPromptSubmit", None),
    ("SessionStart", Some("startup|clear|compact")),
    ("PreToolUse", Some("Grep|Read|Bash")),
    ("PostToolUse", Some("Edit|MultiEdit|Write|NotebookEdit")),
];

/// The time limit of a hook in Claude Code, in seconds; the hook itself ends earlier.
const TIMEOUT: u32 = 5;

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Change {
    Install,
    Uninstall,
}

pub(super) fn run(given: &GlobalArgs, printer: &Printer, change: Change) -> CommandResult {
    let as_json = printer.is_json(TEXT_OR_JSON)?;
    let (file, command) = match &given.project {
        // Other users of the project may have the program in another place.
        Some(folder) => (
            folder.join(".claude/settings.json"),
            "knotwork hook".to_owned(),
        ),
        None => (environment::claude_settings_path()?, hook_command()?),
    };
    if let Some(folder) = &given.project {
        check_no_link_outside(folder, &file)?;
    }
    let raw = read_settings(&file)?;
    let before = raw.trim_start_matches('\u{feff}');
    let mut settings = parse_settings(&file, before)?;
    let is_first = !has_own_hooks(&settings);
    match change {
        Change::Install => add_hooks(&mut settings, &command),
        Change::Uninstall => remove_hooks(&mut settings),
    }
    .map_err(|what| damaged_error(&file, &what))?;
    let after = settings.to_pretty(detect_indent(before)) + "\n";
    let changed = Json::parse(before).ok().as_ref() != Some(&settings)
        && !(before.is_empty() && settings.is_empty());
    let backup = if changed {
        let root = given.project.as_deref();
        // A file that already has these hooks is not the user's original, so it is not backed up.
        let backup = is_first
            .then_some(raw.as_str())
            .filter(|raw| !raw.is_empty());
        replace_settings(&file, root, backup, &after)?
    } else {
        None
    };
    let status = match (change, changed) {
        (Change::Install, true) => "installed",
        (Change::Install, false) => "already installed",
        (Change::Uninstall, true) => "uninstalled",
        (Change::Uninstall, false) => "not installed",
    };
    if as_json {
        return printer.print_json(&json!({"status": status, "file": file, "backup": backup}));
    }
    let kept = backup.map_or(String::new(), |b| format!(" (before: {})", b.display()));
    printer.print_text(&format!("{status}: {}{kept}", file.display()))
}

/// The command by which a shell starts this program.
fn hook_command() -> Result<String, EngineError> {
    let program = std::env::current_exe().map_err(|e| {
        EngineError::runtime_failure(format!("cannot tell where this program lies: {e}"))
    })?;
    let path = program.display().to_string();
    let plain = path
        .chars()
        .all(|c| c.is_alphanumeric() || "/._-+:\\".contains(c));
    Ok(if plain {
        format!("{path} hook")
    } else {
        // In single quotes a shell reads nothing but the quote itself.
        format!("'{}' hook", path.replace('\'', "'\\''"))
    })
}

/// Whether a command was installed by this program, from any folder.
fn is_own_command(command: &str) -> bool {
    let Some(program) = command.trim().strip_suffix(" hook") else {
        return false;
    };
    // In quotes, or without a blank: anything else starts another program, which may start this one.
    let quoted = |quote: char| program.strip_prefix(quote)?.strip_suffix(quote);
    let path = match quoted('"').or_else(|| quoted('\'')) {
        // A quote within quotes, as `hook_command` writes it.
        Some(path) => path.replace("'\\''", ""),
        None if program.contains(|c: char| c.is_whitespace() || ";|&$`()<>".contains(c)) => {
            return false;
        }
        None => program.to_owned(),
    };
    if path.contains(['"', '\'']) {
        return false;
    }
    let name = path.rsplit(['/', '\\']).next();
    let rest = name.and_then(|name| name.strip_prefix("knotwork"));
    let rest = rest.map(|rest| rest.strip_suffix(".exe").unwrap_or(rest));
    // A copy may have its version behind the name; `knotwork-audit` is another program.
    let is_version = |rest: &str| {
        let version = rest.trim_start_matches(['-', '_', 'v']);
        version.starts_with(|c: char| c.is_ascii_digit())
            && version
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "._-+".contains(c))
    };
    rest.is_some_and(|rest| rest.is_empty() || is_version(rest))
}

fn add_hooks(settings: &mut Json, command: &str) -> Result<(), String> {
    for (event, matcher) in EVENTS {
        let hook = json!({"type": "command", "command": command, "timeout": TIMEOUT});
        let group = match matcher {
            Some(matcher) => json!({"matcher": matcher, "hooks": [hook]}),
            None => json!({"hooks": [hook]}),
        };
        let wanted = Json::from_value(&group);
        let hooks = settings.get_or_insert("hooks", Json::Object(Vec::new()));
        let hooks = hooks.ok_or("the settings are no object")?;
        let groups = hooks.get_or_insert(event, Json::List(Vec::new()));
        let Some(Json::List(groups)) = groups else {
            return Err(format!("hooks.{event} is no list"));
        };
        if groups
            .iter()
            .filter(|group| has_own_hook(group))
            .eq([&wanted])
        {
            continue;
        }
        groups.retain_mut(|group| !remove_own_hooks(group));
        groups.push(wanted);
    }
    Ok(())
}

fn remove_hooks(settings: &mut Json) -> Result<(), String> {
    let Some(Json::Object(events)) = settings.get("hooks").cloned() else {
        return Ok(());
    };
    let mut left = Vec::new();
    let mut removed = false;
    for (name, mut groups) in events {
        let mut emptied = false;
        if let Json::List(groups) = &mut groups
            && groups.iter().any(has_own_hook)
        {
            groups.retain_mut(|group| !remove_own_hooks(group));
            removed = true;
            emptied = groups.is_empty();
        }
        if !emptied {
            left.push((name, groups));
        }
    }
    match (removed, left.is_empty()) {
        (true, true) => settings.remove("hooks"),
        (true, false) => {
            if let Some(hooks) = settings.get_or_insert("hooks", Json::Object(Vec::new())) {
                *hooks = Json::Object(left);
            }
        }
        (false, _) => {}
    }
    Ok(())
}

/// Whether any event has a hook of this program.
fn has_own_hooks(settings: &Json) -> bool {
    let Some(Json::Object(events)) = settings.get("hooks") else {
        return false;
    };
    let is_own =
        |groups: &Json| matches!(groups, Json::List(groups) if groups.iter().any(has_own_hook));
    events.iter().any(|(_, groups)| is_own(groups))
}

fn is_own_hook(hook: &Json) -> bool {
    let command = hook.get("command").and_then(Json::as_string);
    command.is_some_and(|command| is_own_command(&command))
}

fn has_own_hook(group: &Json) -> bool {
    matches!(group.get("hooks"), Some(Json::List(hooks)) if hooks.iter().any(is_own_hook))
}

/// Removes this program's hooks from a group. Returns whether the group is then empty.
fn remove_own_hooks(group: &mut Json) -> bool {
    if !has_own_hook(group) {
        return false;
    }
    match group.get_or_insert("hooks", Json::List(Vec::new())) {
        Some(Json::List(hooks)) => {
            hooks.retain(|hook| !is_own_hook(hook));
            hooks.is_empty()
        }
        _ => false,
    }
}

/// The most bytes of a settings file. As JSON in memory it takes up to 150 times as much.
const MOST_SETTINGS: u64 = 1 << 20;

/// The file's text, empty where the file is missing.
fn read_settings(file: &Path) -> Result<String, EngineError> {
    match guard::file::read_user_text(file, MOST_SETTINGS) {
        Ok(text) => Ok(text),
        Err(error) if error.is_missing() => Ok(String::new()),
        Err(error) => Err(EngineError::runtime_failure(format!("cannot read {error}"))),
    }
}

fn parse_settings(file: &Path, text: &str) -> Result<Json, EngineError> {
    let empty = text.trim().is_empty();
    let settings =
        Json::parse(if empty { "{}" } else { text }).map_err(|e| damaged_error(file, &e))?;
    if settings.count("hooks") > 1 {
        return Err(damaged_error(file, "the key hooks stands in it twice"));
    }
    let hooks = settings.get("hooks");
    match (&settings, hooks) {
        (Json::Object(_), None | Some(Json::Object(_))) => Ok(settings),
        (Json::Object(_), Some(_)) => Err(damaged_error(file, "hooks is no object")),
        _ => Err(damaged_error(file, "it is no object")),
    }
}

fn damaged_error(file: &Path, what: &str) -> EngineError {
    EngineError::bad_arguments(format!("{} is damaged: {what}", file.display()))
        .with_hint("nothing was written; correct it and try again")
}

/// Refuses a file of a project that is outside it through a link: a repository may ship `.claude` as a link to the user's own.
fn check_no_link_outside(project: &Path, file: &Path) -> Result<(), EngineError> {
    let real = project
        .canonicalize()
        .unwrap_or_else(|_| project.to_path_buf());
    let leads_out = |path: &&Path| {
        let is_link = path
            .symlink_metadata()
            .is_ok_and(|found| found.is_symlink());
        is_link
            && !path
                .canonicalize()
                .is_ok_and(|target| target.starts_with(&real))
    };
    let path = [file.parent(), Some(file)]
        .into_iter()
        .flatten()
        .find(leads_out);
    match path {
        Some(path) => {
            let message = format!("{} is a link that leads out of the project", path.display());
            Err(EngineError::bad_arguments(message)
                .with_hint("nothing was written; remove the link"))
        }
        None => Ok(()),
    }
}

/// The indentation that the file uses.
fn detect_indent(text: &str) -> &str {
    let first = text.lines().find(|line| line.starts_with([' ', '\t']));
    let indent = first.map(|line| &line[..line.len() - line.trim_start().len()]);
    indent.unwrap_or("  ")
}

/// Replaces the file as a whole, through a link where it is one. Returns the path of the backup. A link in the backup's place is
/// replaced and not followed, since a repository may ship one that leads to a file of the user. The backup is readable by the
/// user alone: settings may contain keys.
fn replace_settings(
    file: &Path,
    project: Option<&Path>,
    backup: Option<&str>,
    after: &str,
) -> Result<Option<PathBuf>, EngineError> {
    let fail = |path: &Path, why: &dyn std::fmt::Display| {
        EngineError::runtime_failure(format!("cannot write {}: {why}", path.display()))
            .with_hint("the settings are as they were")
    };
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder).map_err(|e| fail(folder, &e))?;
    }
    let real = file.canonicalize().unwrap_or_else(|_| file.to_path_buf());
    let root = project.map_or_else(
        || real.clone(),
        |project| {
            project
                .canonicalize()
                .unwrap_or_else(|_| project.to_path_buf())
        },
    );
    let write = |path: &Path, text: &str| {
        guard::output::write_user_file(path, text.as_bytes(), &root)
            .map_err(|error| fail(path, &error.reason()))
    };
    let kept = file.with_extension("json.knotwork-backup");
    if let Some(before) = backup {
        guard::state::replace_file(&kept, before.as_bytes()).map_err(|e| fail(&kept, &e))?;
    }
    write(&real, after)?;
    Ok(backup.map(|_| kept))
}

#[cfg(test)]
mod tests {
    use super::*;

    const THEIRS: &str = r#"{
  "model": "opus",
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
    fn installing_adds_and_uninstalling_gives_back_what_was_there() {
        let mut settings = Json::parse(THEIRS).unwrap();
        add_hooks(&mut settings, "/opt/knotwork hook").unwrap();
        let installed = settings.clone();
        let text = settings.to_pretty("  ");
        assert!(text.contains("check-it hook") && text.contains("say done"));
        assert_eq!(text.matches("/opt/knotwork hook").count(), EVENTS.len());
        assert!(text.find("\"model\"") < text.find("\"hooks\""));
        add_hooks(&mut settings, "/opt/knotwork hook").unwrap();
        assert_eq!(settings, installed);
        remove_hooks(&mut settings).unwrap();
        assert_eq!(settings.to_pretty("  "), THEIRS);
        remove_hooks(&mut settings).unwrap();
        assert_eq!(settings.to_pretty("  "), THEIRS);
    }

    #[test]
    fn a_moved_program_is_installed_once() {
        let mut settings = Json::parse("{}").unwrap();
        add_hooks(&mut settings, "\"/old place/knotwork\" hook").unwrap();
        add_hooks(&mut settings, "/old/knotwork-0.1 hook").unwrap();
        add_hooks(&mut settings, "/new/knotwork hook").unwrap();
        let text = settings.to_pretty("  ");
        assert_eq!(text.matches("knotwork").count(), EVENTS.len());
        assert!(!text.contains("old place"));
        remove_hooks(&mut settings).unwrap();
        assert_eq!(settings.to_pretty("  "), "{}");
    }

    #[test]
    fn our_hook_in_a_group_of_others_goes_alone() {
        let mut settings = Json::parse(
            r#"{"hooks":{"Stop":[{"hooks":[{"command":"a"},{"command":"knotwork hook"}]}],"Other":[]}}"#,
        )
        .unwrap();
        remove_hooks(&mut settings).unwrap();
        let expected =
            Json::parse(r#"{"hooks":{"Stop":[{"hooks":[{"command":"a"}]}],"Other":[]}}"#);
        assert_eq!(settings, expected.unwrap());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_out_of_the_project_is_refused() {
        use std::os::unix::fs::symlink;
        let outer = tempfile::tempdir().unwrap();
        let (project, other) = (outer.path().join("project"), outer.path().join("other"));
        std::fs::create_dir_all(&other).unwrap();
        std::fs::create_dir_all(&project).unwrap();
        let file = project.join(".claude/settings.json");
        assert!(check_no_link_outside(&project, &file).is_ok());
        symlink(&other, project.join(".claude")).unwrap();
        assert!(check_no_link_outside(&project, &file).is_err());
        std::fs::remove_file(project.join(".claude")).unwrap();
        std::fs::create_dir(project.join(".claude")).unwrap();
        symlink(other.join("settings.json"), &file).unwrap();
        assert!(check_no_link_outside(&project, &file).is_err());
        std::fs::remove_file(&file).unwrap();
        std::fs::write(project.join("shared.json"), "{}").unwrap();
        symlink("../shared.json", &file).unwrap();
        assert!(check_no_link_outside(&project, &file).is_ok());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_the_place_of_the_backup_is_not_followed() {
        use std::os::unix::fs::symlink;
        let outer = tempfile::tempdir().unwrap();
        let (project, theirs) = (outer.path().join("project"), outer.path().join("rc"));
        let file = project.join(".claude/settings.json");
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&theirs, "theirs").unwrap();
        std::fs::write(&file, "{}").unwrap();
        let kept = file.with_extension("json.knotwork-backup");
        symlink("../../rc", &kept).unwrap();
        let project = Some(project.as_path());
        let text = |path: &Path| std::fs::read_to_string(path).unwrap();
        let backup = replace_settings(&file, project, Some("{}"), "{\"a\": 1}").unwrap();
        assert_eq!(backup.as_deref(), Some(kept.as_path()));
        assert_eq!(text(&theirs), "theirs");
        assert!(!kept.symlink_metadata().unwrap().is_symlink());
        assert_eq!(
            (text(&kept), text(&file)),
            ("{}".into(), "{\"a\": 1}".into())
        );
        assert_eq!(
            std::fs::read_dir(file.parent().unwrap()).unwrap().count(),
            2
        );
    }

    #[test]
    fn what_is_no_list_is_refused() {
        let mut settings = Json::parse(r#"{"hooks":{"PreToolUse":{}}}"#).unwrap();
        assert!(add_hooks(&mut settings, "knotwork hook").is_err());
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

    #[test]
    fn a_key_that_stands_twice_is_not_guessed() {
        let file = Path::new("settings.json");
        let error = parse_settings(file, r#"{"hooks": {}, "h\u006foks": {}}"#).unwrap_err();
        assert!(error.message.contains("twice"), "{}", error.message);
    }
}
