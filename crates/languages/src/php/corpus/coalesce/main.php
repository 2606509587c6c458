<?php
class N { public ?N $in = null; public function n(): string { return 'n'; } }
function opt(?N $a): string { return ($a ?? new N())->n(); } // calls :N, :N.n
function short(?N $a): string { $a = $a ?: new N(); return $a->n(); } // calls :N, :N.n
function deep(N $a): string { return $a->in?->in?->n() ?? $a->n(); } // calls :N.n
echo opt(null), short(null), deep(new N()); // calls :opt, :short, :deep, :N
