//! Types with names of the prelude.

pub struct String;

impl String {
    pub fn new() -> Self {
        String
    }

    pub fn push(&mut self, _c: char) {}
}

pub struct Vec {
    items: std::vec::Vec<u32>,
}

impl Vec {
    pub fn new() -> Vec {
        Vec { items: std::vec::Vec::new() }
    }

    pub fn push(&mut self, n: u32) {
        self.items.push(n);
    }
}

pub fn area(side: f64) -> f64 {
    let area = area_of; // A name for a function.
    area(side) // calls :area_of
}

fn area_of(side: f64) -> f64 {
    side * side
}
