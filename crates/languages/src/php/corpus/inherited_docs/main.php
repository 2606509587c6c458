<?php
class Product { public function name(): string { return 'p'; } }
interface Repository
{
    /** @return Product */
    public function find(int $id);
    /** @param Product $p */
    public function store($p);
}
class Memory implements Repository
{
    public function find(int $id) { return unserialize('x') ?: new Product(); } // calls :Product
    public function store($p) { return $p->name(); } // calls :Product.name
}
$m = new Memory(); // calls :Memory
echo @$m->find(1)->name(); // calls :Memory.find, :Product.name
echo $m->store(new Product()); // calls :Memory.store, :Product
