package overloads_by_type
open class Animal
class Dog : Animal() // calls :Animal
fun pet(a: Animal) = 1
fun pet(d: Dog) = 2
fun pet(s: String) = 3
fun pet(n: Int) = 4
fun pet(n: Long) = 5
fun pet(l: List<Int>) = 6
fun use(animal: Animal, dog: Dog) {
    pet(animal) // calls :pet@4
    pet(dog) // calls :pet@5
    pet("x") // calls :pet@6
    pet(1) // calls :pet@7
    pet(1L) // calls :pet@8
    pet(listOf(1)) // calls :pet@9
}
