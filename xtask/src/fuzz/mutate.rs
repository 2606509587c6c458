//! Mutations of inputs: bytes, tokens, lines, and stretches of other inputs.

use testkit::edits::Random;

/// The size limit of inputs, in bytes.
const MAX_SIZE: usize = 32 << 10;

/// Tokens of the grammars, and bytes that are hard for parsers.
const TOKENS: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    ",",
    ";",
    ":",
    "::",
    ".",
    "..",
    "...",
    "=",
    "=>",
    "->",
    "!",
    "?",
    "@",
    "#",
    "$",
    "&",
    "*",
    "|",
    "||",
    "'",
    "\"",
    "`",
    "\\",
    "/*",
    "*/",
    "//",
    "\n",
    "\t",
    "    ",
    "a",
    "b",
    "self",
    "this",
    "super",
    "class ",
    "def ",
    "fn ",
    "func ",
    "function ",
    "interface ",
    "struct ",
    "impl ",
    "trait ",
    "type ",
    "enum ",
    "import ",
    "from ",
    "use ",
    "package ",
    "export ",
    "new ",
    "return ",
    "yield ",
    "await ",
    "async ",
    "lambda ",
    "if ",
    "else ",
    "for ",
    "match ",
    "switch ",
    "case ",
    "extends ",
    "implements ",
    "static ",
    "const ",
    "let ",
    "var ",
    "macro_rules! m ",
    "0",
    "1e9",
    "\u{0}",
    "\u{feff}",
    "é",
    "𝒳",
    "//- ",
    "..",
    "${",
    "%",
];

/// A mutation of one input, possibly with parts of others.
pub(super) fn mutate(random: &mut Random, of: &[u8], others: &[Vec<u8>]) -> Vec<u8> {
    let mut data = of.to_vec();
    for _ in 0..=random.below(6) {
        step(random, &mut data, others);
        data.truncate(MAX_SIZE);
    }
    data
}

fn step(random: &mut Random, data: &mut Vec<u8>, others: &[Vec<u8>]) {
    let at = random.below(data.len() + 1);
    let length = random.below(data.len() - at + 1).min(1 + random.below(60));
    match random.below(9) {
        0 => {
            data.drain(at..at + length);
        }
        1 => insert(data, at, TOKENS[random.below(TOKENS.len())].as_bytes()),
        2 => {
            let token = TOKENS[random.below(TOKENS.len())].as_bytes();
            data.splice(at..at + length.min(4), token.iter().copied());
        }
        3 => {
            let piece = data[at..at + length].to_vec();
            let to = random.below(data.len() + 1);
            insert(data, to, &piece);
        }
        4 => {
            let piece = data[at..at + length].to_vec();
            let times = 1 + random.below(40);
            insert(data, at, &piece.repeat(times));
        }
        5 => {
            if let Some(byte) = data.get_mut(at) {
                *byte ^= 1 << random.below(8);
            }
        }
        6 => {
            let other = &others[random.below(others.len())];
            let from = random.below(other.len() + 1);
            let piece = &other[from..(from + random.below(200)).min(other.len())];
            insert(data, at, piece);
        }
        7 => swap_lines(random, data),
        _ => data.truncate(at),
    }
}

fn insert(data: &mut Vec<u8>, at: usize, piece: &[u8]) {
    data.splice(at..at, piece.iter().copied());
}

fn swap_lines(random: &mut Random, data: &mut Vec<u8>) {
    let mut lines: Vec<&[u8]> = data.split_inclusive(|b| *b == b'\n').collect();
    if lines.len() < 2 {
        return;
    }
    let (a, b) = (random.below(lines.len()), random.below(lines.len()));
    lines.swap(a, b);
    *data = lines.concat();
}
