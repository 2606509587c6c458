use crate::shape::{Circle, Shape};

pub trait Render {
    fn render(&self) -> String;
}

impl<T: Shape> Render for T {
    fn render(&self) -> String {
        self.describe() // calls src/shape.rs:Shape.describe
    }
}

trait Area {
    fn area(&self, scale: f64) -> f64;
}

struct Plot;

impl Plot {
    fn area(&self) -> f64 {
        Area::area(self, 2.0) // calls :Plot.area@26
    }
}

impl Area for Plot {
    fn area(&self, scale: f64) -> f64 {
        scale
    }
}

pub fn run(circle: &Circle) {
    circle.render(); // calls :T.render
    Plot.area(); // calls :Plot.area@20
    <Plot as Area>::area(&Plot, 1.0); // calls :Plot.area@26
    Plot::area(&Plot); // calls :Plot.area@20
}
