<?php
class Base { public function m(): string { return 'base'; } }
trait T { public function m(): string { return 'trait ' . parent::m(); } } // calls :Base.m (missed)
class Sub extends Base { use T; }
class Own extends Base { use T; public function m(): string { return 'own'; } }
echo (new Sub())->m(); // calls :Sub, :T.m
echo (new Own())->m(); // calls :Own, :Own.m
