<?php
class P { public function __construct(public int $n) {} public function n(): int { return $this->n; } }
$all = [new P(1), new P(2)]; // calls :P.__construct
echo array_sum(array_map(fn ($p) => $p->n(), $all)); // calls :P.n
$some = array_filter($all, function ($p) { return $p->n() > 1; }); // calls :P.n
foreach (array_values($some) as $p) {
    echo $p->n(); // calls :P.n
}
usort($all, fn ($a, $b) => $a->n() <=> $b->n()); // calls :P.n
echo reset($all)->n(), end($all)->n(); // calls :P.n
$made = array_map(fn (int $n) => new P($n), [1, 2]); // calls :P.__construct
foreach ($made as $p) {
    echo $p->n(); // calls :P.n
}
