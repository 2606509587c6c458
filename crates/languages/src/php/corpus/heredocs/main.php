<?php
class H { public function m(): string { return 'm'; } }
$h = new H(); // calls :H
echo <<<"A"
    one {$h->m()} // calls :H.m
      two
    A . $h->m(); // calls :H.m
echo <<<'B'
not {$h->m()}
B;
