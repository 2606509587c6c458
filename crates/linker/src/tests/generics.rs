//! Type parameters: of classes and functions, their bounds and defaults, and how arguments determine them.

use super::tiny::{check, type_of};

const BOX: &str = "//- a.lua
class Item { fn use(self) = new Item() }
class Other { fn use(self) {} }
class Box<T> { fn init(self, item: T) {} fn get(self) -> T { } fn map<U>(self, f: fn(T) -> U) -> Box<U> { } fn me(self) -> Self { } }
class ItemBox: Box<Item> { fn own(self) {} }
class Pair<A, B = A> { fn left(self) -> A {} fn right(self) -> B {} }
fn first<T>(all: [T]) -> T {}
fn same<T>(a: T, b: T) -> T {}
fn bounded<T: Item>(a: ?) {}
fn least<T: Item>() -> T {}
";

fn with(lines: &str) -> String {
    format!(
        "{}{lines}",
        BOX.replace("fn bounded<T: Item>(a: ?) {}\n", "")
    )
}

#[test]
fn arguments_and_constructors_tell_type_parameters() {
    let fixture = with(
        "let boxed = new Box<Item>(1)
let told = Box(new Item())
let got = boxed.get()
let element = first([new Item()])
let both = same(new Item(), new Other())
let bound = least()
let changed = boxed.map(|x| new Other())
let taken = boxed.map(|x| x.use())
let own = new ItemBox().get()
let itself = new ItemBox().me()
let half = new Pair<Item>().right()
let whole = new Pair<Item, Other>().right()
let untold = Box(null)
",
    );
    for (name, expected) in [
        ("boxed", "Box<Item>"),
        ("told", "Box<Item>"),
        ("got", "Item"),
        ("element", "Item"),
        ("both", "Item"),
        ("bound", "Item"),
        ("changed", "Box<Other>"),
        ("taken", "Box<Item>"),
        ("own", "Item"),
        ("itself", "ItemBox"),
        ("half", "Item"),
        ("whole", "Other"),
        ("untold", "Box<?>"),
    ] {
        assert_eq!(type_of(&fixture, name), expected, "{name}");
    }
}

#[test]
fn members_of_what_type_parameters_stand_for_are_found() {
    check(
        &with(
            "fn f<T: Item>(x: T, boxed: Box<T>, item: ItemBox, p: Pair<Item>) {
  x.use()
  boxed.get().use()
  item.get().use().use()
  item.me().own()
  p.right().use()
  first([x]).use()
}
fn g<T>(x: T) { x.use() }
",
        )
        .replace("//- a.lua", "//- a.lua\n# one line more"),
        "a.lua:2 Item -> a.lua:Item@2 [scoped]
a.lua:11 use -> a.lua:Item.use@2 [typed]
a.lua:12 get -> a.lua:Box.get@4 [typed]
a.lua:12 use -> a.lua:Item.use@2 [typed]
a.lua:13 get -> a.lua:Box.get@4 [typed]
a.lua:13 use -> a.lua:Item.use@2 [typed]
a.lua:13 use -> a.lua:Item.use@2 [typed]
a.lua:14 me -> a.lua:Box.me@4 [typed]
a.lua:14 own -> a.lua:ItemBox.own@5 [typed]
a.lua:15 right -> a.lua:Pair.right@6 [typed]
a.lua:15 use -> a.lua:Item.use@2 [typed]
a.lua:16 first -> a.lua:first@7 [scoped]
a.lua:16 use -> a.lua:Item.use@2 [typed]
a.lua:18 use -> ? no such member",
    );
}

#[test]
fn parameters_of_function_literals_take_their_types_from_the_callee() {
    check(
        "//- a.lua
class Item { fn use(self) {} }
class Holder<T> { fn each(self, f: fn(T) -> text) {} fn both(self, n: T, f: fn(T, [T]) -> text) {} }
fn apply<T>(x: T, f: fn(T) -> text) {}
fn handle(f: Handler<Item>) {}
interface Handler<T> { fn on(self, event: T); }
fn f(h: Holder<Item>, xs: [Item]) {
  h.each(|x| x.use())
  h.both(?, |x, all| all.first().use())
  apply(new Item(), |x| x.use())
  handle(|event| event.use())
  xs.map(|x| x.use())
  unknown(|x| x.use())
}
",
        "a.lua:7 each -> a.lua:Holder.each@2 [typed]
a.lua:7 use -> a.lua:Item.use@1 [typed]
a.lua:8 both -> a.lua:Holder.both@2 [typed]
a.lua:8 first -> ext tiny:list.first
a.lua:8 use -> a.lua:Item.use@1 [typed]
a.lua:9 apply -> a.lua:apply@3 [scoped]
a.lua:9 Item -> a.lua:Item@1 [scoped]
a.lua:9 use -> a.lua:Item.use@1 [typed]
a.lua:10 handle -> a.lua:handle@4 [scoped]
a.lua:10 use -> a.lua:Item.use@1 [typed]
a.lua:11 map -> ext tiny:list.map
a.lua:11 use -> a.lua:Item.use@1 [typed]
a.lua:12 unknown -> ? unknown name
a.lua:12 use -> ? unknown receiver type",
    );
}

#[test]
fn aliases_fill_in_their_own_parameters() {
    let fixture = "//- a.lua
class Item {}
alias Many<T> = [T]
alias Deep<T> = Many<Many<T>>
alias Plain = Item
alias Circle = Circle
let many: Many<Item>
let deep: Deep<Item>
let plain: Plain
let circle: Circle
let class_itself = Plain
";
    for (name, expected) in [
        ("many", "list<Item>"),
        ("deep", "list<list<Item>>"),
        ("plain", "Item"),
        ("circle", "Circle"),
        ("class_itself", "class Item"),
    ] {
        assert_eq!(type_of(fixture, name), expected, "{name}");
    }
}

#[test]
fn bounds_in_a_circle_say_nothing() {
    check(
        "//- a.lua
class Item { fn use(self) {} }
fn f<A: B, B: A>(x: A) { x.use() }
fn g<A: B, B: Item>(x: A) { x.use() }
fn h<A: A>(x: A) { x.use() }
",
        "a.lua:2 use -> ? no such member
a.lua:3 use -> a.lua:Item.use@1 [typed]
a.lua:4 use -> ? no such member",
    );
}

#[test]
fn keyword_arguments_go_to_the_parameter_of_their_name() {
    let fixture = "//- a.lua
class Item {}
class Other {}
fn swap<A, B>(a: A, b: B) -> (A, B) {}
fn rest<T>(n: ?, *all: T) -> T {}
let plain = swap(new Item(), new Other())
let named = swap(b: new Item(), a: new Other())
let last = rest(1, 2, new Item())
";
    let fixture = fixture.replace("n: ?", "n: _");
    assert_eq!(type_of(&fixture, "plain"), "(Item, Other)");
    assert_eq!(type_of(&fixture, "named"), "(Other, Item)");
    assert_eq!(type_of(&fixture, "last"), "int");
}
