<?php
class P { public function m(): int { return 1; } }
$list = [new P(), new P()]; // calls :P
echo $list[0]->m(); // calls :P.m
[$a, $b] = $list;
echo $a->m() + $b->m(); // calls :P.m
['x' => $c] = ['x' => new P()]; // calls :P
echo $c->m(); // calls :P.m
$more = [];
$more[] = new P(); // calls :P
foreach ($more as $one) {
    echo $one->m(); // calls :P.m
}
list(, $d) = [1, new P()]; // calls :P
echo $d->m(); // calls :P.m
