<?php
function half(int $n): int { return intdiv($n, 2); }
class M { public function id(int $n): int { return $n; } public static function neg(int $n): int { return -$n; } }
$f = half(...);
echo $f(4); // calls :half
$m = new M(); // calls :M
$g = $m->id(...);
echo $g(1); // calls :M.id
$h = M::neg(...);
echo $h(1), strlen(...)('x'); // calls :M.neg
