use std::error::Error;
use std::fmt;
use std::num::ParseIntError;

pub type Result<T, E = ParseError> = std::result::Result<T, E>;

#[derive(Debug)]
pub enum ParseError {
    Number(ParseIntError),
    Missing { line: u32 },
    Other(Box<dyn Error + Send + Sync>),
}

impl ParseError {
    pub fn line(&self) -> Option<u32> {
        match self {
            Self::Missing { line } => Some(*line),
            Self::Number(inner) => at(&inner.to_string()), // calls :at
            Self::Other(inner) => inner.source().map(|_| 0),
        }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "line {:?}", self.line()) // calls :ParseError.line
    }
}

impl Error for ParseError {}

impl From<ParseIntError> for ParseError {
    fn from(inner: ParseIntError) -> Self {
        ParseError::Number(inner) // calls :ParseError.Number
    }
}

pub struct Line(u32);

impl Line {
    fn parse(text: &str) -> Result<Line> {
        let number = text.parse()?;
        Ok(Line(number)) // calls :Line
    }

    fn next(&self) -> Result<Line> {
        self.0.checked_add(1).map(Line).ok_or(ParseError::Missing { line: self.0 })
    }

    fn number(&self) -> u32 {
        self.0
    }
}

trait Context<T> {
    fn context(self, text: &str) -> Result<T>;
}

impl<T> Context<T> for Option<T> {
    fn context(self, text: &str) -> Result<T> {
        self.ok_or_else(|| ParseError::Other(text.into())) // calls :ParseError.Other
    }
}

fn at(text: &str) -> Option<u32> {
    Some(Line::parse(text).ok()?.number()) // calls :Line.parse, :Line.number
}

pub fn run(text: &str) -> Result<u32> {
    let line = Line::parse(text)?; // calls :Line.parse
    line.next()?.next()?.number(); // calls :Line.next, :Line.number
    let next = line.next().map_err(|e| { e.line(); e })?; // calls :Line.next, :ParseError.line
    match next.next() { // calls :Line.next
        Ok(line) if line.number() > 3 => line.number(), // calls :Line.number
        Ok(line) => return line.next().map(|l| l.number()), // calls :Line.next, :Line.number
        Err(e) => e.line().unwrap_or_default(), // calls :ParseError.line
    };
    let Ok(last) = Line::parse("4") else { // calls :Line.parse
        return Err(ParseError::Missing { line: 4 });
    };
    last.number(); // calls :Line.number
    text.lines().next().context("none")?.len(); // calls :Option.context
    if let Err(ParseError::Other(e)) = Line::parse("5").and_then(|line| line.next()) { // calls :Line.parse, :Line.next
        e.to_string();
    }
    let lines: Result<Vec<Line>> = text.lines().map(Line::parse).collect();
    lines?[0].number(); // calls :Line.number
    "6".parse::<u32>()?;
    Ok(Line::parse("7").unwrap_or_else(|e| Line(e.line().unwrap_or(0))).number()) // calls :Line.parse, :Line, :ParseError.line, :Line.number
}
