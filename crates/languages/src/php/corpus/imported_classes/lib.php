<?php
namespace Lib;
class Item { public function __construct() {} public function name(): string { return 'i'; } }
class Box { public function open(): string { return 'o'; } }
namespace Lib\Deep;
class Nested { public function go(): string { return 'g'; } }
