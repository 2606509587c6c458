//! The command line, parsed by clap.

use crate::command::{Call, Command};
use crate::commands::COMMANDS;
use crate::format::Format;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

/// The heading of the options that all commands have.
const GLOBAL: &str = "Options of all commands";

/// Turns a repository into a code graph and answers questions about it.
///
/// Every question builds a missing index, and reads changed files again before it answers. The index is
/// stored in .devbooks/ in the project's root.
#[derive(Parser)]
#[command(
    name = "knotwork",
    version,
    propagate_version = true,
    max_term_width = 100
)]
#[command(
    after_help = "Exit codes: 0 success, 1 bad arguments, 2 missing dependency, 3 failure while running, 4 findings under --strict.\n\
    Environment: DEVBOOKS_DIR, GRAPH_DB_PATH, GRAPH_BACKEND, GRAPH_DB_URL, GRAPH_REPOSITORY, SCIP_INDEX_PATH, FEATURES_CONFIG, INTENT_HISTORY_PATH, AST_CACHE_DIR, SOLUTION_MEMORY_PATH, ARCH_RULES_FILE, NO_COLOR, KNOTWORK_PAGER, PAGER,\n\
    DEVBOOKS_DEBUG, and every key of `config show` with KNOTWORK_ before it, e.g. KNOTWORK_GRAPH_RAG_TOP_K.\n\
    Keys of providers: OPENAI_API_KEY, AZURE_OPENAI_API_KEY, ANTHROPIC_API_KEY."
)]
pub(crate) struct Cli {
    /// A folder inside the project [default: the current folder]
    #[arg(long, short = 'C', global = true, help_heading = GLOBAL, value_name = "DIR", num_args = 0..=1, default_missing_value = ".")]
    pub project: Option<PathBuf>,
    /// Output format; each command's help lists those that it has
    #[arg(long, global = true, help_heading = GLOBAL, value_enum, hide_possible_values = true)]
    pub format: Option<Format>,
    /// Set a configuration value. It overrides every configuration file (see `config show`)
    #[arg(long, global = true, help_heading = GLOBAL, value_name = "KEY=VALUE", hide_short_help = true)]
    pub set: Vec<String>,
    /// Memory ceiling. What does not fit is left out and reported [default: a quarter of the memory, at
    /// least 512MB]
    #[arg(long, global = true, help_heading = GLOBAL, value_name = "SIZE", value_parser = parse_memory_size, hide_short_help = true)]
    pub memory: Option<String>,
    /// Use fixed vectors instead of a model (for tests)
    #[arg(long, global = true, hide = true)]
    pub mock_embedding: bool,
    #[command(subcommand)]
    pub command: Chosen,
}

impl Cli {
    /// Parses a command line.
    pub(crate) fn read<T: Into<OsString> + Clone>(
        arguments: impl IntoIterator<Item = T>,
    ) -> Result<Cli, clap::Error> {
        let mut command = Cli::describe();
        let matches = command.try_get_matches_from_mut(arguments)?;
        Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
    }

    /// The command line.
    pub(crate) fn describe() -> clap::Command {
        Cli::command()
    }
}

/// The command that was chosen, with its arguments.
pub(crate) struct Chosen(pub Box<dyn Call>);

impl FromArgMatches for Chosen {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Chosen, clap::Error> {
        Chosen::from_arg_matches_mut(&mut matches.clone())
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Chosen, clap::Error> {
        let missing = || clap::Error::raw(ErrorKind::MissingSubcommand, "a command is needed");
        let (name, mut arguments) = matches.remove_subcommand().ok_or_else(missing)?;
        let unknown = || clap::Error::raw(ErrorKind::InvalidSubcommand, &name);
        let command = find_command(&name).ok_or_else(unknown)?;
        command.run.read(&mut arguments).map(Chosen)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Chosen::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Subcommand for Chosen {
    fn augment_subcommands(program: clap::Command) -> clap::Command {
        program.subcommands(COMMANDS.iter().map(describe))
    }

    fn augment_subcommands_for_update(program: clap::Command) -> clap::Command {
        Chosen::augment_subcommands(program)
    }

    fn has_subcommand(name: &str) -> bool {
        find_command(name).is_some()
    }
}

fn find_command(name: &str) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.name == name)
}

/// A command with its arguments and help.
fn describe(command: &Command) -> clap::Command {
    let described = command
        .run
        .add_arguments(clap::Command::default().name(command.name));
    let described = described
        .about(command.about)
        .long_about(None)
        .visible_aliases(command.aliases)
        .after_help(format_examples(command.examples));
    with_part_examples(with_formats(described, command.formats, command), command)
}

/// The text below a help.
fn format_examples(examples: &[&str]) -> String {
    let heading = if examples.len() == 1 {
        "Example:"
    } else {
        "Examples:"
    };
    format!("{heading}\n  {}", examples.join("\n  "))
}

/// Replaces the shared argument for the format with one that has the formats of this command.
fn with_formats(
    described: clap::Command,
    formats: &'static [Format],
    command: &Command,
) -> clap::Command {
    let names = formats.iter().filter_map(ValueEnum::to_possible_value);
    let parser = PossibleValuesParser::new(names);
    let parser = parser.try_map(|name| <Format as ValueEnum>::from_str(&name, false));
    let help = format!("Output format [default: {}]", formats[0].name());
    let format = Arg::new("format")
        .long("format")
        .value_name("FORMAT")
        .value_parser(parser)
        .help_heading(GLOBAL)
        .help(help);
    let described = described.arg(format);
    described.mut_subcommands(|part| {
        let others = command.part_formats.iter();
        let own = others.copied().find(|(name, _)| *name == part.get_name());
        with_formats(part, own.map_or(formats, |(_, own)| own), command)
    })
}

/// Puts an example into the help of each subcommand.
fn with_part_examples(described: clap::Command, command: &Command) -> clap::Command {
    described.mut_subcommands(|part| {
        let example = part_example(command, part.get_name());
        match example.filter(|_| part.get_after_help().is_none()) {
            Some(example) => part.after_help(format_examples(&[example])),
            None => part,
        }
    })
}

/// The example of a subcommand.
fn part_example(command: &Command, part: &str) -> Option<&'static str> {
    let call = format!("knotwork {} {part}", command.name);
    let is_of = |example: &&str| {
        let rest = example.split_once(&*call).map(|(_, rest)| rest);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    command.part_examples.iter().copied().find(is_of)
}

/// A size, parsed like that of the configuration.
fn parse_memory_size(text: &str) -> Result<String, Box<dyn std::error::Error + Send + Sync>> {
    let key = engine::config::find_key("limits.memory").ok_or("unknown key")?;
    key.kind.parse_value(text)?;
    Ok(text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::Cli;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::describe().debug_assert();
    }

    /// Checks that every command line of an example is accepted.
    #[test]
    fn examples_are_accepted() {
        let mut count = 0;
        for command in Cli::describe().get_subcommands() {
            count += check_examples(command);
            let parts = command.get_subcommands();
            for part in parts.filter(|part| part.get_name() != "help" && !part.is_hide_set()) {
                let name = format!("{} {}", command.get_name(), part.get_name());
                assert_eq!(check_examples(part), 1, "examples of {name}");
            }
        }
        assert!(count > 40, "{count}");
    }

    /// Checks the examples of a command. Returns their number.
    fn check_examples(command: &clap::Command) -> usize {
        let help = command.get_after_help().map(ToString::to_string);
        let help = help.unwrap_or_default();
        let lines = help
            .lines()
            .filter_map(|line| line.find("knotwork ").map(|at| &line[at..]));
        let lines: Vec<&str> = lines.collect();
        for line in &lines {
            // Text after two spaces is a remark; other programs and files come after `|`, `&` and `>`.
            let line = line.split("  ").next().unwrap_or_default();
            let first = line.split(['|', '&', '>']).next().unwrap_or_default();
            let words = words_of(first);
            Cli::read(&words).unwrap_or_else(|e| panic!("{line}: {e}"));
        }
        lines.len()
    }

    /// The words of a command line; quotes keep words together.
    fn words_of(line: &str) -> Vec<String> {
        let (mut words, mut quote) = (vec![String::new()], None);
        for c in line.trim().chars() {
            match quote {
                Some(open) if c == open => quote = None,
                None if c == '"' || c == '\'' => quote = Some(c),
                None if c == ' ' => words.push(String::new()),
                _ => words.iter_mut().next_back().unwrap().push(c),
            }
        }
        words
    }
}
