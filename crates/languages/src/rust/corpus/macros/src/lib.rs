#[macro_use]
mod define;
mod user;

use std::collections::HashMap;

fn log(text: &str) {
    println!("{}", text);
}

fn value() -> u32 {
    bump!(3) // calls src/define.rs:bump
}

pub struct Point(u32);

impl Point {
    fn size(&self) -> u32 {
        self.0
    }
}

macro_rules! twice {
    ($e:expr) => {
        $e + $e
    };
}

macro_rules! getters {
    ($($name:ident: $value:expr),* $(,)?) => {
        $(
            pub fn $name() -> u32 {
                $value
            }
        )*
    };
}

getters! { // calls :getters
    width: 3,
    height: value(), // calls :value
}

pub fn run(point: Point) -> u32 {
    twice!(value()); // calls :twice (missed), :value, :run.twice (wrong)
    let map: HashMap<&str, Point> = map! { // calls src/define.rs:map
        "a" => Point(value()), // calls :Point, :value
    };
    map["a"].size(); // calls :Point.size
    println!("{} {}", point.size(), value()); // calls :Point.size, :value
    let sizes = vec![point.size(), twice!(1)]; // calls :Point.size, :twice (missed), :run.twice (wrong)
    assert_eq!(sizes.len() as u32, value(), "size {}", point.size()); // calls :value, :Point.size
    crate::shout!("text"); // calls src/define.rs:shout
    if matches!(point.size(), 1 | 2) { // calls :Point.size
        log(&format!("{:?}", point.size())); // calls :log, :Point.size
    }
    macro_rules! twice {
        ($e:expr) => {
            $e
        };
    }
    twice!(point).size(); // calls :run.twice, :Point.size
    user::call(); // calls src/user.rs:call
    width() + height() // calls :width, :height
}
