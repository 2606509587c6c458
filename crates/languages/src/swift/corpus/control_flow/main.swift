class It { func step() -> It? { nil }; func ok() -> Bool { true }; func done() {} }
func run(_ its: [It], _ start: It?) {
    for it in its where it.ok() { it.done() }  // calls :It.ok, :It.done
    var current = start
    while let it = current { it.done(); current = it.step() }  // calls :It.done, :It.step
    repeat { current?.done() } while current?.ok() ?? false  // calls :It.done, :It.ok
    defer { current?.done() }  // calls :It.done
    outer: for it in its { if it.ok() { continue outer } else if it.ok() { it.done() } else { it.done() } }  // calls :It.ok, :It.done
    let picked = its.isEmpty ? It() : its[0]  // calls :It
    picked.done()  // calls :It.done
    let chosen = if its.isEmpty { It() } else { its[0] }  // calls :It
    chosen.done()  // calls :It.done
    let switched = switch its.count { case 0: It(); default: its[0] }  // calls :It
    switched.done()  // calls :It.done
    for case let it? in its.map({ $0.step() }) { it.done() }  // calls :It.step, :It.done
}
