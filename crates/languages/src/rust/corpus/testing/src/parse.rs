pub struct Parser<'a> {
    text: &'a str,
}

impl<'a> Parser<'a> {
    pub fn count(&self) -> usize {
        self.text.len()
    }
}

pub fn parse(text: &str) -> Parser<'_> {
    Parser { text }
}

#[cfg(test)]
#[path = "parse_tests.rs"]
mod tests;
