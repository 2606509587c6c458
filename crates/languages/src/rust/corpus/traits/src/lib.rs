mod shape;
mod blanket;

use shape::{Circle, Named, Shape, Square};
use std::fmt::Display;

fn total(shapes: &[Box<dyn Shape>]) -> f64 {
    shapes.iter().map(|shape| shape.area()).sum() // calls src/shape.rs:Shape.area
}

fn biggest<S: Shape>(first: S, second: S) -> S {
    if first.area() > second.area() { // calls src/shape.rs:Shape.area
        first
    } else {
        second
    }
}

fn both<T>(value: &T) -> String
where
    T: Shape + Named + ?Sized,
{
    value.describe(); // calls src/shape.rs:Shape.describe
    value.name() // calls src/shape.rs:Named.name
}

fn make(round: bool) -> Box<dyn Named> {
    match round {
        true => Box::new(Circle::new(1.0)), // calls src/shape.rs:Circle.new
        false => Box::new(Square { side: 1.0 }),
    }
}

fn shown(value: impl Display + Shape) -> String {
    value.describe(); // calls src/shape.rs:Shape.describe
    value.to_string()
}

pub fn run() {
    let circle = Circle::new(2.0); // calls src/shape.rs:Circle.new
    circle.area(); // calls src/shape.rs:Circle.area
    circle.describe(); // calls src/shape.rs:Shape.describe
    Square { side: 1.0 }.describe(); // calls src/shape.rs:Square.describe
    Shape::area(&circle); // calls src/shape.rs:Circle.area
    <Circle as Shape>::unit().name(); // calls src/shape.rs:Circle.unit, src/shape.rs:Circle.name
    Square::unit().area(); // calls src/shape.rs:Square.unit, src/shape.rs:Square.area
    biggest(Circle::new(1.0), circle).radius(); // calls :biggest, src/shape.rs:Circle.new, src/shape.rs:Circle.radius
    total(&[Box::new(Square { side: 2.0 })]); // calls :total
    make(true).name(); // calls :make, src/shape.rs:Named.name
    make(false).shout(); // calls :make, src/shape.rs:Named.shout
    let shape: &dyn Shape = &Square { side: 3.0 };
    shape.area(); // calls src/shape.rs:Shape.area
    both(&Square { side: 4.0 }).len(); // calls :both
    shown(Circle::new(3.0)).len(); // calls :shown, src/shape.rs:Circle.new
}
