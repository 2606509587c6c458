<?php
class A { public function hi(): string { return 'a'; } }
class B extends A { public function hi(): string { return 'b' . parent::hi(); } } // calls :A.hi
class C extends B { public function hi(): string { return 'c' . parent::hi(); } } // calls :B.hi
echo (new C())->hi(); // calls :C, :C.hi
