package extension_imports
import extension_imports.lib.grow
fun use(plant: extension_imports.lib.Plant) {
    plant.grow() // calls Lib.kt:grow
    plant.water() // calls :water
}
fun extension_imports.lib.Plant.water() = 1
