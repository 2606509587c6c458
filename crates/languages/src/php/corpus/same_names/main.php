<?php
class A { public function run(): string { return 'a'; } }
class B { public function run(): string { return 'b'; } }
function call($x) { return $x->run(); } // calls :A.run (missed), :B.run (missed)
echo call(new A()), call(new B()); // calls :call, :A, :B
