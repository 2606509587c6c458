<?php
class A { public function m(): string { return 'a'; } }
class B { public function m(): string { return 'b'; } }
$x = new A(); // calls :A
echo $x->m(); // calls :A.m
$x = new B(); // calls :B
echo $x->m(); // calls :B.m
$y = $x;
echo $y->m(); // calls :B.m
