class Registry {
    static var all: [Registry] = []
    static func make() -> Registry { create() }  // calls :Registry.create
    class func create() -> Registry { Registry() }  // calls :Registry
    func register() { Self.all.append(self); Registry.count() }  // calls :Registry.count
    static func count() { all.first?.register() }  // calls :Registry.register
    func twice() { type(of: self).count(); Self.make().register() }  // calls :Registry.count, :Registry.make, :Registry.register
}

func run() {
    Registry.make().register()  // calls :Registry.make, :Registry.register
    Registry.all[0].twice()  // calls :Registry.twice
}
