class Node {
    var next: Node?
    func visit() {}
    func child(_ name: String) -> Node? { next }
}

func run(_ node: Node?) {
    node?.visit()  // calls :Node.visit
    node?.next?.visit()  // calls :Node.visit
    node!.child("a")?.child("b")!.visit()  // calls :Node.child, :Node.visit
    if let node { node.visit() }  // calls :Node.visit
    if let found = node?.child("x"), let inner = found.next { inner.visit() }  // calls :Node.child, :Node.visit
    guard let node = node else { return }
    node.visit()  // calls :Node.visit
    (node.next ?? Node()).visit()  // calls :Node, :Node.visit
    node.next.map { $0.visit() }  // calls :Node.visit
}
