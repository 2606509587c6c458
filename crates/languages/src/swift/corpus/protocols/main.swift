protocol Greeter {
    var name: String { get }
    func greet() -> String
}
struct Polite: Greeter {
    let name = "P"
    func greet() -> String { "Good day" }
}
class Rude: Greeter {
    var name: String { "R" }
    func greet() -> String { "Hey" }
}

func run(_ any: Greeter, _ explicit: any Greeter, _ polite: Polite) {
    any.greet()  // calls :Greeter.greet
    explicit.greet()  // calls :Greeter.greet
    polite.greet()  // calls :Polite.greet
    Rude().greet()  // calls :Rude, :Rude.greet
    let all: [Greeter] = [Polite(), Rude()]  // calls :Polite, :Rude
    for one in all { one.greet() }  // calls :Greeter.greet
}
