<?php
trait Makes { public static function make(): static { return new static(); } } // calls :Makes
class Cake { use Makes; public function eat(): string { return 'yum'; } }
echo Cake::make()->eat(); // calls :Makes.make, :Cake.eat
