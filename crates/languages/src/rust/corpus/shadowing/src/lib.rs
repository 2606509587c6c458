use std::cmp::max;
use std::string::String as Text;

mod shapes;

use shapes::{String, Vec, area};

pub struct Cat;
pub struct Dog;

impl Cat {
    fn speak(&self) -> Dog {
        Dog
    }

    fn push(&mut self, _name: &str) {}
}

impl Dog {
    fn speak(&self) -> Cat {
        Cat
    }
}

fn name() -> u32 {
    1
}

fn min(a: u32, b: u32) -> u32 {
    max(a, b)
}

fn outer() -> u32 {
    // The inner function hides the outer one, wherever it stands in the block.
    let n = name(); // calls :outer.name@36
    fn name() -> u32 {
        self::name() // calls :name
    }
    {
        fn name() -> u32 {
            3
        }
        name(); // calls :outer.name@40
    }
    n
}

fn rebind(pet: Cat) {
    let pet = pet.speak(); // calls :Cat.speak
    let pet = pet.speak(); // calls :Dog.speak
    pet.speak(); // calls :Cat.speak
    {
        let pet = Dog;
        pet.speak(); // calls :Dog.speak
    }
    pet.speak(); // calls :Cat.speak
    if let Some(pet) = Some(Dog) {
        pet.speak(); // calls :Dog.speak
    }
    for pet in [Dog, Dog] {
        pet.speak(); // calls :Dog.speak
    }
    let pets = (Dog, Cat);
    let (pet, other) = pets;
    pet.speak(); // calls :Dog.speak
    other.speak(); // calls :Cat.speak
}

fn parameter(name: fn() -> u32, area: impl Fn(f64) -> f64) -> u32 {
    area(1.0);
    name()
}

pub fn run() {
    min(name()); // calls :run.min, :name
    outer(); // calls :outer
    rebind(Cat); // calls :rebind
    parameter(name, area); // calls :parameter
    area(2.0); // calls src/shapes.rs:area
    String::new().push('a'); // calls src/shapes.rs:String.new, src/shapes.rs:String.push
    Text::new().push('b');
    let mut list = Vec::new(); // calls src/shapes.rs:Vec.new
    list.push(1); // calls src/shapes.rs:Vec.push
    vec![1].push(2);
    Cat.push("c"); // calls :Cat.push
    let area = |n: f64| n;
    area(3.0);
    const fn min(a: u32) -> u32 {
        a
    }
}
