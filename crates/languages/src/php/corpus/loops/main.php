<?php
class Link { public ?Link $next = null; public function value(): int { return 1; } }
$first = new Link(); // calls :Link
$first->next = new Link(); // calls :Link
$sum = 0;
for ($at = $first; $at !== null; $at = $at->next) {
    $sum += $at->value(); // calls :Link.value
}
$last = null;
foreach ([1, 2] as $n) {
    if ($last) {
        $sum += $last->value(); // calls :Link.value
    }
    $last = new Link(); // calls :Link
}
while ($last !== null) {
    $sum += $last->value(); // calls :Link.value
    $last = $last->next;
}
echo $sum;
