struct Item { func use() {} }
struct Stack<Element> {
    var items: [Element] = []
    init(_ first: Element) { items = [first] }
    mutating func push(_ item: Element) { items.append(item) }
    func top() -> Element? { items.last }
    subscript(index: Int) -> Element { items[index] }
}

func run() {
    var stack = Stack(Item())  // calls :Stack.init, :Item
    stack.push(Item())  // calls :Stack.push, :Item
    stack.top()?.use()  // calls :Stack.top, :Item.use
    stack[0].use()  // calls :Stack.subscript, :Item.use
    for item in stack.items { item.use() }  // calls :Item.use
    stack.items.first?.use()  // calls :Item.use
}
