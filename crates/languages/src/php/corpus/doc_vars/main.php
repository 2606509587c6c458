<?php
class Row { public function id(): int { return 7; } }
class Table
{
    /** @var Row[] */
    private $rows = [];
    /** @var array<string, Row> all by name */
    public array $named = [];
    public function add(): void { $this->rows[] = $this->named['x'] = new Row(); } // calls :Row
    public function sum(): int
    {
        $sum = 0;
        foreach ($this->rows as $row) {
            $sum += $row->id(); // calls :Row.id
        }
        return $sum + $this->named['x']->id(); // calls :Row.id
    }
}
function find(string $what) { return new $what(); }
$t = new Table(); // calls :Table
$t->add(); // calls :Table.add
echo $t->sum(); // calls :Table.sum
/** @var Row $row */
$row = find('Row'); // calls :find
echo $row->id(); // calls :Row.id
