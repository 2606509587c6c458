<?php
class A { public function m(): string { return 'a'; } }
class B { public function m(): string { return 'b'; } }
function of(string $kind): string
{
    switch ($kind) {
        case 'a':
            $x = new A(); // calls :A
            break;
        default:
            $x = new B(); // calls :B
    }
    return $x->m(); // calls :A.m, :B.m
}
function by(string $kind): string
{
    $x = match ($kind) {
        'a' => new A(), // calls :A
        default => new B(), // calls :B
    };
    return $x->m(); // calls :A.m, :B.m
}
echo of('a'), of('b'), by('a'), by('b'); // calls :of, :by
