<?php
interface Named { public function name(): string; }
interface Aged { public function age(): int; }
class Person implements Named, Aged { public function name(): string { return 'n'; } public function age(): int { return 1; } }
function tell(Named&Aged $p): string { return $p->name() . $p->age(); } // calls :Named.name, :Aged.age
echo tell(new Person()); // calls :tell, :Person
