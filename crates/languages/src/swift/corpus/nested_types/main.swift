struct Outer {
    struct Inner {
        func work() { Outer.help() }  // calls :Outer.help
        struct Deep { func dig() {} }
    }
    enum Kind { case a; func name() -> String { "a" } }
    static func help() {}
    func make() -> Inner { Inner() }  // calls :Outer.Inner
    func kind() -> Kind { .a }
}

func run() {
    Outer.Inner().work()  // calls :Outer.Inner, :Outer.Inner.work
    Outer().make().work()  // calls :Outer, :Outer.make, :Outer.Inner.work
    Outer.Inner.Deep().dig()  // calls :Outer.Inner.Deep, :Outer.Inner.Deep.dig
    Outer().kind().name()  // calls :Outer, :Outer.kind, :Outer.Kind.name
    let kind: Outer.Kind = .a
    kind.name()  // calls :Outer.Kind.name
}
