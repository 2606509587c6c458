protocol Entity { var id: Int { get }; func save() }
struct Order: Entity { let id = 1; func save() {}; func ship() {} }
func store<C: Collection>(_ all: C) where C.Element: Entity { for one in all { one.save() } }  // calls :Entity.save
func ship<S: Sequence>(_ all: S) where S.Element == Order { all.forEach { $0.ship() } }  // calls :Order.ship
func some(_ all: some Sequence<Order>) { for order in all { order.ship() } }  // calls :Order.ship
extension Array where Element: Entity { func saveAll() { forEach { $0.save() } } }  // calls :Entity.save
struct Repo<E: Entity> {
    var items: [E]
    func save() { items.forEach { $0.save() } }  // calls :Entity.save
}
extension Repo where E == Order { func shipAll() { items.first?.ship() } }  // calls :Order.ship

func run(orders: [Order]) {
    store(orders)  // calls :store
    ship(orders)  // calls :ship
    some(orders)  // calls :some
    orders.saveAll()  // calls :Array.saveAll
    Repo(items: orders).shipAll()  // calls :Repo@7, :Repo.shipAll
}
