<?php
interface Shape { public function area(): float; }
class Square implements Shape { public function area(): float { return 1.0; } }
class Circle implements Shape { public function area(): float { return 3.1; } }
function total(Shape ...$shapes): float
{
    $sum = 0;
    foreach ($shapes as $shape) {
        $sum += $shape->area(); // calls :Shape.area
    }
    return $sum;
}
echo total(new Square(), new Circle()); // calls :total, :Square, :Circle
