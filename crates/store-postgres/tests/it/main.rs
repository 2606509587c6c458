//! The store on a real PostgreSQL.

mod bad_input;
mod common;
mod isolation;
mod publish;
mod queue;
mod users;

use common::fresh;

store::contract_tests!(fresh);
