struct Query {
    func select(_ names: String...) -> Query { self }
    func filter(_ test: (Row) -> Bool) -> Query { self }
    func sorted() -> Query { self }
    func all() -> [Row] { [] }
}
struct Row { func valid() -> Bool { true }; func delete() {} }
func run() {
    Query()  // calls :Query
        .select("a", "b")  // calls :Query.select
        .filter { $0.valid() }  // calls :Query.filter, :Row.valid
        .filter { row in  // calls :Query.filter
            row.valid()  // calls :Row.valid
        }
        .sorted()  // calls :Query.sorted
        .all()  // calls :Query.all
        .forEach { $0.delete() }  // calls :Row.delete
}
