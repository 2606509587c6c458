struct Cat {}
struct Dog {}
func feed(_ animal: Cat) {}
func feed(_ animal: Dog) {}
func feed(_ text: String) {}
func feed(_ all: [Cat]) {}

func run(cat: Cat, dogs: [Dog]) {
    feed(cat)  // calls :feed@3
    feed(dogs[0])  // calls :feed@4
    feed("all")  // calls :feed@5
    feed([cat])  // calls :feed@6
    for dog in dogs { feed(dog) }  // calls :feed@4
}
