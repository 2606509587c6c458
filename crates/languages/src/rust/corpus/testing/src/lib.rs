mod parse;

pub use parse::{Parser, parse};

pub struct Stack {
    items: Vec<u32>,
}

impl Stack {
    pub fn new() -> Self {
        Stack { items: Vec::new() }
    }

    pub fn push(&mut self, n: u32) {
        self.items.push(n);
    }

    pub fn pop(&mut self) -> Option<u32> {
        self.items.pop()
    }

    #[cfg(test)]
    fn sample() -> Self {
        let mut stack = Stack::new(); // calls :Stack.new
        stack.push(1); // calls :Stack.push
        stack
    }
}

fn private() -> Stack {
    Stack::new() // calls :Stack.new
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setup() -> Stack {
        let mut stack = private(); // calls :private
        stack.push(2); // calls :Stack.push
        stack
    }

    fn parse(text: &str) -> usize {
        super::parse(text).count() + text.len() // calls src/parse.rs:parse, src/parse.rs:Parser.count
    }

    #[test]
    fn pops() {
        assert_eq!(setup().pop(), Some(2)); // calls :tests.setup, :Stack.pop
        assert!(Stack::sample().pop().is_some()); // calls :Stack.sample, :Stack.pop
        parse("a"); // calls :tests.parse
    }

    #[test]
    #[should_panic(expected = "none")]
    fn panics() {
        setup().items.pop().expect("none"); // calls :tests.setup
        nested::check(&mut setup()); // calls :tests.nested.check, :tests.setup
    }

    mod nested {
        use super::super::Stack;

        pub(super) fn check(stack: &mut Stack) {
            stack.pop().map(|_| super::setup()); // calls :Stack.pop, :tests.setup
        }
    }
}
