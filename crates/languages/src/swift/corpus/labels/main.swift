func move(to place: Int) {}
func move(by distance: Int) {}
func move(_ place: Int, by distance: Int) {}
func move(from start: Int = 0, until end: Int) {}

func run() {
    move(to: 1)  // calls :move@1
    move(by: 2)  // calls :move@2
    move(3, by: 4)  // calls :move@3
    move(until: 5)  // calls :move@4
    move(from: 1, until: 5)  // calls :move@4
}
