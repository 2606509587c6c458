<?php
require __DIR__ . '/base.php';
class Dog extends Animal
{
    public function bark(): string { return $this->speak() . $this->breathe(); } // calls :Dog.speak, base.php:Animal.breathe
    public function speak(): string { return 'woof'; }
}
function greet(Animal $a): string { return $a->speak(); } // calls base.php:Animal.speak
echo (new Dog())->bark(), greet(new Dog()); // calls :Dog, :Dog.bark, :greet
