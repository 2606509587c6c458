<?php
trait A
{
    public function m(): string { return 'A'; }
    public function k(): string { return 'kA'; }
}
trait B
{
    public function m(): string { return 'B'; }
    public function k(): string { return 'kB'; }
}
class C
{
    use A, B {
        A::m insteadof B;
        B::k insteadof A;
        B::m as other;
        A::k as protected hidden;
    }
    public function all(): string { return $this->m() . $this->k() . $this->other(); } // calls :A.m, :B.k, :B.m
}
echo (new C())->all(); // calls :C, :C.all
