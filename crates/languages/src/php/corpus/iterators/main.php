<?php
class Entry { public function show(): string { return 'e'; } }
/** @implements IteratorAggregate<int, Entry> */
class Listing implements IteratorAggregate
{
    public function getIterator(): Iterator { return new ArrayIterator([new Entry()]); } // calls :Entry
}
class Cursor implements Iterator
{
    private int $at = 0;
    public function current(): Entry { return new Entry(); } // calls :Entry
    public function key(): int { return $this->at; }
    public function next(): void { $this->at++; }
    public function rewind(): void { $this->at = 0; }
    public function valid(): bool { return $this->at < 1; }
}
foreach (new Listing() as $entry) { // calls :Listing, :Listing.getIterator (missed)
    echo $entry->show(); // calls :Entry.show
}
foreach (new Cursor() as $entry) { // calls :Cursor, :Cursor.rewind (missed), :Cursor.valid (missed), :Cursor.current (missed), :Cursor.next (missed)
    echo $entry->show(); // calls :Entry.show
}
