protocol Copyable2 { func copy() -> Self }
extension Copyable2 { func twice() -> Self { copy().copy() } }  // calls :Copyable2.copy
final class Doc: Copyable2 {
    func copy() -> Doc { self }
    func print() {}
}
class Builder {
    func set(_ x: Int) -> Self { self }
    func build() -> Doc { Doc() }  // calls :Doc
}
class Fancy: Builder { func shine() -> Self { set(1) } }  // calls :Builder.set

func run() {
    Doc().twice().print()  // calls :Doc, :Copyable2.twice, :Doc.print
    Fancy().set(1).shine().build().print()  // calls :Fancy, :Builder.set, :Fancy.shine, :Builder.build, :Doc.print
}
