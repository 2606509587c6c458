<?php
class Opt { public function on(): bool { return true; } }
function set(int $a = 1, ?Opt $opt = null): bool { return $opt?->on() ?? false; } // calls :Opt.on
echo set(opt: new Opt()); // calls :set, :Opt
