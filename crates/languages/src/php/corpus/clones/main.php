<?php
class Money
{
    public int $n = 1;
    public function with(int $n): static { $c = clone $this; $c->touch(); $c->n = $n; return $c; } // calls :Money.touch
    private function touch(): void {}
    public function show(): string { return "$this->n"; }
}
$a = new Money(); // calls :Money
echo $a->with(2)->show(), (clone $a)->show(); // calls :Money.with, :Money.show
