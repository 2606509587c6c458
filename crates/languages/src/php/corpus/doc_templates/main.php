<?php
class Apple { public function bite(): string { return 'crunch'; } }
/**
 * @template T
 */
class Basket
{
    /** @param T $thing */
    public function __construct(private $thing) {}
    /** @return T */
    public function get() { return $this->thing; }
}
/**
 * @template T of object
 * @param class-string<T> $class
 * @return T
 */
function make(string $class) { return new $class(); }
echo make(Apple::class)->bite(); // calls :make, :Apple.bite
/** @return Basket<Apple> */
function basket() { return new Basket(new Apple()); } // calls :Basket.__construct, :Apple
echo basket()->get()->bite(); // calls :basket, :Basket.get, :Apple.bite
