<?php
class R { public function r(): string { return 'r'; } }
$all = [new R()]; // calls :R
foreach ($all as &$one) {
    echo $one->r(); // calls :R.r
}
unset($one);
function fill(?R &$out): void { $out = new R(); } // calls :R
fill($made); // calls :fill
echo $made->r(); // calls :R.r (missed)
