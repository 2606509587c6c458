struct Room { func clean() {} }
enum Floor: Hashable { case first, second }
func run(_ rooms: [Floor: [Room]], _ grouped: [String: [String: Room]]) {
    rooms[.first]?.first?.clean()  // calls :Room.clean
    rooms[.second, default: []].forEach { $0.clean() }  // calls :Room.clean
    for (_, list) in rooms { list.forEach { $0.clean() } }  // calls :Room.clean
    grouped["a"]?["b"]?.clean()  // calls :Room.clean
    let made = ["a": Room()]  // calls :Room
    made["a"]?.clean()  // calls :Room.clean
    let byName = Dictionary(uniqueKeysWithValues: [("x", Room())])  // calls :Room
    _ = byName
    rooms.keys.forEach { key in print(key) }
    rooms.first?.value.first?.clean()  // calls :Room.clean
}
