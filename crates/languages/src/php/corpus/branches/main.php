<?php
class A { public function m(): string { return 'a'; } }
class B { public function m(): string { return 'b'; } }
function pick(bool $first): string
{
    if ($first) {
        $x = new A(); // calls :A
    } else {
        $x = new B(); // calls :B
    }
    return $x->m(); // calls :A.m, :B.m
}
function again(bool $stop): string
{
    $x = new A(); // calls :A
    if ($stop) {
        $x = new B(); // calls :B
        return $x->m(); // calls :B.m
    }
    return $x->m(); // calls :A.m
}
echo pick(true), pick(false), again(true), again(false); // calls :pick, :again
