class Animal {
    var name: String
    init(name: String) { self.name = name }
    func speak() -> String { sound() + name }  // calls :Animal.sound
    func sound() -> String { "" }
}
class Dog: Animal {
    override init(name: String) { super.init(name: name) }  // calls :Animal.init
    override func sound() -> String { "wau" }
    func fetch() { speak() }  // calls :Animal.speak
    convenience init() { self.init(name: "Rex") }  // calls :Dog.init@8
}

func run() {
    let dog = Dog()  // calls :Dog.init@11
    dog.fetch()  // calls :Dog.fetch
    dog.speak()  // calls :Animal.speak
    let animal: Animal = Dog(name: "Bello")  // calls :Dog.init@8
    animal.sound()  // calls :Animal.sound
}
