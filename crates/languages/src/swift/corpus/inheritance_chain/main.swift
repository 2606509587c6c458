class A { func one() {}; func two() { one() }; class func make() -> Self { fatalError() }; required init() {} }  // calls :A.one
class B: A { override func one() { super.one(); super.two() } }  // calls :A.one, :A.two
class C: B { func three() { one(); two() } }  // calls :B.one, :A.two
class D: C { override func one() { super.one() } }  // calls :B.one

func run() {
    let c = C()  // calls :A.init
    c.one()  // calls :B.one
    c.two()  // calls :A.two
    c.three()  // calls :C.three
    D.make().three()  // calls :A.make, :C.three
    D().one()  // calls :A.init, :D.one
}
