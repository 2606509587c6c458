<?php
class Inner { public function work(): string { return 'w'; } public function self(): static { return $this; } }
/** @mixin Inner */
class Outer
{
    public function __construct(private Inner $inner) {}
    public function __call($name, $args) { return $this->inner->$name(...$args); } // calls :Inner.work (missed)
}
$o = new Outer(new Inner()); // calls :Outer.__construct, :Inner
echo $o->work(); // calls :Inner.work (wrong), :Outer.__call (missed)
