struct User { let name: String; func title() -> String { name } }
func wrap(_ text: String) -> String { text }
func run(_ user: User) {
    print("Hello \(user.title()) and \(wrap(user.name))")  // calls :User.title, :wrap
    let long = """
    \(wrap("x"))  // calls :wrap
    """
    _ = wrap(long + user.title())  // calls :wrap, :User.title
}
