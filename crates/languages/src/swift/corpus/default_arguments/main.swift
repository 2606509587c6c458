func connect(host: String = "h", port: Int = portOf(), secure: Bool = false) {}  // calls :portOf
func portOf() -> Int { 80 }
func sum(_ numbers: Int..., scale: Int = 1) -> Int { 0 }
struct Options { var level = 1; var name = makeName() }  // calls :makeName
func makeName() -> String { "n" }

func run() {
    connect()  // calls :connect
    connect(port: 1)  // calls :connect
    connect(host: "a", secure: true)  // calls :connect
    sum(1, 2, 3)  // calls :sum
    sum(1, scale: 2)  // calls :sum
    sum()  // calls :sum
    _ = Options(level: 2)  // calls :Options
    _ = Options()  // calls :Options
}
