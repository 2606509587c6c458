struct Tag { func render() -> String { "" } }
func div(_ tags: Tag..., id: String = "") -> Tag { tags[0].render(); return tags[0] }  // calls :Tag.render
func list(_ first: Int, _ rest: Tag...) { rest.forEach { _ = $0.render() } }  // calls :Tag.render
func run() {
    _ = div(Tag(), div(Tag()), id: "x").render()  // calls :div, :Tag, :Tag.render
    list(1, Tag(), Tag())  // calls :list, :Tag
    list(1)  // calls :list
}
