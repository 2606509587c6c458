protocol Named { var name: String { get } }
extension Named {
    func hello() -> String { "Hello " + title() }  // calls :Named.title
    func title() -> String { name }
}
protocol Shy: Named { func hide() }
extension Shy { func shy() { hide(); hello() } }  // calls :Shy.hide, :Named.hello
struct Mouse: Shy {
    let name = "M"
    func hide() {}
    func title() -> String { "Mouse" }
}

func run(_ mouse: Mouse, _ shy: any Shy) {
    mouse.hello()  // calls :Named.hello
    mouse.title()  // calls :Mouse.title
    mouse.shy()  // calls :Shy.shy
    shy.hello()  // calls :Named.hello
    shy.title()  // calls :Named.title
    shy.hide()  // calls :Shy.hide
}
