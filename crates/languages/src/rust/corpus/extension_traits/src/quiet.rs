//! The traits of the other module are not imported here.

struct Text(Vec<String>);

impl Text {
    fn join(&self) -> String {
        self.0.join(",")
    }
}

trait Loud {
    fn shout(&self) -> usize;
}

impl Loud for &str {
    fn shout(&self) -> usize {
        self.len()
    }
}

pub fn run() {
    "a".shout(); // calls :&str.shout
    Text(Vec::new()).join(); // calls :Text, :Text.join
    vec!["a", "b"].join("-");
}
