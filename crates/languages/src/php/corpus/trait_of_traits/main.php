<?php
trait One { public function one(): string { return '1'; } }
trait Two { use One; public function two(): string { return $this->one() . '2'; } } // calls :One.one
class Both { use Two; }
$b = new Both(); // calls :Both
echo $b->one(), $b->two(); // calls :One.one, :Two.two
