<?php
class A { public function m(): string { return 'a'; } }
class B { public function m(): string { return 'b'; } }
function load(bool $bad): string
{
    $x = new A(); // calls :A
    try {
        if ($bad) { throw new Exception('e'); }
        $x = new B(); // calls :B
    } catch (Exception $e) {
        return $x->m(); // calls :A.m, :B.m (wrong)
    }
    return $x->m(); // calls :B.m
}
echo load(true), load(false); // calls :load
