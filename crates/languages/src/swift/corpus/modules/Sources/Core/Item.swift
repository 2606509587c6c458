public struct Item {
    public init() {}
    public func price() -> Int { cost() }  // calls :Item.cost
    func cost() -> Int { 1 }
}
func hidden() {}
public func shared() -> Item { Item() }  // calls :Item.init
