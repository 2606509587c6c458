<?php
namespace App;
require __DIR__ . '/lib.php';
function strlen(string $s): int { return 1; }
echo strlen('abc'); // calls :strlen
echo \strlen('abc'), count([1]);
echo global_help(); // calls lib.php:global_help
echo namespace\strlen('x'); // calls :strlen
