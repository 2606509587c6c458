<?php
interface Animal {}
class Dog implements Animal { public function bark(): string { return 'w'; } }
class Cat implements Animal { public function meow(): string { return 'm'; } }
function sound(Animal $a): string
{
    if ($a instanceof Dog) {
        return $a->bark(); // calls :Dog.bark
    }
    if (!$a instanceof Cat) {
        return '';
    }
    return $a->meow(); // calls :Cat.meow
}
function short(Animal $a): string { return $a instanceof Dog ? $a->bark() : ''; } // calls :Dog.bark
function both(Animal $a): bool { return $a instanceof Cat && $a->meow() === 'm'; } // calls :Cat.meow
function sure(Animal $a): string { assert($a instanceof Cat); return $a->meow(); } // calls :Cat.meow
echo sound(new Dog()), sound(new Cat()), short(new Dog()); // calls :sound, :short, :Dog, :Cat
echo both(new Cat()), sure(new Cat()); // calls :both, :sure, :Cat
