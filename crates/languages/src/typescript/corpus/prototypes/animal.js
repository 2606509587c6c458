/**
 * An animal.
 * @constructor
 * @param {string} name
 */
function Animal(name) {
  this.name = name;
  this.wake(); // calls :Animal.wake
}

Animal.prototype.wake = function () {
  return this.speak("!"); // calls :Animal.speak
};

Animal.prototype.speak = function speak(end) {
  return this.name + end;
};

Animal.of = function (name) {
  return new Animal(name); // calls :Animal
};

/** @extends {Animal} */
class Bird extends Animal {
  /** @param {number} height */
  fly(height) {
    if (height > 0) this.fly(height - 1); // calls :Bird.fly
    return this.wake(); // calls :Animal.wake (missed)
  }
}

module.exports = { Animal, Bird };
