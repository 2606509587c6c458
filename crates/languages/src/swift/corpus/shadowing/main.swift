struct A { func go() {} }
struct B { func go() {} }
struct Host {
    let value = A()  // calls :A
    func run() {
        value.go()  // calls :A.go
        let value = B()  // calls :B
        value.go()  // calls :B.go
        self.value.go()  // calls :A.go
        if true { let value = A(); value.go() }  // calls :A, :A.go
        value.go()  // calls :B.go
    }
    func print(_ x: Int) { Swift.print(x) }
    func param(value: B) { value.go(); print(1) }  // calls :B.go, :Host.print
}
