<?php
trait Greets
{
    public function greet(): string { return $this->prefix() . $this->name(); } // calls :Greets.prefix, :Person.name
    private function prefix(): string { return 'Hi '; }
}
class Person
{
    use Greets;
    public function name(): string { return 'Ann'; }
}
echo (new Person())->greet(); // calls :Person, :Greets.greet
