package named_arguments
fun draw(x: Int = 0, y: Int = 0, label: String = "") = 1
fun draw(point: String, scale: Int) = 2
fun use() {
    draw(y = 2) // calls :draw@2
    draw(1, label = "a") // calls :draw@2
    draw(scale = 2, point = "p") // calls :draw@3
}
