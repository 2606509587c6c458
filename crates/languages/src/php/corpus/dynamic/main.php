<?php
class D { public function go(): string { return 'g'; } public static function st(): string { return 's'; } }
function plain(): string { return 'p'; }
$d = new D(); // calls :D
$method = 'go';
echo $d->$method(); // calls :D.go (missed)
$fn = 'plain';
echo $fn(); // calls :plain (missed)
$class = 'D';
echo (new $class())->go(); // calls :D (missed), :D.go (missed)
echo $class::st(); // calls :D.st (missed)
