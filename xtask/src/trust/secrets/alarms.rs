//! False positives: lines of public code that are blanked.

use super::super::Figure;
use super::ALARMS;
use anyhow::Result;
use base::secret::{TextKind, mask_secrets};
use std::path::{Path, PathBuf};

/// The size limit of a file, in bytes.
const LARGEST: u64 = 1 << 20;

/// The figure over the corpus; a hint if there is no corpus.
pub(super) fn figures(corpus: &[PathBuf], list: bool) -> Result<Vec<Figure>> {
    if corpus.is_empty() {
        let hint = "give public code with --corpus DIR".to_owned();
        return Ok(vec![Figure::note("lines of public code blanked", hint)]);
    }
    let (mut bytes, mut lines) = (0usize, 0usize);
    for folder in corpus {
        for entry in ignore::WalkBuilder::new(folder)
            .standard_filters(false)
            .build()
        {
            let entry = entry?;
            let small = entry
                .metadata()
                .is_ok_and(|about| about.is_file() && about.len() <= LARGEST);
            if small {
                let (size, blanked) = file(folder, entry.path(), list)?;
                bytes += size;
                lines += blanked;
            }
        }
    }
    let most = (ALARMS.0 * bytes as f64 / ALARMS.1).round();
    let value = format!("{lines} in {:.1} MB", bytes as f64 / 1e6);
    let bar = format!("at most {most}");
    Ok(vec![Figure::new(
        "lines of public code blanked",
        value,
        &bar,
        lines as f64 <= most,
    )])
}

/// The bytes of a file, and the number of its lines that are blanked.
fn file(folder: &Path, path: &Path, list: bool) -> Result<(usize, usize)> {
    let bytes = std::fs::read(path)?;
    if bytes.iter().take(8_192).any(|b| *b == 0) {
        return Ok((0, 0));
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let shown = path
        .strip_prefix(folder)
        .unwrap_or(path)
        .display()
        .to_string();
    let hidden = mask_secrets(text.clone(), TextKind::from_path(&shown));
    let changed = text
        .lines()
        .zip(hidden.lines())
        .enumerate()
        .filter(|(_, (a, b))| a != b);
    let mut count = 0;
    for (number, (line, _)) in changed {
        count += 1;
        if list {
            let line: String = line.trim().chars().take(160).collect();
            println!("    {shown}:{}: {line}", number + 1);
        }
    }
    Ok((text.len(), count))
}
