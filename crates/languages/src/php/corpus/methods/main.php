<?php
class Counter
{
    private int $n = 0;
    public function add(): void { $this->n++; $this->note(); } // calls :Counter.note
    private function note(): void {}
    public function get(): int { return $this->n; }
}
$c = new Counter(); // calls :Counter
$c->add(); // calls :Counter.add
echo $c->get(); // calls :Counter.get
echo (new Counter())->get(); // calls :Counter, :Counter.get
