protocol Store {
    associatedtype Item
    func load() -> Item
    func all() -> [Item]
}
struct User { func greet() {} }
struct UserStore: Store {
    typealias Item = User
    func load() -> User { User() }  // calls :User
    func all() -> [User] { [load()] }  // calls :UserStore.load
}
extension Store { func first() -> Item? { all().first } }  // calls :Store.all
struct Service<S: Store> where S.Item == User {
    let store: S
    func run() { store.load().greet(); store.all().first?.greet() }  // calls :Store.load, :User.greet, :Store.all
}

func run() {
    UserStore().load().greet()  // calls :UserStore, :UserStore.load, :User.greet
    UserStore().first()?.greet()  // calls :UserStore, :Store.first, :User.greet
    Service(store: UserStore()).run()  // calls :Service, :UserStore, :Service.run
}
