use std::cell::RefCell;
use std::sync::LazyLock;

pub const LIMIT: Size = Size::new(4); // calls :Size.new
pub static NAMES: [Name; 2] = [Name("a"), Name("b")]; // calls :Name
static TABLE: LazyLock<Vec<Size>> = LazyLock::new(|| build(3)); // calls :build

thread_local! {
    static CURRENT: RefCell<Option<Size>> = RefCell::new(None);
}

#[derive(Clone, Copy)]
pub struct Size(u32);
pub struct Name(&'static str);

impl Size {
    const ZERO: Self = Self::new(0); // calls :Size.new
    const MAKE: fn(u32) -> Size = Size::new;

    pub const fn new(n: u32) -> Size {
        Size(n) // calls :Size
    }

    fn double(self) -> Size {
        Size(self.0 * 2) // calls :Size
    }

    fn len(&self) -> usize {
        0
    }
}

impl Name {
    fn len(&self) -> Size {
        Size::ZERO
    }
}

pub trait Unit {
    const BASE: Size;
    const NAME: Name = Name("unit"); // calls :Name

    fn base() -> Size {
        Self::BASE.double() // calls :Size.double
    }
}

pub struct Meter;

impl Unit for Meter {
    const BASE: Size = LIMIT;
}

pub struct Grid<const W: usize, const H: usize> {
    cells: [[Size; W]; H],
}

impl<const W: usize, const H: usize> Grid<W, H> {
    const AREA: usize = area(W, H); // calls :area

    fn cell(&self, x: usize, y: usize) -> &Size {
        &self.cells[y][x]
    }
}

const fn area(w: usize, h: usize) -> usize {
    w * h
}

fn build(n: u32) -> Vec<Size> {
    (0..n).map(Size::new).collect()
}

pub fn run(grid: &Grid<2, 3>) {
    LIMIT.double().len(); // calls :Size.double, :Size.len
    NAMES[0].len().double(); // calls :Name.len, :Size.double
    NAMES.iter().map(|name| name.len().len()).count(); // calls :Name.len, :Size.len
    TABLE[1].double(); // calls :Size.double
    TABLE.len();
    TABLE.first().unwrap().len(); // calls :Size.len
    Size::ZERO.len(); // calls :Size.len
    (Size::MAKE)(3).len(); // calls :Size.len, :Size.MAKE
    Meter::base().double(); // calls :Unit.base, :Size.double
    Meter::BASE.double(); // calls :Size.double
    <Meter as Unit>::NAME.len(); // calls :Name.len
    grid.cell(0, 1).double(); // calls :Grid.cell, :Size.double
    grid.cells[0][1].len(); // calls :Size.len
    grid.cells.len();
    Grid::<2, 3>::AREA.pow(2);
    CURRENT.with(|current| current.borrow().map(|size| size.double())); // calls :Size.double
    CURRENT.with_borrow_mut(|current| current.replace(Size::ZERO).unwrap().len()); // calls :Size.len (missed)
    const INNER: Size = LIMIT;
    INNER.double(); // calls :Size.double
}
