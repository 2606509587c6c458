<?php
class P { private function hid(): string { return 'P'; } public function see(): string { return $this->hid(); } } // calls :P.hid
class Q extends P { private function hid(): string { return 'Q'; } public function own(): string { return $this->hid(); } } // calls :Q.hid
$q = new Q(); // calls :Q
echo $q->see(), $q->own(); // calls :P.see, :Q.own
