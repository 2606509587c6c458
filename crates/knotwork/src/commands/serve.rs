//! `knotwork serve`: MCP over HTTP for a team, answered from the shared store.

use crate::command::{Command, Row, Run};
use crate::commands::mcp::parse_listen_address;
use crate::environment::{self, GlobalArgs, Limits};
use crate::format::TEXT_OR_JSON;
use crate::printer::{CommandResult, Printer};
use clap::Args;
use engine::{EngineError, Settings, SharedRepository};
use serde_json::json;
use server::mcp::{Admission, AuditEntry, Http, Member, Repository, Team};
use std::fmt::Write;
use std::net::SocketAddr;
use std::sync::Arc;
use store_postgres::{NewUser, Pool, Repositories, User, Users};

/// The most connections of a server to the database.
const MOST_CONNECTIONS: usize = 16;

pub(super) const COMMAND: Command = Command {
    name: "serve",
    aliases: &[],
    about: "Serve the Model Context Protocol over HTTP to a team, from a shared store",
    examples: &[
        "knotwork serve --add-user ann --repositories 'example.org/team/*'",
        "knotwork serve --http 127.0.0.1:8765",
        "knotwork serve --users",
    ],
    part_examples: &[],
    formats: TEXT_OR_JSON,
    part_formats: &[],
    operations: &[],
    readme: Row {
        usage: "`serve`, `serve --add-user NAME`",
        tool: None,
        answers: "[serves a team](docs/scale.md#a-server-for-a-team) from a shared store, over HTTP",
    },
    readme_chinese: None,
    run: &Run::in_process(run_team_server),
};

/// Serve the structure and the texts of all published repositories over MCP to a team, with a token for each user. It keeps no state, so that several may
/// stand behind a balancer. /health and /metrics need no token. Needs GRAPH_BACKEND=postgres and GRAPH_DB_URL
#[derive(Debug, Args)]
struct ServeArgs {
    /// The address to listen on. Port 0 chooses a free port
    #[arg(long, value_name = "[ADDRESS:]PORT", default_value = "127.0.0.1:8765", value_parser = parse_listen_address)]
    http: SocketAddr,
    /// Allow an address that other machines can reach. There is no TLS: leave it to the balancer
    #[arg(long)]
    allow_remote: bool,
    /// Add a user who may read, or give the user another token, instead of serving. The token is printed once
    #[arg(long, value_name = "NAME")]
    add_user: Option<String>,
    /// Repositories the user may read; `*` at the end matches any ending [default: all]
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        requires = "add_user"
    )]
    repositories: Option<Vec<String>>,
    /// The most requests of the user in a minute
    #[arg(long, value_name = "N", default_value_t = 600, requires = "add_user", value_parser = clap::value_parser!(i32).range(1..))]
    rate: i32,
    /// Remove a user, instead of serving
    #[arg(long, value_name = "NAME", conflicts_with = "add_user")]
    remove_user: Option<String>,
    /// List the users, instead of serving
    #[arg(long, conflicts_with_all = ["add_user", "remove_user"])]
    users: bool,
}

fn run_team_server(given: &GlobalArgs, args: ServeArgs, printer: &Printer) -> CommandResult {
    let json = printer.is_json(TEXT_OR_JSON)?;
    let Some(pool) = environment::shared_pool(MOST_CONNECTIONS)? else {
        return Err(EngineError::bad_arguments(
            "a server for a team needs the database of a shared store",
        )
        .with_hint("set GRAPH_BACKEND=postgres and GRAPH_DB_URL")
        .into());
    };
    if let Some(note) = environment::unheeded_options(&pool) {
        printer.print_note(&format!("warning: {note}"));
    }
    let users = Users::open(&pool).map_err(EngineError::from)?;
    if let Some(name) = args.add_user {
        let user = NewUser {
            name,
            repositories: args.repositories,
            requests_per_minute: args.rate,
        };
        return add_user(&users, &user, json, printer);
    }
    if let Some(name) = args.remove_user {
        let was_there = users.remove(&name).map_err(EngineError::from)?;
        let outcome = if was_there {
            "removed"
        } else {
            "there is no such user"
        };
        return if json {
            printer.print_json(&json!({"name": name, "removed": was_there}))
        } else {
            printer.print_text(&format!("{name}: {outcome}"))
        };
    }
    if args.users {
        return list_users(&users, json, printer);
    }
    let team = SharedTeam::new(given, &pool, users)?;
    let served = server::mcp::serve_team(Arc::new(team), args.http, args.allow_remote, |at| {
        printer.print_note(&format!("Listening on http://{at}/mcp"));
    });
    served.map_err(|e| EngineError::runtime_failure(format!("the server ended: {e}")).into())
}

fn add_user(users: &Users, user: &NewUser, json: bool, printer: &Printer) -> CommandResult {
    let token = Http::new_token()
        .map_err(|e| EngineError::runtime_failure(format!("no random numbers for a token: {e}")))?;
    let is_new = users.add(user, &token).map_err(EngineError::from)?;
    if json {
        return printer.print_json(&json!({"name": user.name, "new": is_new, "token": token}));
    }
    let outcome = if is_new { "added" } else { "has another token" };
    printer.print_note(&format!(
        "{}: {outcome}; the token is not shown again",
        user.name
    ));
    printer.print_text(&token)
}

fn list_users(users: &Users, json: bool, printer: &Printer) -> CommandResult {
    let all = users.list().map_err(EngineError::from)?;
    if json {
        let all: Vec<_> = all
            .iter()
            .map(|user| {
                json!({
                    "name": user.name, "repositories": user.repositories,
                    "requests_per_minute": user.requests_per_minute,
                })
            })
            .collect();
        return printer.print_json(&json!({ "users": all }));
    }
    let mut out = String::new();
    for user in &all {
        let may = match &user.repositories {
            Some(names) => names.join(", "),
            None => "all repositories".to_owned(),
        };
        let rate = user.requests_per_minute;
        let _ = writeln!(out, "{}  {may}, {rate} requests a minute", user.name);
    }
    if all.is_empty() {
        out.push_str("no users; `knotwork serve --add-user NAME`\n");
    }
    printer.print_text(&out)
}

/// The users and repositories of a database.
struct SharedTeam {
    users: Users,
    stores: Arc<Repositories>,
    settings: Settings,
    /// How messages name the database.
    database: String,
}

impl SharedTeam {
    fn new(given: &GlobalArgs, pool: &Arc<Pool>, users: Users) -> Result<SharedTeam, EngineError> {
        // A project without files: all answers come from the database.
        let folder = environment::server_folder()?;
        guard::state::create_private_folders(&folder)
            .map_err(|e| EngineError::runtime_failure(e.to_string()))?;
        let mut set = given.set.clone();
        set.push("intent.enabled=false".to_owned());
        let given = GlobalArgs {
            project: Some(folder.clone()),
            folder: None,
            set,
        };
        let settings = Settings {
            state_dir: Some(folder.join(".devbooks")),
            db_path: None,
            scip_path: None,
            shared: None,
            ..environment::read_settings(&given, &Limits::default())?
        };
        Ok(SharedTeam {
            users,
            stores: Arc::new(Repositories::new(pool.clone())),
            settings,
            database: pool.server().to_string(),
        })
    }
}

fn to_member(user: &User) -> Member {
    Member {
        name: user.name.as_str().into(),
        repositories: user.repositories.as_deref().map(Into::into),
    }
}

impl Team for SharedTeam {
    fn admit(&self, token: &str) -> Result<Admission, EngineError> {
        Ok(match self.users.admit(token)? {
            store_postgres::Admission::Admitted(user) => Admission::Admitted(to_member(&user)),
            store_postgres::Admission::Unknown => Admission::Unknown,
            store_postgres::Admission::TooMany(user, seconds) => {
                Admission::TooMany(to_member(&user), seconds)
            }
        })
    }

    fn repositories(&self) -> Result<Vec<Repository>, EngineError> {
        let all = self.users.repositories()?.into_iter();
        Ok(all
            .map(|one| Repository {
                name: one.name,
                commit: one.commit,
                is_dirty: one.is_dirty,
            })
            .collect())
    }

    fn most_promising(
        &self,
        repositories: &[String],
        query: &str,
        most: usize,
    ) -> Result<Vec<String>, EngineError> {
        let words = engine::words_of_query(query);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        Ok(self.stores.most_promising(repositories, &words, most)?)
    }

    fn settings(&self, repository: &str) -> Settings {
        Settings {
            shared: Some(SharedRepository {
                stores: self.stores.clone(),
                name: Some(repository.to_owned()),
            }),
            ..self.settings.clone()
        }
    }

    fn log(&self, entry: &AuditEntry) -> Result<(), EngineError> {
        Ok(self.users.log(&store_postgres::AuditEntry {
            user: entry.user.clone(),
            address: entry.address.clone(),
            tool: entry.tool.clone(),
            repository: entry.repository.clone(),
            outcome: entry.outcome.clone(),
            milliseconds: i32::try_from(entry.milliseconds).unwrap_or(i32::MAX),
        })?)
    }

    fn database(&self) -> String {
        self.database.clone()
    }

    fn check(&self) -> Result<(), EngineError> {
        Ok(self.users.check()?)
    }

    fn may_read(&self, member: &Member, repository: &str) -> bool {
        store_postgres::may_read(member.repositories.as_deref(), repository)
    }
}
