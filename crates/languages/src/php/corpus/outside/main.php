<?php
class Mine extends ArrayObject
{
    public function first() { return $this->offsetGet(0); }
    public function count(): int { return parent::count() + 1; }
}
class Bad extends Exception { public function text(): string { return $this->getMessage(); } }
$m = new Mine([1]); // calls :Mine
echo $m->first(), $m->count(), $m->getFlags(); // calls :Mine.first, :Mine.count
$d = new DateTimeImmutable('2020-01-01');
echo $d->modify('+1 day')->format('Y'), (new Bad('b'))->text(); // calls :Bad, :Bad.text
