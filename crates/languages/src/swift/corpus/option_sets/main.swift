struct Flags: OptionSet {
    let rawValue: Int
    static let a = Flags(rawValue: 1)  // calls :Flags
    static let b = Flags(rawValue: 2)  // calls :Flags
    func describe() {}
}
enum Level: Int { case low, high; func warn() {} }
func set(_ flags: Flags) {}
func run() {
    set([.a, .b])  // calls :set
    set(.a)  // calls :set
    Flags.a.describe()  // calls :Flags.describe
    Level(rawValue: 1)?.warn()  // calls :Level.warn
    Level.high.warn()  // calls :Level.warn
}
