<?php
class A { public function m(): string { return 'a'; } }
class B { public function m(): string { return 'b'; } }
$x = new A(); // calls :A
function f(): string { $x = new B(); return $x->m(); } // calls :B, :B.m
$g = function () { $x = new B(); return $x->m(); }; // calls :B, :B.m
$h = fn () => $x->m(); // calls :A.m
echo f(), $g(), $h(), $x->m(); // calls :f, :A.m
