<?php
class Value { public function get(): int { return 1; } }
class Bag implements ArrayAccess
{
    public function offsetExists(mixed $o): bool { return true; }
    public function offsetGet(mixed $o): Value { return new Value(); } // calls :Value
    public function offsetSet(mixed $o, mixed $v): void {}
    public function offsetUnset(mixed $o): void {}
}
$bag = new Bag(); // calls :Bag
echo $bag['x']->get(); // calls :Value.get, :Bag.offsetGet (missed)
