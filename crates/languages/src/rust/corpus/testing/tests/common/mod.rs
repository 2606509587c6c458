use testing::Stack;

pub fn setup() -> Stack {
    let mut stack = Stack::new(); // calls src/lib.rs:Stack.new
    stack.push(3); // calls src/lib.rs:Stack.push
    stack
}
