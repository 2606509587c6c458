//! The store on a real PostgreSQL.

mod bad_input;
mod common;
mod foreign;
mod isolation;
#[cfg(unix)]
mod limits;
mod publish;
mod queue;
mod texts;
#[cfg(unix)]
mod tls;
mod users;

use common::fresh;

store::contract_tests!(fresh);
