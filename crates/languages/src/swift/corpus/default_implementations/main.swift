protocol Task {
    func prepare()
    func run()
}
extension Task {
    func prepare() { log() }  // calls :Task.log
    func log() {}
}
struct Plain: Task { func run() { prepare() } }  // calls :Task.prepare@6
struct Special: Task {
    func prepare() { log() }  // calls :Task.log
    func run() { prepare() }  // calls :Special.prepare
}

func go(_ task: Task, _ plain: Plain, _ special: Special) {
    task.prepare()  // calls :Task.prepare@2
    plain.prepare()  // calls :Task.prepare@6
    special.prepare()  // calls :Special.prepare
}
