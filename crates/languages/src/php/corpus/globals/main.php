<?php
class G { public function g(): string { return 'g'; } }
$shared = new G(); // calls :G
function read(): string { global $shared; return $shared->g(); } // calls :G.g (missed)
function keep(): string { static $own = null; $own ??= new G(); return $own->g(); } // calls :G, :G.g
echo read(), keep(); // calls :read, :keep
