<?php
class Node_ { public function left() { return null; } /** @return static */ public function me() { return $this; } }
class Leaf extends Node_ { public function fall(): string { return 'f'; } }
class Tree
{
    /** @return ?Leaf */
    public function leaf() { return new Leaf(); } // calls :Leaf
    /** @return $this */
    public function chain() { return $this; }
}
class Oak extends Tree { public function acorn(): string { return 'a'; } }
$t = new Oak(); // calls :Oak
echo $t->chain()->acorn(); // calls :Tree.chain, :Oak.acorn
echo $t->leaf()->me()->fall(); // calls :Tree.leaf, :Node_.me, :Leaf.fall
