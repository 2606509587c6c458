use std::fmt;

pub trait Shape {
    fn area(&self) -> f64;

    fn unit() -> Self
    where
        Self: Sized;

    fn describe(&self) -> String {
        format!("{}", self.area()) // calls :Shape.area
    }
}

pub trait Named: Shape {
    fn name(&self) -> String;

    fn shout(&self) -> String {
        self.describe(); // calls :Shape.describe
        self.name().to_uppercase() // calls :Named.name
    }
}

pub struct Circle(f64);

impl Circle {
    pub fn new(radius: f64) -> Self {
        Circle(radius) // calls :Circle
    }

    pub fn radius(&self) -> f64 {
        self.0
    }
}

impl Shape for Circle {
    fn area(&self) -> f64 {
        self.radius().powi(2) // calls :Circle.radius
    }

    fn unit() -> Self {
        Self::new(1.0) // calls :Circle.new
    }
}

impl Named for Circle {
    fn name(&self) -> String {
        self.describe() // calls :Shape.describe
    }
}

impl fmt::Display for Circle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name()) // calls :Circle.name
    }
}

pub struct Square {
    pub side: f64,
}

impl Shape for Square {
    fn area(&self) -> f64 {
        self.side.abs()
    }

    fn unit() -> Square {
        Square { side: 1.0 }
    }

    fn describe(&self) -> String {
        "square".to_string()
    }
}

impl Named for Square {
    fn name(&self) -> String {
        String::new()
    }
}
