<?php
class Base { public function __construct(public string $name) {} }
class Sub extends Base {}
class Own extends Base { public function __construct() { parent::__construct('own'); } } // calls :Base.__construct
echo (new Sub('s'))->name; // calls :Base.__construct
echo (new Own())->name; // calls :Own.__construct
class Plain {}
$p = new Plain(); // calls :Plain
