<?php
namespace App;
require __DIR__ . '/lib.php';
use function Lib\Text\upper;
use function Lib\Text\{lower as low, both};
use Lib\Text;
echo upper('a'); // calls lib.php:upper
echo low('A'), both('b'); // calls lib.php:lower, lib.php:both
echo Text\upper('c'); // calls lib.php:upper
echo \Lib\Text\lower('D'); // calls lib.php:lower
