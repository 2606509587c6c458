<?php
class S { public string $p = 'p'; public function m(): string { return 'm'; } public function __toString(): string { return 's'; } }
$s = new S(); // calls :S
echo "a {$s->m()} b $s->p"; // calls :S.m
echo <<<TEXT
  x {$s->m()} y // calls :S.m
TEXT;
echo 'not {$s->m()}', "\n";
