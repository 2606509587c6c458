struct Log { func write(_ text: String) {} }
func run(_ log: Log) {
    func inner(_ text: String) { log.write(text); deeper() }  // calls :Log.write, :run.deeper
    func deeper() { struct Local { func go() {} }; Local().go() }  // calls :run.deeper.Local, :run.deeper.Local.go
    inner("a")  // calls :run.inner
    let closure = { inner("b") }  // calls :run.inner
    closure()
}
func inner(_ text: Int) {}
func other() { inner(1) }  // calls :inner
