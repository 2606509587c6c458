struct Adder { let base: Int; func callAsFunction(_ x: Int) -> Sum { Sum() } }  // calls :Sum
struct Sum { func show() {} }
struct Holder { let add = Adder(base: 1); var handler: (Int) -> Sum = { _ in Sum() } }  // calls :Adder, :Sum

func run() {
    let adder = Adder(base: 2)  // calls :Adder
    adder(3).show()  // calls :Adder.callAsFunction, :Sum.show
    let holder = Holder()  // calls :Holder
    holder.add(1).show()  // calls :Adder.callAsFunction, :Sum.show
    holder.handler(1).show()  // calls :Sum.show
}
