<?php
class Sorter
{
    public function sort(array $a): array { usort($a, [$this, 'compare']); return $a; } // calls :Sorter.compare
    private function compare(int $a, int $b): int { return $a <=> $b; }
    public static function double(int $n): int { return 2 * $n; }
}
function triple(int $n): int { return 3 * $n; }
$s = new Sorter(); // calls :Sorter
$s->sort([2, 1]); // calls :Sorter.sort
array_map('triple', [1]); // calls :triple
array_map('Sorter::double', [1]); // calls :Sorter.double
array_map([Sorter::class, 'double'], [1]); // calls :Sorter.double
array_map([$s, 'sort'], [[1]]); // calls :Sorter.sort
call_user_func([$s, 'sort'], [1]); // calls :Sorter.sort
call_user_func_array('triple', [1]); // calls :triple
