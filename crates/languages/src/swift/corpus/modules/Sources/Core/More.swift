extension Item {
    public func tax() -> Int { cost() }  // calls Sources/Core/Item.swift:Item.cost
}
func use() { hidden() }  // calls Sources/Core/Item.swift:hidden
