pub struct Order {
    pub customer: Customer,
    lines: Vec<Line>,
    note: Option<Note>,
}

pub struct Customer(Name, Option<Box<Customer>>);

pub struct Name {
    first: String,
}

pub struct Line {
    item: Item,
    count: u32,
}

pub enum Item {
    Book { title: Name },
    Other(Note, u32),
}

pub struct Note;

impl Name {
    fn show(&self) -> &str {
        &self.first
    }
}

impl Note {
    fn show(&self) -> u32 {
        0
    }
}

impl Line {
    fn total(&self) -> u32 {
        let Line { item, count } = self;
        match item {
            Item::Book { title: name } if name.show() == "x" => *count, // calls :Name.show
            Item::Book { .. } => 1,
            Item::Other(note, price) => note.show() + price, // calls :Note.show
        }
    }

    fn show(&self) -> Option<(&Item, u32)> {
        Some((&self.item, self.count))
    }
}

fn split(order: Order) -> (Customer, Vec<Line>) {
    let Order { customer, lines, note: Some(note) } = order else {
        panic!("no note");
    };
    note.show(); // calls :Note.show
    (customer, lines)
}

fn both((first, second): (&Name, &Note), [line, ..]: [&Line; 2]) -> u32 {
    first.show(); // calls :Name.show
    second.show() + line.total() // calls :Note.show, :Line.total
}

pub fn run(order: Order, names: &[Name]) {
    let Order { customer: Customer(ref name, _), ref lines, .. } = order;
    name.show(); // calls :Name.show
    lines[0].total(); // calls :Line.total
    if let [first, middle @ .., last] = names {
        first.show(); // calls :Name.show
        middle[0].show(); // calls :Name.show
        last.show().len(); // calls :Name.show
    }
    for Line { item, .. } in lines {
        if let Item::Book { title } | Item::Book { title } = item {
            title.show(); // calls :Name.show
        }
    }
    for (line, name) in lines.iter().zip(names) {
        let shown @ Some((_, n)) = line.show() else { continue }; // calls :Line.show
        both((name, &Note), [line, line]); // calls :both
        shown.map(|(item, _)| matches!(item, Item::Other(note, _) if note.show() > n)); // calls :Note.show
    }
    let (customer, lines) = split(order); // calls :split
    match (customer, lines.first()) {
        (Customer(name, None), Some(line)) => drop((name.show(), line.total())), // calls :Name.show, :Line.total
        (Customer(_, Some(inner)), _) => drop(inner.0.show()), // calls :Name.show
        _ => {}
    }
}
