package extension_by_type
open class Animal
class Dog : Animal() // calls :Animal
class Rock
fun Animal.sound() = "?"
fun Dog.sound() = "woof"
fun Rock.sound() = "none"
fun use(animal: Animal, dog: Dog, rock: Rock) {
    animal.sound() // calls :sound@5
    dog.sound() // calls :sound@6
    rock.sound() // calls :sound@7
}
