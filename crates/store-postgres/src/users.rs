//! The users of servers for a team: hashes of their tokens, their repositories and rates, and the audit log.

use crate::client::{Extent, Parameter};
use crate::{Pool, schema};
use std::fmt;
use std::sync::Arc;
use store::StoreError;

/// The longest text in an entry of the audit log, in bytes.
const LONGEST: usize = 500;

/// A user to be added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewUser {
    /// The name.
    pub name: String,
    /// Names of repositories, or prefixes of names followed by `*`; `None` for all.
    pub repositories: Option<Vec<String>>,
    /// The most requests per minute, over all servers.
    pub requests_per_minute: i32,
}

/// A user who was admitted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// The name.
    pub name: String,
    /// As in [`NewUser::repositories`].
    pub repositories: Option<Vec<String>>,
}

impl User {
    /// Whether the user may read a repository.
    pub fn may_read(&self, repository: &str) -> bool {
        may_read(self.repositories.as_deref(), repository)
    }
}

/// Whether a user with such a list, see [`NewUser::repositories`], may read a repository.
pub fn may_read(repositories: Option<&[String]>, repository: &str) -> bool {
    let matches = |pattern: &String| match pattern.strip_suffix('*') {
        Some(beginning) => repository.starts_with(beginning),
        None => pattern == repository,
    };
    repositories.is_none_or(|all| all.iter().any(matches))
}

/// The result of checking the token of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Admission {
    /// The request is admitted.
    Admitted(User),
    /// No user has this token.
    Unknown,
    /// The user has made too many requests; with the seconds until the next minute.
    TooMany(User, u32),
}

/// An entry of the audit log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditEntry {
    /// The user; `None` if the token was wrong.
    pub user: Option<String>,
    /// The client's address.
    pub address: String,
    /// The tool.
    pub tool: String,
    /// The repository.
    pub repository: String,
    /// `ok`, or the reason for refusal.
    pub outcome: String,
    /// The time for the answer.
    pub milliseconds: i32,
}

/// A repository that was published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedRepository {
    /// The name.
    pub name: String,
    /// The commit.
    pub commit: Option<String>,
    /// Whether files differed from the commit.
    pub is_dirty: bool,
}

/// The users of one database.
pub struct Users {
    pool: Arc<Pool>,
}

impl fmt::Debug for Users {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Users({})", self.pool.server())
    }
}

/// The stored form of a token. A token is random and long, so one round of a hash is enough.
fn hash(token: &str) -> Vec<u8> {
    blake3::derive_key("knotwork 2026 token of a team's user", token.as_bytes()).to_vec()
}

impl Users {
    /// Opens the users; the schema is first created or upgraded.
    pub fn open(pool: &Arc<Pool>) -> Result<Users, StoreError> {
        pool.with_connection("opening", |connection| {
            schema::migrate(connection, pool.server())
        })?;
        Ok(Users { pool: pool.clone() })
    }

    /// Adds a user with a token, or replaces the token of the user of that name. Returns whether the user is new.
    pub fn add(&self, user: &NewUser, token: &str) -> Result<bool, StoreError> {
        let is_plain = (1..=100).contains(&user.name.len())
            && !user
                .name
                .contains(|c: char| c.is_control() || c.is_whitespace());
        if !is_plain || user.requests_per_minute < 1 {
            return Err(StoreError::Invalid(format!(
                "not the name of a user, or no rate: {:?}",
                user.name
            )));
        }
        let sql = "INSERT INTO knotwork.users (name, token_hash, repositories, requests_per_minute) VALUES ($1, $2, $3, $4) \
                   ON CONFLICT (name) DO UPDATE SET token_hash = $2, repositories = $3, requests_per_minute = $4 \
                   RETURNING (xmax = 0)";
        let hash = hash(token);
        self.pool.with_connection("writing to", |connection| {
            let given: [Parameter<'_>; 4] = [
                &user.name,
                &hash,
                &user.repositories,
                &user.requests_per_minute,
            ];
            let row = connection.query_one(sql, &given)?;
            Ok(row.try_get(0)?)
        })
    }

    /// Removes a user; returns whether there was one.
    pub fn remove(&self, name: &str) -> Result<bool, StoreError> {
        self.pool.with_connection("writing to", |connection| {
            let sql = "DELETE FROM knotwork.users WHERE name = $1";
            Ok(connection.execute(sql, &[&name])? > 0)
        })
    }

    /// The users by name, with what they may read and how often.
    pub fn list(&self) -> Result<Vec<NewUser>, StoreError> {
        self.pool.with_connection("reading", |connection| {
            let sql =
                "SELECT name, repositories, requests_per_minute FROM knotwork.users ORDER BY name";
            let found = connection.query(sql, &[])?;
            let users = found.iter().map(|row| {
                Ok(NewUser {
                    name: row.try_get(0)?,
                    repositories: row.try_get(1)?,
                    requests_per_minute: row.try_get(2)?,
                })
            });
            users.collect()
        })
    }

    /// Looks up the user of a token and counts the request, in one statement. Requests to all servers of the database
    /// count together.
    pub fn admit(&self, token: &str) -> Result<Admission, StoreError> {
        let sql = "WITH who AS (SELECT name, repositories, requests_per_minute FROM knotwork.users WHERE token_hash = $1), \
                   counted AS (INSERT INTO knotwork.user_requests AS r (name, minute, requests) \
                     SELECT name, date_trunc('minute', now()), 1 FROM who \
                     ON CONFLICT (name, minute) DO UPDATE SET requests = r.requests + 1 RETURNING requests) \
                   SELECT who.name, who.repositories, who.requests_per_minute, counted.requests, \
                     ceil(60 - extract(second FROM now()))::integer FROM who, counted";
        let hash = hash(token);
        self.pool.with_connection("asking", |connection| {
            let Some(row) = connection.query_opt(sql, &[&hash])? else {
                return Ok(Admission::Unknown);
            };
            let user = User {
                name: row.try_get(0)?,
                repositories: row.try_get(1)?,
            };
            let (most, made): (i32, i32) = (row.try_get(2)?, row.try_get(3)?);
            if made == 1 {
                let old = "DELETE FROM knotwork.user_requests WHERE name = $1 AND minute < now() - interval '5 minutes'";
                connection.execute(old, &[&user.name])?;
            }
            let left: i32 = row.try_get(4)?;
            Ok(if made > most {
                Admission::TooMany(user, left.max(1) as u32)
            } else {
                Admission::Admitted(user)
            })
        })
    }

    /// Adds an entry to the audit log.
    pub fn log(&self, entry: &AuditEntry) -> Result<(), StoreError> {
        let sql = "INSERT INTO knotwork.audit (name, address, tool, repository, outcome, milliseconds) \
                   VALUES ($1, $2, $3, $4, $5, $6)";
        self.pool.with_connection("writing to", |connection| {
            let cut = |text: &str| crate::storable_text(text, LONGEST);
            let (address, tool) = (cut(&entry.address), cut(&entry.tool));
            let (repository, outcome) = (cut(&entry.repository), cut(&entry.outcome));
            let given: [Parameter<'_>; 6] = [
                &entry.user,
                &address,
                &tool,
                &repository,
                &outcome,
                &entry.milliseconds,
            ];
            connection.execute(sql, &given)?;
            Ok(())
        })
    }

    /// The published repositories, by name.
    pub fn repositories(&self) -> Result<Vec<PublishedRepository>, StoreError> {
        self.pool.with_connection("reading", |client| {
            let sql = "SELECT r.name, r.commit, coalesce(m.value, '0') <> '0' FROM knotwork.repositories r \
                       LEFT JOIN knotwork.metadata m ON m.repo_id = r.repo_id AND m.key = 'dirty' \
                       WHERE r.version > 0 ORDER BY r.name";
            let mut all = Vec::new();
            client.visit(sql, &[], Extent::Repository, |row| {
                all.push(PublishedRepository {
                    name: row.try_get(0)?,
                    commit: row.try_get(1)?,
                    is_dirty: row.try_get(2)?,
                });
                Ok(())
            })?;
            Ok(all)
        })
    }

    /// Whether the database answers.
    pub fn check(&self) -> Result<(), StoreError> {
        self.pool.with_connection("asking", |connection| {
            schema::check(connection, self.pool.server())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_reads_what_the_list_names() {
        let user = |repositories: Option<&[&str]>| User {
            name: "ann".to_owned(),
            repositories: repositories.map(|all| all.iter().map(|one| (*one).to_owned()).collect()),
        };
        assert!(user(None).may_read("x/y"));
        assert!(!user(Some(&[])).may_read("x/y"));
        let some = user(Some(&["x/y", "team/*"]));
        assert!(some.may_read("x/y") && some.may_read("team/a") && some.may_read("team/b/c"));
        assert!(!some.may_read("x/y2") && !some.may_read("teams/a"));
    }
}
