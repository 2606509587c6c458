<?php
function double(int $n): int { return $n * 2; }
function twice(int $n): int { return double($n); } // calls :double
echo twice(3), strlen('abc'); // calls :twice
echo \twice(4); // calls :twice
const TWICE_OF_THREE = 6;
echo TWICE_OF_THREE, "\n";
