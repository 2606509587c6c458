<?php
class Query
{
    public function where(string $w): self { return $this; }
    public function order(string $o): static { return $this; }
    public function get(): array { return []; }
}
$rows = (new Query()) // calls :Query
    ->where('a') // calls :Query.where
    ->order('b') // calls :Query.order
    ->get(); // calls :Query.get
