use crate::define::bump;
use crate::shout as cry;

fn vec() -> u32 {
    0
}

pub fn call() {
    bump(bump!(1)); // calls src/define.rs:bump@25, src/define.rs:bump@1
    cry!("a"); // calls src/define.rs:shout
    vec(); // calls :vec
    vec![vec()]; // calls :vec
}
