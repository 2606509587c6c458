<?php
class Key { public function k(): string { return 'k'; } }
class Lock { public function l(): string { return 'l'; } }
/** @return array{0: Key, 1: Lock} */
function pair(): array { return [new Key(), new Lock()]; } // calls :Key, :Lock
[$key, $lock] = pair(); // calls :pair
echo $key->k(), $lock->l(); // calls :Key.k, :Lock.l
/** @var list<array{Key, Lock}> $all */
$all = [pair(), pair()]; // calls :pair
foreach ($all as $one) {
    echo $one[0]->k(), $one[1]->l(); // calls :Key.k, :Lock.l
}
$map = ['key' => new Key(), 'lock' => new Lock()]; // calls :Key, :Lock
echo $map['key']->k(); // calls :Key.k (missed)
