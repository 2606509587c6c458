use std::cmp::Ordering;
use std::ops::{Add, AddAssign, Deref, DerefMut, Index, Mul, Neg, Not};

#[derive(Clone, Copy, PartialEq)]
pub struct Vector {
    x: f64,
    y: f64,
}

impl Vector {
    pub const fn new(x: f64, y: f64) -> Self {
        Vector { x, y }
    }

    pub fn length(self) -> f64 {
        (self * self).sqrt()
    }

    fn flip(self) -> Vector {
        -self
    }
}

impl Add for Vector {
    type Output = Vector;

    fn add(self, other: Vector) -> Vector {
        Vector::new(self.x + other.x, self.y + other.y) // calls :Vector.new
    }
}

impl AddAssign<f64> for Vector {
    fn add_assign(&mut self, by: f64) {
        self.x += by;
    }
}

impl Mul for Vector {
    type Output = f64;

    fn mul(self, other: Vector) -> f64 {
        self.x * other.x + self.y * other.y
    }
}

impl Mul<f64> for Vector {
    type Output = Vector;

    fn mul(self, by: f64) -> Vector {
        Vector::new(self.x * by, self.y * by) // calls :Vector.new
    }
}

impl Neg for Vector {
    type Output = Vector;

    fn neg(self) -> Self::Output {
        self * -1.0
    }
}

impl Not for Vector {
    type Output = bool;

    fn not(self) -> bool {
        self.length() == 0.0 // calls :Vector.length
    }
}

impl PartialOrd for Vector {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.length().partial_cmp(&other.length()) // calls :Vector.length
    }
}

pub struct Path(Vec<Vector>);

impl Index<usize> for Path {
    type Output = Vector;

    fn index(&self, at: usize) -> &Vector {
        &self.0[at]
    }
}

pub struct Named {
    path: Path,
}

impl Named {
    fn len(&self) -> usize {
        self.path.0.len()
    }
}

impl Path {
    fn len(&self) -> f64 {
        0.0
    }

    fn close(&mut self) {}
}

impl Deref for Named {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.path
    }
}

impl DerefMut for Named {
    fn deref_mut(&mut self) -> &mut Path {
        &mut self.path
    }
}

pub fn run(a: Vector, b: Vector, named: &mut Named) -> f64 {
    (a + b).length(); // calls :Vector.length
    (a * 2.0).length(); // calls :Vector.length
    (a * b).sqrt();
    (-a).flip(); // calls :Vector.flip
    a.add(b).flip(); // calls :Vector.add, :Vector.flip
    Add::add(a, b).length(); // calls :Vector.add (missed), :Vector.length (missed)
    1.0f64.add(2.0);
    named[0].length(); // calls :Vector.length (missed)
    named.path[1].flip(); // calls :Vector.flip
    named.len(); // calls :Named.len
    named.close(); // calls :Path.close
    (**named).len(); // calls :Path.len (missed), :Named.len (wrong)
    named.deref().len(); // calls :Named.deref, :Path.len
    named.0[2].neg().length(); // calls :Vector.neg, :Vector.length
    let sum = named.0.iter().fold(a, |sum, v| sum + *v);
    sum.length() // calls :Vector.length
}
