struct Key { func turn() {} }
struct Door { func open() {} }
func both() -> (key: Key, door: Door) { (Key(), Door()) }  // calls :Key, :Door

func run() {
    let pair = both()  // calls :both
    pair.key.turn()  // calls :Key.turn
    pair.1.open()  // calls :Door.open
    let (key, door) = both()  // calls :both
    key.turn()  // calls :Key.turn
    door.open()  // calls :Door.open
    let made = (left: Key(), right: Door())  // calls :Key, :Door
    made.left.turn()  // calls :Key.turn
    made.right.open()  // calls :Door.open
    both().door.open()  // calls :both, :Door.open
}
