<?php
class V { public function v(): int { return 1; } }
function all(V ...$vs): int { return $vs[0]->v(); } // calls :V.v
$args = [new V(), new V()]; // calls :V
echo all(...$args); // calls :all
