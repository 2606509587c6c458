<?php
namespace App;
require __DIR__ . '/lib.php';
use Lib\Item;
use Lib\Item as Thing;
use Lib\{Box, Deep\Nested};
$a = new Item(); // calls lib.php:Item.__construct
$b = new Thing(); // calls lib.php:Item.__construct
echo $a->name(), $b->name(); // calls lib.php:Item.name
$box = new Box(); // calls lib.php:Box
echo $box->open(); // calls lib.php:Box.open
$n = new Nested(); // calls lib.php:Nested
echo $n->go(); // calls lib.php:Nested.go
