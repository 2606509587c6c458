<?php
class T { public function t(): string { return 't'; } }
class F
{
    private array $cache = [];
    public function make() { return new T(); } // calls :T
    public function pass($x) { return $this->make(); } // calls :F.make
    public function other() { if ($this->cache) { return null; } $t = $this->make(); return $t; } // calls :F.make
}
$f = new F(); // calls :F
echo $f->make()->t(); // calls :F.make, :T.t
echo $f->pass(1)->t(); // calls :F.pass, :T.t
echo $f->other()->t(); // calls :F.other, :T.t
