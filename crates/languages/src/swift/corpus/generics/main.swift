protocol Animal { func feed() }
struct Cow: Animal { func feed() {} }
struct Box<Content> {
    var content: Content
    func open() -> Content { content }
    func map<T>(_ transform: (Content) -> T) -> Box<T> { Box<T>(content: transform(content)) }  // calls :Box
}
func first<T>(_ a: T, _ b: T) -> T { a }
func care<A: Animal>(_ animal: A) { animal.feed() }  // calls :Animal.feed
func careWhere<A>(_ animal: A) where A: Animal { animal.feed() }  // calls :Animal.feed
func careSome(_ animal: some Animal) { animal.feed() }  // calls :Animal.feed

func run() {
    let box = Box<Cow>(content: Cow())  // calls :Box, :Cow
    box.open().feed()  // calls :Box.open, :Cow.feed
    box.content.feed()  // calls :Cow.feed
    first(Cow(), Cow()).feed()  // calls :first, :Cow, :Cow.feed
    care(Cow())  // calls :care, :Cow
    careWhere(box.open())  // calls :careWhere, :Box.open
    careSome(Cow())  // calls :careSome, :Cow
    box.map { cow in cow }.open().feed()  // calls :Box.map, :Box.open, :Cow.feed
}
