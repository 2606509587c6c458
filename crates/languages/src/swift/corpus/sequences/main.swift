struct Leaf { func fall() {} }
struct Tree: Sequence {
    func makeIterator() -> LeafIterator { LeafIterator() }  // calls :LeafIterator
}
struct LeafIterator: IteratorProtocol { mutating func next() -> Leaf? { nil } }
struct Forest: Sequence, IteratorProtocol { mutating func next() -> Tree? { nil } }

func run(_ tree: Tree, _ forest: Forest) {
    for leaf in tree { leaf.fall() }  // calls :Leaf.fall
    for tree in forest { for leaf in tree { leaf.fall() } }  // calls :Leaf.fall
    tree.map { $0 }.first?.fall()  // calls :Leaf.fall
    tree.forEach { $0.fall() }  // calls :Leaf.fall
}
