import Core

struct Item2 { func go() {} }
func hidden() {}
public struct App {
    public init() {}
    func run() {
        Item().price()  // calls Sources/Core/Item.swift:Item.init, Sources/Core/Item.swift:Item.price
        Item().tax()  // calls Sources/Core/Item.swift:Item.init, Sources/Core/More.swift:Item.tax
        Core.shared().price()  // calls Sources/Core/Item.swift:shared, Sources/Core/Item.swift:Item.price
        shared().tax()  // calls Sources/Core/Item.swift:shared, Sources/Core/More.swift:Item.tax
        hidden()  // calls :hidden
    }
    public func start() { run() }  // calls :App.run
}
extension Core.Item { func local() {} }
func more(_ item: Item) { item.local() }  // calls :Core.Item.local
