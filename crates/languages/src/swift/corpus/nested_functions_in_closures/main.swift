struct Op { func run(_ done: (Value) -> Void) {}; func map<T>(_ f: (Value) -> T) -> [T] { [] } }
struct Value { func use() {}; func next() -> Op { Op() } }  // calls :Op
func go(_ op: Op) {
    op.run { value in  // calls :Op.run
        value.use()  // calls :Value.use
        value.next().run { inner in inner.use() }  // calls :Value.next, :Op.run, :Value.use
        op.map { $0.next() }.first?.run { $0.use() }  // calls :Op.map, :Value.next, :Op.run, :Value.use
    }
}
