<?php
trait Walks
{
    abstract protected function legs(): int;
    public function walk(): string { return str_repeat('.', $this->legs()); } // calls :Walks.legs
}
class Cat { use Walks; protected function legs(): int { return 4; } }
echo (new Cat())->walk(); // calls :Cat, :Walks.walk
