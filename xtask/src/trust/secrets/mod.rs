//! `trust secrets`: values planted in a generated project and in saved solutions are looked for in every file that the
//! program writes and in every answer that it gives.

use super::{Args, Figure, binary};
use anyhow::Result;

/// See the module.
pub(super) fn run(args: &Args) -> Result<Vec<Figure>> {
    let binary = binary(args)?;
    Ok(vec![Figure::note("binary", binary.display().to_string())])
}
