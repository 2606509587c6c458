struct Step { init(_ n: Int) {}; func go() {}; static func make(_ n: Int) -> Step { Step(n) } }  // calls :Step.init
func twice(_ n: Int) -> Step { Step(n) }  // calls :Step.init
func apply(_ f: (Int) -> Step) -> Step { f(1) }

func run() {
    [1, 2].map(Step.init).first?.go()  // calls :Step.go
    [1].map(twice).first?.go()  // calls :Step.go
    [1].map(Step.make).last?.go()  // calls :Step.go
    apply(twice).go()  // calls :apply, :Step.go
    apply(Step.init(_:)).go()  // calls :apply, :Step.go
    let f = twice
    f(3).go()  // calls :Step.go
}
