struct Data2 { func parse() {} }
struct Broken: Error { func log() {} }
func load() -> Result<Data2, Broken> { .success(Data2()) }  // calls :Data2
func run() {
    switch load() {  // calls :load
    case .success(let data): data.parse()  // calls :Data2.parse
    case .failure(let error): error.log()  // calls :Broken.log
    }
    try? load().get().parse()  // calls :load, :Data2.parse
    load().map { $0.parse() }  // calls :load, :Data2.parse
    if case .success(let data) = load() { data.parse() }  // calls :load, :Data2.parse
}
